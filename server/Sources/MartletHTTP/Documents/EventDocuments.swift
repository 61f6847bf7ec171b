import MartletCore
import MartletWire

extension EventsRequest: Documented {
    static let schema = document("EventsRequest") { field in
        switch field {
        case .events: (.list(of: .document(EventRequest.self)).of(1...limit), "1 to 500 events, oldest first.")
        }
    }
}

extension EventRequest: Documented {
    static let schema = document("EventRequest") { field in
        switch field {
        case .eventID: (.uuid, "Made by the SDK; one that was seen in the last 30 days is not counted again.")
        case .type: (.words(of: EventType.self), "What happened.")
        case .time: (.time, "When, by the phone's clock; Unix seconds or milliseconds are read too.")
        case .messageID: (.string(limit: EventReader.idLimit), "The payload's message_id.")
        case .campaignID: (.string(limit: EventReader.idLimit), "The payload's campaign_id.")
        case .treasureDataCampaignID: (.string(limit: EventReader.idLimit), "The same; it is read first.")
        case .platform: (.words(of: EventPlatform.self), "The kind of phone.")
        case .value:
            (.string(limit: EventReader.valueLimit), "The link, which link_open and deeplink_open need; or the button.")
        case .userID: (.string(limit: EventReader.idLimit), "Who is logged in.")
        case .fcmToken:
            (
                .string(limit: EventReader.valueLimit),
                "The token at Firebase Cloud Messaging; token_register needs this or the next."
            )
        case .apnsToken: (.string(limit: 400), "The token at Apple in hexadecimal.")
        case .installationID: (.uuid, "The installation whose secret is presented.")
        case .deviceModel: DeviceRow.model
        case .osVersion: DeviceRow.osVersion
        case .appVersion: DeviceRow.appVersion
        }
    }
}

extension DocumentSchema {
    /// Records in Treasure Data's format, for the description alone.
    static let treasureDataRecords = DocumentSchema(
        "TreasureDataRecords",
        [
            Field(
                "events",
                .list(of: .map(of: .any)).of(1...EventsRequest.limit),
                "1 to 500 records, each with type, platform and time."
            )
        ]
    )

    /// One record in Treasure Data's format, for the description alone.
    static let treasureDataRecord = DocumentSchema(
        "TreasureDataRecord",
        [
            Field("type", .words(of: EventType.self), "What happened."),
            Field(
                "td_record_time",
                .integer(),
                "When: Unix seconds; absent is the time of receipt.",
                isRequired: false
            ),
        ]
    )
}

extension EventsResponse: Documented {
    static let schema = document("EventReceipts") { field in
        switch field {
        case .receipts: (.list(of: .document(EventReceipt.self)), "One for each event, by position.")
        }
    }
}

extension EventReceipt: Documented {
    static let schema = document("EventReceipt") { field in
        switch field {
        case .success: (.boolean, "Whether the event is kept.")
        case .error: (.document(Failure.self), "Why not; it will never be.")
        }
    }
}

extension EventReceipt.Failure: Documented {
    static let schema = document("EventFailure") { field in
        switch field {
        case .name: (.string, "The word that never changes, such as InvalidPropertyValueError.")
        case .description: (.string, "One sentence that names the field.")
        }
    }
}

extension EventItem: Documented {
    static let schema = document("Event") { field in
        switch field {
        case .position: (.integer(), "Where it stands in the order of receipt.")
        case .appID: (.uuid, "Whose it is.")
        case .eventID: (.uuid, "The id that the SDK made, if any.")
        case .type: (.words(of: EventType.self), "What happened.")
        case .time: (.time, "When it happened.")
        case .clientTime: (.time, "What the phone said, where that could not be.")
        case .receivedAt: (.time, "When the server got it.")
        case .messageID: (.string, "The push's id.")
        case .campaignID: (.string, "The campaign's id.")
        case .platform: (.words(of: EventPlatform.self), "The kind of phone.")
        case .userID: (.string, "Who was logged in, or who logged in next on the same device.")
        case .value: (.string, "The link.")
        case .fcmToken: (.string, "The token at Firebase Cloud Messaging.")
        case .apnsToken: (.string, "The token at Apple.")
        case .installationID: (.uuid, "The installation, where it proved itself.")
        case .deviceModel: (.string, "The hardware.")
        case .osVersion: (.string, "The operating system's version.")
        case .appVersion: (.string, "The app's version.")
        }
    }
}

extension EventQueryRequest: Documented {
    static let schema = document("EventQueryRequest") { field in
        switch field {
        case .sql: (.string(limit: 100_000), "One SELECT over mobile.push_events.")
        case .app: (.string, "The id or name of the app; absent takes the key's, or else all.")
        case .limit: (.integer(1...10_000), "How many rows at most; absent is 1,000.")
        }
    }
}

extension EventTable: Documented {
    static let schema = document("EventTable") { field in
        switch field {
        case .columns: (.list(of: .string), "The columns' names.")
        case .rows:
            (
                .list(of: .list(of: .any)),
                "The rows, each with a text, a number or null for each column; a blob is hexadecimal."
            )
        case .isTruncated: (.boolean, "Whether there were more rows, or more bytes, than the limit.")
        }
    }
}

extension EventCountsResponse: Documented {
    static let schema = document("EventCounts") { field in
        switch field {
        case .deliveries: (.integer(), "It reached the phone and the app saw it.")
        case .opens: (.integer(), "It was tapped.")
        case .dismissals: (.integer(), "It was dismissed.")
        case .links: (.integer(), "A web link of it was opened.")
        case .deeplinks: (.integer(), "A link of it into the app was opened.")
        }
    }
}
