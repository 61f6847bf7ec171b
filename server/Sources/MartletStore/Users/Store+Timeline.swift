public import MartletCore
import MartletWire

extension Store {
    /// What happened to a person up to a moment, that included, in no order; of their changes up to `limit`. The inbox is
    /// not among it. Where there is no index by person it looks at so many notifications and events, the newest first, and
    /// says how far back that was: a delivery of an earlier notification may be missing, however late it was.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such person.
    public func timeline(_ filter: TimelineFilter, upTo moment: Timestamp, limit: Int) async throws -> TimelinePart {
        try await readLong { transaction in
            guard let user = try transaction.user(filter.user, of: filter.app) else { throw Failure.notFound("user") }
            let timeline = Timeline(transaction: transaction, filter: filter, user: user, moment: moment, limit: limit)
            var part = TimelinePart()
            if filter.kinds.contains(.preference) { part.add(try timeline.changes()) }
            if filter.kinds.contains(.event) { part.add(try timeline.events()) }
            let devices = try transaction.devices(of: user, filter.app)
            if filter.kinds.contains(.device) { part.add(timeline.registrations(of: devices)) }
            if !filter.kinds.isDisjoint(with: [.delivery, .suppression]) {
                part.add(try timeline.deliveries(to: devices.map(\.row.rawValue)))
            }
            return part
        }
    }
}

/// One read of a timeline.
private struct Timeline {
    var transaction: Transaction
    var filter: TimelineFilter
    var user: RowID<User>
    /// What happened later is not asked for.
    var moment: Timestamp
    /// How much of each kind.
    var limit: Int

    private var since: Timestamp { filter.since ?? Timestamp(milliseconds: 0) }

    /// A part of which no more than the limit was read, in the order of time.
    private func part(_ entries: [TimelineEntry]) -> TimelinePart {
        TimelinePart(entries, horizon: entries.count < limit ? nil : entries.map(\.at).min())
    }

    func changes() throws -> TimelinePart {
        part(
            try transaction.prepare(SQL.timelineChanges).bind(user, since, moment, limit).all { row in
                let words = [
                    row.word("after_enabled", "all on", "all off"), row.word("after_push", "push on", "push off"),
                    row.word("after_inbox", "inbox on", "inbox off"),
                ].compactMap(\.self)
                let choice = words.dropFirst().reduce(words.first ?? "defaults") { "\($0), \($1)" }
                let (actor, category) = (row.text("actor"), row.optionalText("category"))
                return TimelineEntry(
                    at: row.time("at"),
                    kind: .preference,
                    what: category ?? "master",
                    detail: category.map { "\(actor) changed category '\($0)': \(choice)." }
                        ?? "\(actor) changed everything: \(choice)."
                )
            }
        )
    }

    func registrations(of devices: [PersonDevice]) -> TimelinePart {
        var entries: [TimelineEntry] = []
        func add(_ at: Timestamp, _ what: String, _ device: PersonDevice, _ detail: String? = nil) {
            guard at >= since, at <= moment else { return }
            entries.append(TimelineEntry(at: at, kind: .device, what: what, endpoint: device.id, detail: detail))
        }
        for device in devices {
            add(device.createdAt, "created", device, "A new device registered.")
            if device.registeredAt > device.createdAt { add(device.registeredAt, "registered", device) }
            switch device.status {
            case .enabled: break
            case .disabled(let reason): add(device.statusAt, "disabled", device, "The reason is \(reason.rawValue).")
            case .removed(let reason): add(device.statusAt, "removed", device, "The reason is \(reason.rawValue).")
            }
        }
        return TimelinePart(entries)
    }

    /// How many events are looked at. Ours: some ten milliseconds.
    private static let eventsLookedAt = 20_000

    func events() throws -> TimelinePart {
        let looked = Timeline.eventsLookedAt
        let entries = try transaction.prepare(SQL.timelineEvents)
            .bind(filter.app, since, moment, looked, filter.user)
            .all { row in
                TimelineEntry(
                    at: row.time("time"),
                    kind: .event,
                    what: try row.code("type", as: EventType.self).rawValue,
                    notification: row.optionalText("message_id").flatMap { PublicID($0) },
                    detail: row.optionalText("value")
                )
            }
        let horizon = try transaction.prepare(SQL.eventHorizon).bind(filter.app, since, moment, looked)
            .first { $0.time("time") }
        return TimelinePart(entries, horizon: horizon)
    }

    /// How many notifications are looked at, and how many lists of deliveries. Ours: a second at most on either engine.
    private static let notificationsLookedAt = 500
    private static let listsLookedAt = 2_000

    /// Not fewer where enough is found: what was accepted earlier may have been delivered later.
    func deliveries(to devices: [Int64]) throws -> TimelinePart {
        let looked = Timeline.notificationsLookedAt
        let before = NotificationIDs.firstKey(of: moment + .milliseconds(1))
        let notifications = try transaction.prepare(SQL.timelineNotifications).bind(filter.app, before, looked + 1)
            .all { (row: $0.row("id") as RowID<Notification>, id: try $0.publicID("public_id")) }
        let person = PersonKey(user: user, devices: devices, former: try transaction.formerDevices(of: user))
        var (part, lists) = (TimelinePart(), 0)
        for (index, notification) in notifications.enumerated() {
            guard index < looked, lists < Timeline.listsLookedAt else {
                part.add(TimelinePart(horizon: NotificationIDs.moment(of: notification.row.rawValue)))
                break
            }
            let lines = try PersonLines(transaction, notification.row, person, isWhole: false, hasPending: false)
            lists += lines.lists
            part.entries += try lines.sorted.compactMap { line in
                guard let at = line.at, at >= since, at <= moment else { return nil }
                return TimelineEntry(try transaction.report(line), of: notification.id)
            }
            .filter { filter.kinds.contains($0.kind) }
        }
        return part
    }
}

extension Row {
    /// What a flag says, or `nil` for NULL.
    fileprivate func word(_ column: StaticString, _ on: String, _ off: String) -> String? {
        isNull(column) ? nil : flag(column) ? on : off
    }
}
