import Foundation
import MartletCore
import MartletWire

extension Store {
    /// Lists notifications by their keys, the newest first.
    func list(_ filter: NotificationFilter, _ page: PageRequest) async throws -> Page<MartletCore.Notification> {
        if filter.search != nil || filter.user != nil { return try await look(filter, page) }
        let sql = SQL.notifications(filter)
        return try await readLong { transaction in
            let statement = try transaction.prepare(sql)
            statement.bind(filter, before: page.after ?? .max, limit: page.count + 1)
            let found = try statement.all { try Categorized($0) }
            return Page(try transaction.notifications(found), page) { $0.row.rawValue }
        }
    }

    /// Looks through notifications, the newest first, for as many as a page holds.
    private func look(
        _ filter: NotificationFilter,
        _ page: PageRequest
    ) async throws -> Page<MartletCore.Notification> {
        let sql = SQL.notificationTexts(filter)
        return try await readLong { transaction in
            let end = ContinuousClock.now + SQL.searchTime
            var person: PersonKey?
            if let user = filter.user {
                person = try filter.app.flatMap { try transaction.person(user, of: $0) }
                guard person != nil else { return Page(items: [], next: nil) }
            }
            let (window, part) = person == nil ? (SQL.searchWindow, SQL.searchPart) : (SQL.personWindow, SQL.personPart)
            let statement = try transaction.prepare(sql)
            var (position, looked, found) = (page.after ?? Int64.max, 0, [Int64]())
            while looked < window, found.count <= page.count, ContinuousClock.now < end {
                var (read, hits) = (0, [Int64]())
                try statement.bind(filter, before: position, limit: part).forEach { row in
                    read += 1
                    position = row.int("id")
                    if try filter.search?.matches(row) ?? true { hits.append(position) }
                }
                for hit in hits where found.count <= page.count {
                    if try person.map({ try transaction.hasLines(of: $0, RowID(hit)) }) ?? true { found.append(hit) }
                }
                looked += read
                guard read == part else { return try transaction.page(found, page, next: nil) }
            }
            return try transaction.page(found, page, next: position)
        }
    }
}

extension Transaction {
    /// A page of notifications by their keys; where it has all that were found, it goes on from `next`.
    fileprivate func page(
        _ keys: [Int64],
        _ page: PageRequest,
        next: Int64?
    ) throws -> Page<MartletCore.Notification> {
        let shown = keys.prefix(page.count)
        let items = try shown.compactMap { try notification(RowID<MartletCore.Notification>($0)) }
        return Page(items: items, next: keys.count > page.count ? shown.last : next)
    }
}

extension Transaction {
    /// A person as the tables of deliveries know them; `nil` where there is none.
    fileprivate func person(_ id: String, of app: RowID<App>) throws -> PersonKey? {
        guard let user = try user(id, of: app) else { return nil }
        let devices = try devices(of: user, app).map(\.row.rawValue)
        return PersonKey(user: user, devices: devices, former: try formerDevices(of: user))
    }

    /// Whether anything is recorded of a notification and a person, or waits for them.
    fileprivate func hasLines(of person: PersonKey, _ notification: RowID<MartletCore.Notification>) throws -> Bool {
        try !PersonLines(self, notification, person, isWhole: false, hasPending: true).byKey.isEmpty
    }
}

extension ContentSearch {
    /// Whether a notification's text contains it; most rows are not decoded.
    fileprivate func matches(_ row: Row) throws -> Bool {
        guard row.withBytes("content", mayMatch) else { return false }
        let text: StoredText = try row.json("content")
        return matches(title: text.title, body: text.body)
    }

    private struct StoredText: Decodable {
        var title: String?
        var body: String?
    }
}

extension Statement {
    /// Binds what a list of notifications is limited by.
    @discardableResult
    fileprivate func bind(_ filter: NotificationFilter, before: Int64, limit: Int) -> Statement {
        bind(before, limit, filter.firstKey)
        // Behind these, in the order of the conditions.
        let values: [(any SQLValue)?] = [
            filter.app.map { $0 as any SQLValue }, filter.dedupKey.map { $0 as any SQLValue },
            filter.category.map { $0 as any SQLValue },
        ]
        for (offset, value) in values.compactMap(\.self).enumerated() { set(Int32(4 + offset), value) }
        return self
    }
}

extension SQL {
    /// How many notifications a page looks through, how many at a time, and for how long. Ours: below the limit of a read
    /// that may look at many rows.
    fileprivate static let (searchWindow, searchPart, searchTime) = (100_000, 1_000, Duration.seconds(4))
    /// The same where of each it is read what is recorded of a person. As many as a page of their timeline looks at.
    fileprivate static let (personWindow, personPart) = (500, 50)

    /// Notifications: before, limit, first key, and what of app, dedup key and category is given.
    static func notifications(_ filter: NotificationFilter) -> String {
        let select = MartletCore.Notification.select.replacing("FROM notifications n", with: table(filter))
        return "\(select) WHERE \(condition(filter)) GROUP BY n.id ORDER BY n.id DESC LIMIT ?2"
    }

    /// Their texts: the same.
    static func notificationTexts(_ filter: NotificationFilter) -> String {
        "SELECT n.id, n.content \(table(filter)) WHERE \(condition(filter)) ORDER BY n.id DESC LIMIT ?2"
    }

    private static func condition(_ filter: NotificationFilter) -> String {
        var columns: [String] = []
        if filter.app != nil { columns.append("n.app_id") }
        if filter.dedupKey != nil { columns.append("n.dedup_key") }
        if filter.category != nil { columns.append("n.category_id") }
        let values = columns.enumerated().map { "\($1) = ?\($0 + 4)" }
        let state = filter.state.map(MartletCore.Notification.condition)
        return (["n.id < ?1 AND n.id >= ?3"] + values + [state].compactMap(\.self)).joined(separator: " AND ")
    }

    /// The table, by the index in which fewest rows have what is asked for.
    private static func table(_ filter: NotificationFilter) -> String {
        if filter.dedupKey != nil { return "FROM notifications n /*+ notifications_dedup */" }
        return filter.category == nil ? "FROM notifications n" : "FROM notifications n /*+ notifications_category */"
    }
}
