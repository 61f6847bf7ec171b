public import MartletCore
import MartletWire

extension Store {
    /// What is known of a notification and a person, also of one of whom nothing is stored.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such notification.
    public func whyFacts(of notification: RowID<Notification>, user: String) async throws -> WhyFacts {
        try await readLong { transaction in
            guard let known = try transaction.notification(notification) else { throw Failure.notFound("notification") }
            guard let row = try transaction.user(user, of: known.app) else {
                return try transaction.whyFacts(of: known, unknown: user)
            }
            return try transaction.whyFacts(of: known, user: row, id: user)
        }
    }
}

extension Transaction {
    /// Of somebody of whom nothing is stored there is only what holds for everybody.
    fileprivate func whyFacts(of notification: Notification, unknown id: String) throws -> WhyFacts {
        var facts = WhyFacts(notification: notification, user: id)
        facts.isKnown = false
        try addChoice(of: nil, to: &facts)
        try addItem(of: nil, to: &facts)
        return facts
    }

    /// Of how many deliveries a notification may be for all of them to be looked through. Ours: some milliseconds.
    private static let smallNotification = 10_000

    fileprivate func whyFacts(of notification: Notification, user: RowID<User>, id: String) throws -> WhyFacts {
        var facts = WhyFacts(notification: notification, user: id)
        let devices = try self.devices(of: user, notification.app)
        facts.hasNamedDevice = notification.audience.names(devices)
        let counts = notification.counts
        let size =
            counts.pending + counts.accepted + counts.rejected + counts.suppressed + counts.expired
            + counts.cancelled + counts.dead
        let lines = try PersonLines(
            self,
            notification.row,
            PersonKey(user: user, devices: devices.map(\.row.rawValue), former: try formerDevices(of: user)),
            isWhole: size <= Self.smallNotification,
            hasPending: true
        )
        facts.lines = try lines.sorted.map(report)
        try addChoice(of: user, to: &facts)
        try addItem(of: user, to: &facts)
        if let dedup = notification.dedup, let key = try dedupKey(dedup.key, of: notification.app) {
            facts.holder = try prepare(
                """
                SELECT n.public_id FROM claims c JOIN notifications n ON n.id = c.notification_id
                WHERE c.key_id = ? AND c.subject = ?
                """
            )
            .bind(key, user)
            .first { try $0.publicID("public_id") }
        }
        return facts
    }

    /// What the person had chosen at the notification's mark, and the category's defaults of then.
    private func addChoice(of user: RowID<User>?, to facts: inout WhyFacts) throws {
        let notification = facts.notification.row
        let mark = try prepare(SQL.mark).bind(notification).first { $0.optionalInt("mark") } ?? nil
        facts.isChoiceOfToday = mark == nil
        let head = try prepare(
            """
            SELECT n.category_id, CASE WHEN n.inbox IS NULL THEN 0 ELSE 1 END AS leaves_item, c.app_id, c.key,
                c.names, c.default_enabled AS enabled, c.default_push AS push, c.default_inbox AS inbox,
                c.is_push_required, c.is_inbox_required, c.created_at
            FROM notifications n LEFT JOIN categories c ON c.id = n.category_id WHERE n.id = ?
            """
        )
        .bind(notification)
        .first { row in (leavesItem: row.flag("leaves_item"), category: try Category(of: row)) }
        facts.leavesItem = head?.leavesItem ?? false
        facts.category = head?.category
        // With what a category's default was then: user 0 has those.
        if let category = head?.category, let defaults = try choice(of: 0, category: category.row.rawValue, mark) {
            facts.category?.defaults = defaults
        }
        guard let user else { return }
        facts.choice.master = try choice(of: user.rawValue, category: 0, mark) ?? ChannelChoice()
        guard let category = head?.category else { return }
        facts.choice.category =
            try choice(of: user.rawValue, category: category.row.rawValue, mark) ?? ChannelChoice()
    }

    /// A choice as it was at a mark, or is now; user 0 has the defaults.
    private func choice(of user: Int64, category: Int64, _ mark: Int64?) throws -> ChannelChoice? {
        let read = { (row: Row) in ChannelChoice(row, "enabled", "push", "inbox") }
        if let mark {
            let before = try prepare(SQL.choiceBefore).bind(user, category, mark).first(read)
            if let before { return before }
        }
        return try prepare(SQL.choice).bind(user, category).first(read)
    }

