import Foundation
package import MartletCore
import MartletWire

/// A transaction that is open, with the moment at which it reads and writes.
package struct Transaction {
    package let connection: any SQLConnection
    /// The present moment, read from the store's clock inside the transaction.
    package let now: Timestamp
    /// Where the keys of batches come from.
    package let keys: NotificationIDs
    /// Which rows of counts are this writer's: two that write one row would be in each other's way.
    package let slot: Int64
    /// What is counted by the minute; whoever commits writes it.
    package let counted: CountTally

    package init(
        connection: any SQLConnection,
        now: Timestamp,
        keys: NotificationIDs = NotificationIDs(),
        slot: Int64 = 0,
        counted: CountTally = CountTally()
    ) {
        self.connection = connection
        self.now = now
        self.keys = keys
        self.slot = slot
        self.counted = counted
    }

    /// A statement of this connection's cache; the text is the key, so it is the same for all values.
    package func prepare(_ sql: String) throws -> Statement { try connection.prepare(sql) }

    /// Rows of one app, or of all: `select` ends with a condition on the cursor, `column` names the app's.
    func all<Item>(
        _ select: String,
        of app: RowID<App>?,
        _ column: String,
        _ order: String,
        from cursor: Int64,
        _ page: PageRequest,
        _ make: (Row) throws -> Item
    ) throws -> [Item] {
        guard let app else { return try prepare("\(select) \(order)").bind(cursor, page.count + 1).all(make) }
        return try prepare("\(select) AND \(column) = ? \(order)").bind(cursor, app, page.count + 1).all(make)
    }

    /// An id for a row that is made now.
    func makeID() -> PublicID {
        var random = SystemRandomNumberGenerator()
        return PublicID(milliseconds: now.rawValue, using: &random)
    }
}

extension Page {
    /// A page of rows that were asked for with one more than the page holds.
    init(_ rows: [Item], _ request: PageRequest, key: (Item) -> Int64) {
        let items = Array(rows.prefix(request.count))
        self.init(items: items, next: rows.count > request.count ? items.last.map(key) : nil)
    }
}

/// A value as JSON text, for a column that only this program reads.
func encodedJSON(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
}
