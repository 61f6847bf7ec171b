import Foundation
import MartletCore
import MartletWire

extension SQLStore {
    /// Lists notifications by their keys, the newest first.
    func list(_ filter: NotificationFilter, _ page: PageRequest) async throws -> Page<MartletCore.Notification> {
        if let search = filter.search { return try await self.search(search, filter, page) }
        let sql = SQL.notifications(filter)
        return try await readLong { transaction in
            let statement = try transaction.prepare(sql)
            statement.bind(filter, before: page.after ?? .max, limit: page.count + 1)
            let found = try statement.all { try Categorized($0) }
            return Page(try transaction.notifications(found), page) { $0.row.rawValue }
        }
    }

    /// Looks through texts, the newest first, for as many as a page holds.
    private func search(
        _ search: ContentSearch,
        _ filter: NotificationFilter,
        _ page: PageRequest
    ) async throws -> Page<MartletCore.Notification> {
        let sql = SQL.notificationTexts(filter)
        return try await readLong { transaction in
            let end = ContinuousClock.now + SQL.searchTime
            let statement = try transaction.prepare(sql)
            var (position, looked, found) = (page.after ?? Int64.max, 0, [Int64]())
            while looked < SQL.searchWindow, found.count <= page.count, ContinuousClock.now < end {
                var read = 0
                try statement.bind(filter, before: position, limit: SQL.searchPart).forEach { row in
                    read += 1
                    position = row.int("id")
                    if found.count <= page.count, try search.matches(row) { found.append(position) }
                }
                looked += read
                guard read == SQL.searchPart else { return try transaction.page(found, page, next: nil) }
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
        guard let app = filter.app else { return bind(before, limit, filter.firstKey) }
        return bind(before, limit, filter.firstKey, app)
    }
}

extension SQL {
    /// How many notifications a page looks through, how many at a time, and for how long. Ours: below the limit of a read
    /// that may look at many rows.
    fileprivate static let (searchWindow, searchPart, searchTime) = (100_000, 1_000, Duration.seconds(4))

    /// Notifications: before, limit, first key, app.
    static func notifications(_ filter: NotificationFilter) -> String {
        "\(MartletCore.Notification.select) WHERE \(condition(filter)) GROUP BY n.id ORDER BY n.id DESC LIMIT ?2"
    }

    /// Their texts: before, limit, first key, app.
    static func notificationTexts(_ filter: NotificationFilter) -> String {
        "SELECT n.id, n.content FROM notifications n WHERE \(condition(filter)) ORDER BY n.id DESC LIMIT ?2"
    }

    private static func condition(_ filter: NotificationFilter) -> String {
        let conditions = [
            "n.id < ?1 AND n.id >= ?3", filter.app.map { _ in "n.app_id = ?4" },
            filter.state.map(MartletCore.Notification.condition),
        ]
        return conditions.compactMap(\.self).joined(separator: " AND ")
    }
}
