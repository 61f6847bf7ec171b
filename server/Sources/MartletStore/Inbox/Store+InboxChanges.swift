public import MartletCore
public import MartletWire

extension Store {
    /// The counts of those people whose inbox changed since the revision that is known of them, with the ids of the
    /// newest items, what changed before the others: what an open stream is told.
    public func inboxChanges(since known: [InboxOwner: Int64]) async throws -> [InboxOwner: InboxChange] {
        let byApp = Dictionary(grouping: known.keys, by: \.app)
        return try await read { transaction in
            var changes: [InboxOwner: InboxChange] = [:]
            for (app, owners) in byApp {
                let known = Dictionary(owners.map { ($0.user, known[$0] ?? 0) }) { first, _ in first }
                for (user, change) in try transaction.inboxChanges(of: known, in: app) {
                    changes[InboxOwner(app: app, user: user)] = change
                }
            }
            return changes
        }
    }
}

extension Transaction {
    /// The most ids that a change names.
    private static let changedIDs = 20

    /// For how many people the ids of their own items are read. Ours: beyond that something was sent to many, and it is the
    /// shared item that is new.
    private static let fewPeople = 100

    /// What changed of an app's people since the revisions that are known of them.
    fileprivate func inboxChanges(of known: [String: Int64], in app: RowID<App>) throws -> [String: InboxChange] {
        let sequences = try sequences(of: app)
        var users: [RowID<User>: String] = [:]
        try forEach(SQL.inboxUsers, Array(known.keys), bind: { $0.bind(app) }) {
            users[$0.row("id")] = $0.text("external_id")
        }
        let states = try inboxStates(of: users.keys.sorted())
        let changed = users.filter { sequences.revision(own: states[$0.key]?.revision ?? 0) != known[$0.value] }
        var numbers: [RowID<User>: [Int64]] = [:]
        let readings = try inboxReading(of: changed.keys.sorted(), in: app)
        for (user, reading) in readings {
            let number = AppSequences.number(of: changed[user].flatMap { known[$0] } ?? 0)
            var found: [Int64] = []
            if let person = reading.person, let shared = reading.shared {
                found = shared.newest(of: person, above: number, limit: Self.changedIDs)
            }
            if readings.count <= Self.fewPeople {
                found += try prepare(SQL.newestOwn).bind(user, number, Self.changedIDs).all { $0.int("item_id") }
            }
            numbers[user] = Array(found.sorted(by: >).prefix(Self.changedIDs))
        }
        var ids: [Int64: PublicID] = [:]
        try forEach(SQL.itemIDs, Set(numbers.values.joined()).sorted(), bind: { $0.bind(app) }) {
            ids[$0.int("id")] = try $0.publicID("public_id")
        }
        var changes: [String: InboxChange] = [:]
        for (user, reading) in readings {
            guard let name = changed[user] else { continue }
            changes[name] = InboxChange(
                unread: reading.counts.unread,
                unseen: reading.counts.unseen,
                revision: reading.counts.revision,
                ids: (numbers[user] ?? []).compactMap { ids[$0] }
            )
        }
        // Who is not known has nothing, but may see something shared once they are.
        let strangers = Set(known.keys).subtracting(users.values)
        let latest = sequences.revision()
        for name in strangers where known[name] != latest {
            changes[name] = InboxChange(unread: 0, unseen: 0, revision: latest)
        }
        return changes
    }
}