    private func addItem(of user: RowID<User>?, to facts: inout WhyFacts) throws {
        facts.item = try prepare(
            "SELECT kind, last_user, recalled_at, expires_at FROM inbox_items WHERE notification_id = ? ORDER BY id LIMIT 1"
        )
        .bind(facts.notification.row)
        .first { row in
            let isForAll = row.int("kind") == InboxItemKind.everyone.rawValue
            return WhyFacts.Item(
                isForUser: isForAll
                    ? row.optionalInt("last_user").map { last in user.map { $0.rawValue <= last } ?? false } : nil,
                recalledAt: row.optionalTime("recalled_at"),
                expiresAt: row.time("expires_at")
            )
        }
    }

    /// A person's devices, those that are gone too.
    func devices(of user: RowID<User>, _ app: RowID<App>) throws -> [PersonDevice] {
        try [false, true].flatMap { areGone in
            try prepare(SQL.devices(areGone: areGone)).bind(app, user, PageRequest.limit).all(PersonDevice.init)
        }
    }
}

extension Transaction {
    /// Remembers that a device is not a user's any more, so that what was recorded of it for them is found.
    func noteFormerDevice(_ endpoint: RowID<Endpoint>, of user: RowID<User>, in app: RowID<App>) throws {
        try prepare(SQL.noteFormerDevice).bind(user, endpoint, app, now).run()
    }

    /// The devices that were a person's before they were somebody else's, the newest.
    func formerDevices(of user: RowID<User>) throws -> [Int64] {
        try prepare(SQL.formerDevices).bind(user, PageRequest.limit).all { $0.int("endpoint_id") }
    }

    /// Forgets who had a device before, when there is no notification of that time.
    func purgeFormerDevices(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldFormerDevices).bind(before, limit)
            .all { (user: $0.int("user_id"), endpoint: $0.int("endpoint_id")) }
        for row in old { try prepare(SQL.deleteFormerDevice).bind(row.user, row.endpoint).run() }
        return old.count
    }
}

/// What is asked of a person's device.
struct PersonDevice {
    var row: RowID<Endpoint>
    var id: PublicID
    var platform: Platform
    var token: String
    var status: Endpoint.Status
    var statusAt: Timestamp
    var createdAt: Timestamp
    var registeredAt: Timestamp

    fileprivate init(_ row: Row) throws {
        self.row = row.row("id")
        id = try row.publicID("public_id")
        platform = try row.code("platform")
        token = row.text("token")
        let stored = Endpoint.Status(code: try row.code("status"), reason: row.text("status_reason"))
        status = stored == .enabled && !row.flag("has_push") ? .disabled(.switchedOff) : stored
        statusAt = row.time("status_at")
        createdAt = row.time("created_at")
        registeredAt = row.time("registered_at")
    }
}

extension Audience {
    /// Whether it names one of these devices.
    fileprivate func names(_ devices: [PersonDevice]) -> Bool {
        switch self {
        case .users, .all, .topic: return false
        case .endpoints(let ids):
            let own = Set(devices.map(\.id))
            return ids.contains(where: own.contains)
        case .tokens(let tokens, let platform):
            let own = Set(devices.filter { $0.platform == platform }.map(\.token))
            return tokens.contains(where: own.contains)
        }
    }
}

extension Category {
    /// What decides of a category, from the columns of a notification's; `nil` where it has none.
    fileprivate init?(of row: Row) throws {
        guard let id = row.optionalInt("category_id"), let key = row.optionalText("key") else { return nil }
        var required: Set<ChannelName> = []
        if row.flag("is_push_required") { required.insert(.push) }
        if row.flag("is_inbox_required") { required.insert(.inbox) }
        self.init(
            row: RowID(id),
            app: row.row("app_id"),
            key: key,
            names: try row.json("names"),
            defaults: ChannelChoice(row, "enabled", "push", "inbox"),
            required: required,
            createdAt: row.time("created_at")
        )
    }
}
