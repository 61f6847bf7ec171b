public import MartletCore
import MartletWire

extension Store {
    /// To which devices a notification is sent again: those on which people missed it for such a reason, and where these are
    /// gone the people's others, as far as they are enabled now. Nobody's who has it on any device.
    ///
    /// - Parameters:
    ///   - limit: how many devices are found at most.
    ///   - most: how many lines of those who missed it are looked at; `nil` for all.
    /// - Throws: `Failure` with ``ErrorCode/queryTimedOut`` where too many have to be looked at.
    public func resendTargets(
        of notification: RowID<Notification>,
        for reasons: ResendReasons,
        limit: Int,
        among most: Int?
    ) async throws -> ResendTargets {
        try await readLong { transaction in
            var search = ResendSearch(
                transaction: transaction,
                notification: notification,
                reasons: reasons,
                limit: limit,
                most: most ?? .max
            )
            return try search.run()
        }
    }
}

/// One look for the devices that a notification is sent to again.
private struct ResendSearch {
    let transaction: Transaction
    let notification: RowID<Notification>
    let reasons: ResendReasons
    let limit: Int
    /// How many lines are looked at.
    let most: Int

    /// What was found and is not known to have it.
    private var candidates: [ResendCandidate] = []
    private var seen: Set<Int64> = []
    private var targets = ResendTargets()

    /// For how long it looks. Ours: the limit of a read that may look at many rows.
    private static let time = Duration.seconds(5)

    init(transaction: Transaction, notification: RowID<Notification>, reasons: ResendReasons, limit: Int, most: Int) {
        (self.transaction, self.notification) = (transaction, notification)
        (self.reasons, self.limit, self.most) = (reasons, limit, most)
    }

    mutating func run() throws -> ResendTargets {
        let head = try transaction.prepare("SELECT app_id, recalled_at FROM notifications WHERE id = ?").bind(
            notification
        )
        .first { (app: $0.row("app_id") as RowID<App>, isRecalled: !$0.isNull("recalled_at")) }
        guard let head else { throw Failure.notFound("notification") }
        targets.isRecalled = head.isRecalled
        try addMessages()
        let end = ContinuousClock.now + Self.time
        var (after, looked) = (Int64?.none, 0)
        repeat {
            let page = PageRequest(after: after, count: min(PageRequest.limit, most - looked))
            let lines = try transaction.missedLines(notification, nil, page)
            for line in lines.prefix(page.count) {
                try add(line, head.app)
                if candidates.count >= limit { try settle() }
                if targets.isOver { return targets }
            }
            looked += page.count
            after = lines.count > page.count ? lines[page.count - 1].key : nil
            targets.isPartial = after != nil && looked >= most
            guard after == nil || ContinuousClock.now < end else {
                throw Failure(
                    .queryTimedOut,
                    "It took longer than 5 seconds to find who missed the notification.",
                    hint: "Name fewer reasons at a time.",
                    field: "reasons"
                )
            }
        } while after != nil && !targets.isPartial
        try settle()
        return targets
    }

    private mutating func addMessages() throws {
        targets.messages = try Platform.allCases.compactMap { try transaction.message(notification, $0) }
        targets.inboxBadge = try transaction.prepare(SQL.inboxBadge).bind(notification)
            .first { try $0.code("inbox_badge") }
    }

    /// Adds the device of a line or, where it is gone or it is a person's line, the person's others.
    private mutating func add(_ line: ReportLine, _ app: RowID<App>) throws {
        let device = try line.endpoint.flatMap { endpoint in
            try transaction.prepare(SQL.resendDevice).bind(endpoint, app).first(ResendCandidate.init)
        }
        let isThere = device.map { $0.isEnabled && $0.user == line.user } ?? false
        let isGone = line.endpoint != nil && !isThere
        guard reasons.includes(line.state, reason: line.reason, isGone: isGone) else { return }
        if let device, isThere { return add([device]) }
        guard let user = line.user else { return }
        add(try transaction.prepare(SQL.resendDevices).bind(app, user, limit).all(ResendCandidate.init))
    }

    private mutating func add(_ found: [ResendCandidate]) {
        candidates += found.filter { seen.insert($0.row).inserted }
    }

    /// Moves those to the targets who have it on no device.
    private mutating func settle() throws {
        guard !candidates.isEmpty else { return }
        let users = Set(candidates.compactMap(\.user))
        var reached: Set<RowID<User>> = []
        try transaction.forEachAccepted(of: notification) { member in
            if let user = member.user, users.contains(user) { reached.insert(user) }
        }
        let rest = candidates.filter { candidate in candidate.user.map { !reached.contains($0) } ?? true }
        candidates = []
        let room = limit - targets.endpoints.count
        targets.endpoints += rest.prefix(room).map(\.id)
        targets.isOver = rest.count > room
    }
}

/// A device that a notification may be sent to again.
private struct ResendCandidate {
    var row: Int64
    var id: PublicID
    var user: RowID<User>?
    var isEnabled: Bool

    init(_ row: Row) throws {
        self.row = row.int("id")
        id = try row.publicID("public_id")
        user = row.optionalRow("user_id")
        isEnabled = try row.code("status", as: Candidate.Status.self) == .enabled
    }
}

/// What finds devices that are sent to again; a test reads the plans.
extension SQL {
    /// One device: its key, app.
    static let resendDevice = "SELECT id, public_id, user_id, status FROM endpoints WHERE id = ? AND app_id = ?"

    /// A person's devices that are enabled: app, user, limit.
    static let resendDevices = """
        SELECT id, public_id, user_id, status FROM endpoints /*+ endpoints_audience */
        WHERE app_id = ? AND user_id = ? AND status <> 2 AND status = 0 ORDER BY id LIMIT ?
        """

    /// What of the inbox fills the place for a badge: notification.
    static let inboxBadge =
        "SELECT inbox_badge FROM messages WHERE notification_id = ? AND inbox_badge IS NOT NULL ORDER BY platform LIMIT 1"
}
