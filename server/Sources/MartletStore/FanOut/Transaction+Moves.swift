import MartletCore
import MartletWire

/// Endpoints that change their place in an audience while it is read: by user and by token, as it is, it would meet
/// them a second time or not at all. Those that it met already are left out of what follows, and at its end those that
/// moved are read once more.
extension Transaction {
    /// Remembers a move for the audiences that are being read.
    func noteMove(of endpoint: RowID<Endpoint>, in app: RowID<App>) throws {
        try prepare(SQL.noteMove).bind(app, endpoint).run()
    }

    /// The next of those that moved and that belong to the audience now.
    func moved(_ fanOut: FanOut, limit: Int) throws -> AudiencePage {
        if let hold = fanOut.hold {
            let people = Set(hold.people)
            return try moved(fanOut, limit: limit) { member, _ in people.contains(member.subject) }
        }
        guard case .users(let ids) = fanOut.notification.audience else {
            return try moved(fanOut, limit: limit) { _, _ in true }
        }
        let named = Set(ids)
        return try moved(fanOut, limit: limit) { _, user in user.map(named.contains) ?? false }
    }

    /// The next of those that moved and of which this is true: the endpoint with its user's row, and the user's id.
    func moved(
        _ fanOut: FanOut,
        limit: Int,
        belongs: (Member, String?) throws -> Bool
    ) throws -> AudiencePage {
        let found = try prepare(SQL.movedEndpoints)
            .bind(fanOut.notification.row, fanOut.cursor.minor, limit + 1)
            .all { (candidate: try Candidate($0), user: $0.optionalText("external_id")) }
        let page = found.prefix(limit)
        let candidates = try page.filter {
            try $0.candidate.status != .removed && belongs($0.candidate.member, $0.user)
        }
        let last = found.count > limit ? page.last?.candidate.member.endpoint.rawValue : nil
        return AudiencePage(
            candidates: candidates.map(\.candidate),
            next: last.map(FanOut.Cursor.movedAfter)
        )
    }

    /// The endpoints of a part that its notification has met before they moved. While people are held moves are not noted,
    /// so that of these each endpoint is looked at.
    func met(_ page: GatedPage, of fanOut: FanOut) throws -> Set<RowID<Endpoint>> {
        let notification = fanOut.notification.row
        if fanOut.hold != nil { return try met(page.endpoints, by: notification) }
        guard try hasMoves(notification) else { return [] }
        let isMoved = try prepare("SELECT 1 FROM moves WHERE notification_id = ? AND endpoint_id = ?")
        return try met(page.endpoints.filter { try isMoved.bind(notification, $0).exists() }, by: notification)
    }

    /// Those of some endpoints of which a notification has a result, a suppression, or a member of a batch.
    func met(
        _ endpoints: Set<RowID<Endpoint>>,
        by notification: RowID<Notification>
    ) throws -> Set<RowID<Endpoint>> {
        var met: Set<RowID<Endpoint>> = []
        let statement = try prepare("SELECT 1 FROM suppressions WHERE notification_id = ? AND key = ?")
        for endpoint in endpoints where try statement.bind(notification, endpoint).exists() { met.insert(endpoint) }
        met.formUnion(try settled(endpoints.map { Member(endpoint: $0, user: nil) }, of: notification))
        return met.union(try waiting(endpoints.subtracting(met), of: notification))
    }

    /// Those of some endpoints that stand in a batch of a notification.
    func waiting(
        _ endpoints: Set<RowID<Endpoint>>,
        of notification: RowID<Notification>
    ) throws -> Set<RowID<Endpoint>> {
        guard let first = endpoints.min(), let last = endpoints.max() else { return [] }
        var waiting: Set<RowID<Endpoint>> = []
        try prepare(
            "SELECT members FROM batches WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?"
        )
        .bind(notification, last, first)
        .forEach { row in
            // What cannot be read is quarantined and sent to nobody.
            guard let members = try? row.members("members") else { return }
            for member in members where endpoints.contains(member.endpoint) { waiting.insert(member.endpoint) }
        }
        return waiting
    }

    /// Forgets the moves when nothing of the audience, and of no hold that is due, is left to read.
    func forgetMoves(of notification: RowID<Notification>) throws {
        try prepare(
            """
            DELETE FROM moves WHERE notification_id = ?1
                AND NOT EXISTS (SELECT 1 FROM fan_outs f WHERE f.notification_id = ?1 AND f.state <> 0)
            """
        )
        .bind(notification)
        .run()
    }

    /// Whether endpoints moved while a notification's audience is read.
    func hasMoves(_ notification: RowID<Notification>) throws -> Bool {
        try prepare("SELECT 1 FROM moves WHERE notification_id = ? LIMIT 1").bind(notification).exists()
    }
}

extension GatedPage {
    /// The endpoints that are decided on.
    fileprivate var endpoints: Set<RowID<Endpoint>> {
        Set(batches.flatMap(\.members).map(\.endpoint)).union(suppressions.compactMap(\.endpoint))
    }
}
