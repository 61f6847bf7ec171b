public import MartletCore
public import MartletWire

extension Store {
    /// Writes one row for each new event; the counts of a message are written once for the batch.
    public func record(_ batch: EventBatch) async throws -> Int {
        try await write { transaction in
            guard try transaction.app(.row(batch.app)) != nil else { throw Failure.notFound("app") }
            var recording = EventRecording(transaction: transaction, batch: batch)
            for event in batch.events { try recording.add(event) }
            return try recording.finish()
        }
    }

    /// How many events were reported under these message ids; those without any are absent.
    public func eventCounts(_ app: RowID<App>, messages: [String]) async throws -> [String: EventCounts] {
        try await read { transaction in
            var counts: [String: EventCounts] = [:]
            for message in Set(messages) {
                var found = EventCounts()
                try transaction.prepare(SQL.eventCounts)
                    .bind(app, message)
                    .forEach { found[try $0.code("type")] = $0.count("count") }
                if found != EventCounts() { counts[message] = found }
            }
            return counts
        }
    }

    /// Events in the order of their receipt, from the filter's first or from behind the page's key.
    public func events(_ filter: EventFilter, _ page: PageRequest) async throws -> Page<Event> {
        try await readLong { transaction in
            let beginning = page.after == nil ? try transaction.beginning(of: filter) : nil
            let rows = try transaction.prepare(SQL.events(filter, columns: Event.columns))
                .bind(filter, page.after ?? beginning ?? 0, page.count + 1)
                .all(Event.init)
            return Page(rows, page) { $0.row }
        }
    }
}

extension Transaction {
    /// The key of the event after which the newest stand that a filter asks for; `nil` where there are no more than those.
    fileprivate func beginning(of filter: EventFilter) throws -> Int64? {
        guard let count = filter.newest else { return nil }
        return try prepare(SQL.eventsFromNewest(filter)).bind(filter, 0, count).first { $0.int("id") }
    }
}

extension Statement {
    /// A filter, and the two parameters behind it.
    fileprivate func bind(_ filter: EventFilter, _ first: Int64, _ second: Int) -> Statement {
        bind(
            filter.app,
            filter.type?.code,
            filter.messageID,
            filter.user,
            filter.since,
            filter.until,
            first,
            second
        )
    }
}

extension Event {
    /// What the reading below needs.
    static let columns = """
        e.id, e.app_id, e.type, e.platform, e.time, e.client_time, e.received_at, e.event_id, e.message_id, \
        e.campaign_id, coalesce(e.user_id, s.user_id) AS user_id, e.value, e.fcm_token, e.apns_token, \
        e.installation_id, e.device_model, e.os_version, e.app_version
        """

    fileprivate init(_ row: Row) throws {
        let (time, refused) = (row.time("time"), row.optionalTime("client_time"))
        var draft = EventDraft(
            type: try row.code("type"),
            platform: try row.code("platform"),
            clientTime: refused ?? time
        )
        draft.eventID = try row.optionalPublicID("event_id")
        draft.messageID = row.optionalText("message_id")
        draft.campaignID = row.optionalText("campaign_id")
        draft.user = row.optionalText("user_id")
        draft.value = row.optionalText("value")
        draft.fcmToken = row.optionalText("fcm_token")
        draft.apnsToken = row.optionalText("apns_token")
        draft.installation = try row.optionalPublicID("installation_id")
        draft.deviceModel = row.optionalText("device_model")
        draft.osVersion = row.optionalText("os_version")
        draft.appVersion = row.optionalText("app_version")
        self.init(
            row: row.int("id"),
            app: row.row("app_id"),
            draft: draft,
            time: EventTime(time: time, refused: refused),
            receivedAt: row.time("received_at")
        )
    }
}

extension EventType: DatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .delivery: 1
        case .open: 2
        case .dismiss: 3
        case .linkOpen: 4
        case .deeplinkOpen: 5
        case .tokenRegister: 6
        }
    }

    /// The type of an integer.
    package init?(code: Int64) {
        guard let value = EventType.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}

extension EventPlatform: DatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .ios: 1
        case .android: 2
        case .web: 3
        }
    }

    /// The platform of an integer.
    package init?(code: Int64) {
        guard let value = EventPlatform.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}
