import MartletWire

/// Events as rows, for people and for files.
struct EventLines {
    /// Where they are printed.
    let output: Output

    /// A table of events for people.
    static let columns: [Column<EventItem>] = [
        ("TIME", \.time.description), ("TYPE", \.type.rawValue), ("USER", \.userID), ("PLATFORM", \.platform.rawValue),
        ("MESSAGE", \.messageID), ("VALUE", { $0.value ?? ($0.type == .tokenRegister ? token($0) : nil) }),
    ]

    private static func token(_ event: EventItem) -> String? {
        (event.apnsToken ?? event.fcmToken).map { "token \($0.prefix(8))…" }
    }

    /// The columns of a file, with the names of the events table.
    static let fileColumns = [
        "time", "type", "campaign_id", "message_id", "platform", "user_id", "value", "fcm_token", "apns_token",
        "installation_id", "event_id", "device_model", "os_version", "app_version", "received_at", "client_time",
        "app_id",
    ]

    /// An event as a row of a file.
    static func values(_ event: EventItem) -> [JSONValue] {
        [
            event.time.description, event.type.rawValue, event.campaignID, event.messageID, event.platform.rawValue,
            event.userID, event.value, event.fcmToken, event.apnsToken, event.installationID?.description,
            event.eventID?.description, event.deviceModel, event.osVersion, event.appVersion,
            event.receivedAt.description, event.clientTime?.description, event.appID.description,
        ]
        .map { $0.map(JSONValue.string) ?? .null }
    }

    /// Prints events as they come.
    func show(_ events: [EventItem], isFirst: Bool) throws {
        if output.isJSON {
            for event in events { try output.jsonLine(event) }
        } else {
            let lines = Table(events, columns: Self.columns).lines(fitting: output.columns)
            output.lines(Array(lines.dropFirst(isFirst ? 0 : 1)))
        }
    }
}

extension JSONValue {
    /// What stands in a table's cell for people.
    var cell: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .decimal(let text): text
        case .bool(let value): String(value)
        case .array, .object: (try? json()).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
