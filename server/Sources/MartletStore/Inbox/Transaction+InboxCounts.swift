import MartletCore
import MartletWire

extension Transaction {
    /// How many items people have not read: few statements for many people. What is shared is counted once for all who
    /// never chose anything.
    func inboxCounts(of users: [RowID<User>], in app: RowID<App>) throws -> [RowID<User>: InboxCounts] {
        try inboxReading(of: users, in: app).mapValues(\.counts)
    }

    /// The counts with the person that the shared items were counted for.
    func inboxReading(
        of users: [RowID<User>],
        in app: RowID<App>
    ) throws -> [RowID<User>: (counts: InboxCounts, person: InboxPerson?, shared: SharedInbox?)] {
        guard !users.isEmpty else { return [:] }
        let sequences = try sequences(of: app)
        let states = try inboxStates(of: users)
        var unread: [RowID<User>: Int] = [:]
        var unseen: [RowID<User>: Int] = [:]
        // Who has no state never had an item of their own.
        let owners = users.filter { states[$0] != nil }
        try forEach(SQL.unreadOwn, owners, bind: { $0.bind(now) }) { unread[$0.row("user_id")] = $0.count("amount") }
        try forEach(SQL.unseenOwn, owners, bind: { $0.bind(now) }) { unseen[$0.row("user_id")] = $0.count("amount") }
        var shared: SharedInbox?
        var people: [RowID<User>: InboxPerson] = [:]
        if sequences.inboxItem > 0 {
            let items = try sharedItems(of: app)
            if !items.isEmpty {
                let inbox = try sharedInbox(items, of: app, sequences)
                people = try inboxPeople(users, states, of: app, for: inbox, sequences, isCounted: true)
                shared = inbox
            }
        }
        var readings = [RowID<User>: (counts: InboxCounts, person: InboxPerson?, shared: SharedInbox?)](
            minimumCapacity: users.count
        )
        for user in users {
            var counts = InboxCounts(
                unread: unread[user] ?? 0,
                unseen: unseen[user] ?? 0,
                revision: sequences.revision(own: states[user]?.revision ?? 0)
            )
            let person = people[user]
            if let shared, let person {
                let found = shared.counts(of: person)
                counts.unread += found.unread
                counts.unseen += found.unseen
            }
            readings[user] = (counts, person, shared)
        }
        return readings
    }

    /// A person's counts; those of nobody where there is no such person.
    func inboxCounts(of user: RowID<User>?, in app: RowID<App>) throws -> InboxCounts {
        guard let user else { return InboxCounts(revision: try sequences(of: app).revision()) }
        return try inboxCounts(of: [user], in: app)[user] ?? InboxCounts()
    }
}
