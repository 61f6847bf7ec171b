import MartletCore

/// Accepted deliveries stand as one list of members a checkpoint, all others as rows: a row of each would cost ten times
/// as much.
extension Transaction {
    /// Writes what was accepted of a batch; says whether it was not there yet.
    func accept(_ members: [Member], of batch: Batch, attempts: Int) throws -> Bool {
        guard let first = members.map(\.endpoint).min(), let last = members.map(\.endpoint).max() else { return true }
        return try prepare(SQL.accept)
            .bind(
                batch.notification,
                first,
                last,
                batch.row,
                attempts,
                now,
                MemberList.encode(members)
            )
            .writeOne()
    }

    /// Those of some members whose deliveries have a result.
    func settled(_ members: [Member], of notification: RowID<Notification>) throws -> Set<RowID<Endpoint>> {
        guard let first = members.map(\.endpoint).min(), let last = members.map(\.endpoint).max() else { return [] }
        let asked = Set(members.map(\.endpoint))
        var settled = Set(
            try prepare(SQL.results).bind(notification, first, last).all { $0.row("endpoint_id") as RowID<Endpoint> }
        )
        try prepare(SQL.acceptedRange).bind(notification, last, first).forEach { row in
            for member in try row.members("members") { settled.insert(member.endpoint) }
        }
        return settled.intersection(asked)
    }

    /// Calls `body` with the members of every accepted delivery, one list after the other.
    func forEachAccepted(of notification: RowID<Notification>, _ body: (Member) throws -> Void) throws {
        try prepare("SELECT members FROM accepted WHERE notification_id = ?").bind(notification).forEach { row in
            for member in try row.members("members") { try body(member) }
        }
        try prepare("SELECT endpoint_id, user_id FROM deliveries WHERE notification_id = ? AND state = 1")
            .bind(notification)
            .forEach { try body(Member(endpoint: $0.row("endpoint_id"), user: $0.optionalRow("user_id"))) }
    }
}
