public import MartletCore
import MartletWire

extension Store {
    /// What came of a notification's deliveries.
    public func reports(
        _ selection: ReportSelection,
        of notification: RowID<Notification>,
        _ page: PageRequest
    ) async throws -> Page<DeliveryReport> {
        switch selection {
        case .deliveries: try await mergedLines(notification, page)
        case .suppressions: try await suppressedLines(notification, page)
        case .missed(let reason, let reachedOtherwise):
            try await missedLines(notification, reason, reachedOtherwise, page)
        }
    }

    /// Merges four sorted lists; holds one page of each and one list of members.
    private func mergedLines(_ notification: RowID<Notification>, _ page: PageRequest) async throws -> Page<
        DeliveryReport
    > {
        try await readLong { transaction in
            var lines: [Int64: ReportLine] = [:]
            // A result takes precedence over the two others, should an answer have come after its lease was lost.
            for line in try transaction.pendingLines(notification, page) { lines[line.key] = line }
            for line in try transaction.suppressedLines(notification, page, after: max(page.after ?? 0, 0)) {
                lines[line.key] = line
            }
            for line in try transaction.acceptedLines(notification, page) { lines[line.key] = line }
            for line in try transaction.resultLines(notification, page) { lines[line.key] = line }
            let sorted = lines.values.sorted { $0.key < $1.key }.prefix(page.count + 1)
            let lastPage = Page(Array(sorted), page) { $0.key }
            return Page(items: try transaction.reports(lastPage.items), next: lastPage.next)
        }
    }

    /// Lists suppressions by their keys.
    private func suppressedLines(_ notification: RowID<Notification>, _ page: PageRequest) async throws -> Page<
        DeliveryReport
    > {
        try await readLong { transaction in
            let lines = try transaction.suppressedLines(notification, page, after: page.after ?? .min)
            let found = Page(lines, page) { $0.key }
            return Page(items: try transaction.reports(found.items), next: found.next)
        }
    }
}

/// One line of a report before keys are replaced by ids.
struct ReportLine {
    /// The endpoint's key, or what stands in its place.
    var key: Int64
    var user: RowID<User>?
    var state: DeliveryState
    var reason: String?
    var heldBy: RowID<Notification>?
    var detail: Suppression.Detail?
    var attempts: Int
    var at: Timestamp?
    /// Whether the user has it on another device, where that was looked for.
    var isReachedOtherwise = false
    /// Where it is pending: what it waits for.
    var waiting: Waiting?

    var endpoint: RowID<Endpoint>? { key > 0 ? RowID(key) : nil }
}

extension ReportLine {
    /// A line from the columns of a result.
    init(result row: Row) throws {
        self.init(
            key: row.int("endpoint_id"),
            user: row.optionalRow("user_id"),
            state: DeliveryState(try row.code("state", as: DeliveryResult.State.self)),
            reason: row.optionalText("reason"),
            attempts: row.count("attempts"),
            at: row.time("settled_at")
        )
    }

    /// A line of all members of a list, whose key is still to be set.
    init(_ row: Row, _ state: DeliveryState) {
        self.init(key: 0, state: state, attempts: row.count("attempts"), at: row.optionalTime("at"))
        guard state == .pending else { return }
        waiting = try? Waiting(row, answeredAt: NotificationIDs.moment(of: row.int("id")))
    }

    /// The same of one of the members.
    func of(_ member: Member) -> ReportLine {
        var line = self
        (line.key, line.user) = (member.endpoint.rawValue, member.user)
        return line
    }

    /// A line from the columns of a suppression.
    init(suppressed row: Row) throws {
        self.init(
            key: row.int("key"),
            user: row.optionalRow("user_id"),
            state: .suppressed,
            reason: try row.code("reason", as: Suppression.Reason.self).rawValue,
            heldBy: row.optionalRow("held_by"),
            detail: row.optionalText("detail").flatMap(Suppression.Detail.init),
            attempts: 0,
            at: row.time("created_at")
        )
    }
}

extension Transaction {
    fileprivate func resultLines(_ notification: RowID<Notification>, _ page: PageRequest) throws -> [ReportLine] {
        try prepare(
            """
            SELECT endpoint_id, user_id, state, reason, attempts, settled_at FROM deliveries
            WHERE notification_id = ? AND endpoint_id > ? ORDER BY endpoint_id LIMIT ?
            """
        )
        .bind(notification, page.after ?? 0, page.count + 1)
        .all(ReportLine.init(result:))
    }

