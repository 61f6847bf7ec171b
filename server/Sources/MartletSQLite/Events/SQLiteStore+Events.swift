public import MartletCore
public import MartletWire

extension SQLiteStore {
    /// Writes one row for each new event; the counts of a message are written once for the batch.
    public func record(_ batch: EventBatch) async throws -> Int {
        try await write { transaction in
            guard try transaction.app(.row(batch.app)) != nil else { throw Failure.notFound("app") }
            var recording = EventRecording(transaction: transaction, batch: batch)
            for event in batch.events { try recording.add(event) }
            return try recording.finish()
        }
    }

    /// Reads each message's few rows by key.
    public func eventCounts(_ app: RowID<App>, messages: [String]) async throws -> [String: EventCounts] {
        try await read { transaction in
            var counts: [String: EventCounts] = [:]
            for message in Set(messages) {
                var found = EventCounts()
                try transaction.prepare(SQL.eventCounts)
                    .bind(app, message)
                    .forEach { found[try $0.code(0)] = $0.count(1) }
                if found != EventCounts() { counts[message] = found }
            }
            return counts
        }
    }

    /// Lists events by their keys.
    public func events(_ filter: EventFilter, _ page: PageRequest) async throws -> Page<Event> {
        try await readLong { transaction in
            let rows = try transaction.prepare(SQL.events(filter, columns: Event.columns))
                .bind(filter, page.after ?? 0, page.count + 1)
                .all(Event.init)
            return Page(rows, page) { $0.row }
        }
    }

    /// Goes back from the newest event.
    public func eventPosition(_ filter: EventFilter, beforeNewest count: Int) async throws -> Int64 {
        try await readLong { transaction in
            try transaction.prepare(SQL.eventsFromNewest(filter)).bind(filter, 0, count).first { $0.int(0) } ?? 0
        }
    }
}

extension Prepared {
    /// A filter, and the two parameters behind it.
    fileprivate func bind(_ filter: EventFilter, _ first: Int64, _ second: Int) -> Prepared {
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
    /// What the reading below needs, in its order.
    static let columns = """
        e.id, e.app_id, e.type, e.platform, e.time, e.client_time, e.received_at, e.event_id, e.message_id, \
        e.campaign_id, coalesce(e.user_id, s.user_id), e.value, e.fcm_token, e.apns_token, e.installation_id, \
        e.device_model, e.os_version, e.app_version
        """

    fileprivate init(_ row: Columns) throws {
        let refused = row.optionalTime(5)
        var draft = EventDraft(type: try row.code(2), platform: try row.code(3), clientTime: refused ?? row.time(4))
        draft.eventID = try row.optionalPublicID(7)
        draft.messageID = row.optionalText(8)
        draft.campaignID = row.optionalText(9)
        draft.user = row.optionalText(10)
        draft.value = row.optionalText(11)
        draft.fcmToken = row.optionalText(12)
        draft.apnsToken = row.optionalText(13)
        draft.installation = try row.optionalPublicID(14)
        draft.deviceModel = row.optionalText(15)
        draft.osVersion = row.optionalText(16)
        draft.appVersion = row.optionalText(17)
        self.init(
            row: row.int(0),
            app: row.row(1),
            draft: draft,
            time: EventTime(time: row.time(4), refused: refused),
            receivedAt: row.time(6)
        )
    }
}

extension EventType: DatabaseEnum {
    /// From 1 in the order of the cases.
    var code: Int64 {
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
    init?(code: Int64) {
        guard let value = EventType.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}

extension EventPlatform: DatabaseEnum {
    /// From 1 in the order of the cases.
    var code: Int64 {
        switch self {
        case .ios: 1
        case .android: 2
        case .web: 3
        }
    }

    /// The platform of an integer.
    init?(code: Int64) {
        guard let value = EventPlatform.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}
