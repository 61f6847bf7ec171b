import MartletCore
import MartletWire

/// What people chose is read for many at once: a walk along the table where their keys lie close together, and otherwise so
/// many at a time as a statement holds.
extension Transaction {
    /// A part of a fan-out's audience with what its users chose.
    func adding(choicesFor fanOut: FanOut, to page: AudiencePage) throws -> AudiencePage {
        let notification = fanOut.notification
        return try adding(choicesFor: notification.category, asOf: fanOut.mark, of: notification.app, to: page)
    }

    /// A part of an audience with what its users chose as of a mark.
    func adding(
        choicesFor category: MartletCore.Category?,
        asOf mark: Int64,
        of app: RowID<App>,
        to page: AudiencePage
    ) throws -> AudiencePage {
        guard mark > 0 else { return page }
        var page = page
        let users = page.candidates.compactMap(\.member.user) + page.usersWithoutEndpoint
        page.choices = try choices(of: users, app, category?.row, asOf: mark)
        return page
    }

    /// What users chose over all and for a category, as of a mark: as it is now, with the later changes undone. Who chose
    /// nothing is left out.
    ///
    /// - Parameter mark: 0 where nobody of the app had ever chosen anything; nothing is read then.
    func choices(
        of users: some Sequence<RowID<User>>,
        _ app: RowID<App>,
        _ category: RowID<MartletCore.Category>?,
        asOf mark: Int64
    ) throws -> [RowID<User>: PersonChoice] {
        guard mark > 0 else { return [:] }
        let users = ascending(users)
        guard !users.isEmpty else { return [:] }
        var choices = try currentChoices(of: users, category)
        for (key, change) in try laterChanges(of: users, app, category, after: mark) {
            choices[key.user, default: PersonChoice()].set(change.before, key.isMaster)
        }
        return choices.filter { $0.value != PersonChoice() }
    }

    /// What those users chose, as it is now, who changed something over all or for a category after a mark; also who chose
    /// nothing any more.
    func changedChoices(
        of users: some Sequence<RowID<User>>,
        _ app: RowID<App>,
        _ category: RowID<MartletCore.Category>?,
        after mark: Int64
    ) throws -> [RowID<User>: PersonChoice] {
        let users = ascending(users)
        let changed = Set(try laterChanges(of: users, app, category, after: mark).keys.map(\.user)).sorted()
        guard !changed.isEmpty else { return [:] }
        let current = try currentChoices(of: changed, category)
        return changed.reduce(into: [:]) { $0[$1] = current[$1] ?? PersonChoice() }
    }

    /// Users each once and in their order, in which most parts of audiences have them already.
    private func ascending(_ users: some Sequence<RowID<User>>) -> [RowID<User>] {
        var found: [RowID<User>] = []
        var isOrdered = true
        for user in users where found.last != user {
            if let last = found.last, last > user { isOrdered = false }
            found.append(user)
        }
        return isOrdered ? found : Set(found).sorted()
    }

    /// What users chose, who stand in their order, by those who chose anything.
    private func currentChoices(
        of users: [RowID<User>],
        _ category: RowID<MartletCore.Category>?
    ) throws -> [RowID<User>: PersonChoice] {
        guard let first = users.first, let last = users.last else { return [:] }
        var choices: [RowID<User>: PersonChoice] = [:]
        func add(_ row: Row) {
            let user: RowID<User> = row.row("user_id")
            let choice = ChannelChoice(row, "enabled", "push", "inbox")
            choices[user, default: PersonChoice()].set(choice, row.int("category_id") == 0)
        }
        let category = category?.rawValue ?? 0
        if last.rawValue - first.rawValue < Int64(users.count * Self.closeness) {
            try prepare(SQL.choices).bind(first, last, category).forEach(add)
            return choices
        }
        try forEachRun(of: users, in: prepare(SQL.choicesRun).bind(category), from: 2, add)
        return choices
    }

    /// By user, and by whether it is the choice over all: what was chosen before the first change after a mark.
    private func laterChanges(
        of users: [RowID<User>],
        _ app: RowID<App>,
        _ category: RowID<MartletCore.Category>?,
        after mark: Int64
    ) throws -> [ChangedChoice: (id: Int64, before: ChannelChoice)] {
        let latest = try lastPreferenceChange(of: app)
        guard latest > mark, !users.isEmpty else { return [:] }
        var changes: [ChangedChoice: (id: Int64, before: ChannelChoice)] = [:]
        func add(_ row: Row) {
            let key = ChangedChoice(user: row.row("user_id"), isMaster: row.int("category_id") == 0)
            let id = row.int("id")
            if let known = changes[key], known.id < id { return }
            changes[key] = (id, ChannelChoice(row, "before_enabled", "before_push", "before_inbox"))
        }
        let category = category?.rawValue ?? 0
        // Numbers have no gaps but for those that are forgotten: so many rows there are at most.
        if latest - mark <= Int64(max(users.count, SQL.run)) {
            try prepare(SQL.laterChanges).bind(app, mark, category).forEach(add)
            let asked = Set(users)
            return changes.filter { asked.contains($0.key.user) }
        }
        try forEachRun(of: users, in: prepare(SQL.laterChangesRun).bind(mark, category), from: 3, add)
        return changes
    }

    /// Calls `body` with the rows of all users; a statement takes a run of them from a position on.
    private func forEachRun(
        of users: [RowID<User>],
        in statement: Statement,
        from position: Int32,
        _ body: (Row) throws -> Void
    ) throws {
        for start in stride(from: 0, to: users.count, by: SQL.run) {
            for offset in 0..<SQL.run {
                // The last one again, where there are no more.
                statement.set(position + Int32(offset), users[min(start + offset, users.count - 1)])
            }
            try statement.forEach(body)
        }
    }

    /// For how many users' keys on each asked one a walk is the shorter way. Ours: most have no row.
    private static let closeness = 4
}

/// One of a user's choices.
private struct ChangedChoice: Hashable {
    var user: RowID<User>
    var isMaster: Bool
}

extension PersonChoice {
    fileprivate mutating func set(_ choice: ChannelChoice, _ isMaster: Bool) {
        if isMaster { master = choice } else { category = choice }
    }
}