    fileprivate func suppressedLines(
        _ notification: RowID<Notification>,
        _ page: PageRequest,
        after: Int64
    ) throws -> [ReportLine] {
        try prepare(SQL.suppressions).bind(notification, after, page.count + 1).all(ReportLine.init(suppressed:))
    }

    fileprivate func pendingLines(_ notification: RowID<Notification>, _ page: PageRequest) throws -> [ReportLine] {
        try memberLines(
            """
            SELECT members, attempts, CASE WHEN state = 0 THEN wait_until ELSE NULL END AS at, first_endpoint, id AS part,
                \(Waiting.columns), id
            FROM batches
            """,
            order: "id",
            notification,
            page,
            state: .pending
        )
    }

    fileprivate func acceptedLines(_ notification: RowID<Notification>, _ page: PageRequest) throws -> [ReportLine] {
        try memberLines(
            "SELECT members, attempts, settled_at AS at, first_endpoint, first_endpoint AS part FROM accepted",
            order: "first_endpoint",
            notification,
            page,
            state: .accepted
        )
    }

    /// The first members after the page's beginning, from lists of members in the order of their first endpoints: only
    /// the ones that the page may hold are kept.
    ///
    /// - Parameter order: what tells lists apart that begin with the same endpoint.
    private func memberLines(
        _ select: String,
        order: String,
        _ notification: RowID<Notification>,
        _ page: PageRequest,
        state: DeliveryState
    ) throws -> [ReportLine] {
        let after = page.after ?? 0
        let needed = page.count + 1
        var lines: [ReportLine] = []
        var position = (first: Int64.min, part: Int64.min)
        let lists = try prepare(
            """
            \(select) WHERE notification_id = ? AND (first_endpoint, \(order)) > (?, ?) AND last_endpoint > ?
            ORDER BY first_endpoint, \(order) LIMIT \(Self.listsAtOnce)
            """
        )
        while true {
            var read = 0
            var isOver = false
            try lists.bind(notification, position.first, position.part, after).forEach { row in
                position = (row.int("first_endpoint"), row.int("part"))
                read += 1
                isOver = isOver || lines.count >= needed && lines.last.map { position.first > $0.key } ?? false
                // One that cannot be read is shown as quarantined; the rest of the report is none the worse for it.
                guard !isOver, let members = try? row.members("members") else { return }
                let line = ReportLine(row, state)
                for member in members where member.endpoint.rawValue > after { lines.append(line.of(member)) }
                lines.sort { $0.key < $1.key }
                lines.removeLast(max(lines.count - needed, 0))
            }
            guard !isOver, read == Self.listsAtOnce else { return lines }
        }
    }

    /// How many lists of members are read at once. Ours: a page has a thousand lines, which one or two full lists have.
    private static let listsAtOnce = 8

    /// One line with ids in place of keys.
    func report(_ line: ReportLine) throws -> DeliveryReport { try ReportNames(self, [line]).report(line) }

    /// Lines with ids in place of keys, which are read for all of them at once.
    func reports(_ lines: [ReportLine]) throws -> [DeliveryReport] { try lines.map(ReportNames(self, lines).report) }
}

extension Waiting {
    /// What ``init(_:answeredAt:)`` reads of a batch.
    static let columns = "app_id, platform, environment, state, last_reason"

    init(_ row: Row, answeredAt: Timestamp?) throws {
        let reason = row.optionalText("last_reason")
        let isQuarantined = try row.code("state", as: WorkState.self) == .quarantined
        self.init(
            queue: try DeliveryQueue(row),
            cause: isQuarantined ? .quarantine : reason.map { .attempt(after: $0, at: answeredAt) } ?? .turn
        )
    }
}

extension DeliveryState {
    init(_ state: DeliveryResult.State) {
        switch state {
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .dead: self = .dead
        }
    }
}

extension Row {
    /// The members of a batch.
    func members(_ column: StaticString) throws -> [Member] {
        guard let members = MemberList.decode(bytes(column)) else { throw Row.damage("a batch's members") }
        return members
    }
}
