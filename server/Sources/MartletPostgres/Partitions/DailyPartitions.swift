import Foundation
import MartletCore
import MartletStore

/// Makes and drops the partitions of the tables that grow with what is sent, over a connection that nothing else uses.
///
/// Each statement of DDL is a transaction of its own. It locks its table for everybody, so it waits for a lock only as long
/// as senders may wait behind it; what is in use stays for the next round.
struct DailyPartitions {
    /// A table, the column of the notification's key, and what else is said about storage.
    struct Table {
        var name: String
        var key = "notification_id"
        var options: String?
    }

    /// The notifications first: without them nothing finds the others.
    static let tables = [
        Table(name: "notifications", key: "id"), Table(name: "messages"),
        Table(name: "progress", options: "fillfactor = 70"), Table(name: "accepted"), Table(name: "deliveries"),
        Table(name: "suppressions"),
    ]

    /// Tables without partitions whose rows are of no use without their notification.
    static let plainTables = ["moves", "withdrawals", "holds", "topic_fan_outs", "quarantine", "cancellations"]

    let connection: PostgresConnection

    /// Makes what is missing from today to some days ahead.
    func create(at now: Timestamp) throws {
        let existing = try existing()
        for table in Self.tables {
            let plan = PartitionPlan(now: now, existing: existing[table.name] ?? [], bound: nil)
            for day in plan.created {
                guard try create(table, day) else { break }
            }
        }
    }

    /// Drops the days before a moment in which nothing is open.
    func drop(before bound: Timestamp, at now: Timestamp) throws {
        let days = try existing().values.reduce(into: Set()) { $0.formUnion($1) }
        for day in PartitionPlan(now: now, existing: days, bound: bound).dropped where try !isOpen(day) {
            try drop(day)
        }
    }

    /// The days that have a partition, by table.
    private func existing() throws -> [String: Set<UTCDay>] {
        var days: [String: Set<UTCDay>] = [:]
        try connection.prepare(
            """
            SELECT p.relname::text AS parent, c.relname::text AS name
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
            WHERE p.relkind = 'p' AND pg_table_is_visible(p.oid)
            """
        )
        .forEach { row in
            let parent = row.text("parent")
            guard let day = UTCDay(name: row.text("name").dropFirst(parent.count + 1)) else { return }
            days[parent, default: []].insert(day)
        }
        return days
    }

    /// Says whether further days may be tried. A day of which rows are in the default partition stays there.
    private func create(_ table: Table, _ day: UTCDay) throws -> Bool {
        guard try !hasRows(day, in: "\(table.name)_default", by: table.key) else { return true }
        let (from, to) = (day.keys.lowerBound, day.keys.upperBound)
        return try inTransaction {
            // Rows are frozen as soon as they are vacuumed, because they are not written again.
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS \(table.name)_\(day.name) PARTITION OF \(table.name)
                FOR VALUES FROM (\(from)) TO (\(to)) WITH (autovacuum_freeze_min_age = 0\(table.options.map { ", " + $0 } ?? ""))
                """
            )
        }
    }

    private func drop(_ day: UTCDay) throws {
        let isForgotten = try inTransaction {
            // Whoever opens something anew, such as a dead letter, reads the notification first: from here on there is
            // nobody left who has, and who comes later does not find it.
            try connection.execute("LOCK TABLE ONLY notifications IN ACCESS EXCLUSIVE MODE")
            guard try !isOpen(day) else { return }
            try connection.execute("DROP TABLE IF EXISTS notifications_\(day.name)")
        }
        // In the default partition they are deleted row by row, with what belongs to them.
        guard try isForgotten && !hasRows(day, in: "notifications", by: "id") else { return }
        for table in Self.plainTables {
            try connection.prepare("DELETE FROM \(table) WHERE notification_id >= ? AND notification_id < ?")
                .bind(day.keys.lowerBound, day.keys.upperBound).run()
        }
        for table in Self.tables.dropFirst() {
            _ = try inTransaction { try connection.execute("DROP TABLE IF EXISTS \(table.name)_\(day.name)") }
        }
    }

    /// Whether work is left for a notification of that day.
    private func isOpen(_ day: UTCDay) throws -> Bool {
        for table in ["fan_outs", "batches"] where try hasRows(day, in: table, by: "notification_id") { return true }
        return false
    }

    private func hasRows(_ day: UTCDay, in table: String, by key: String) throws -> Bool {
        try connection.prepare("SELECT 1 FROM \(table) WHERE \(key) >= ? AND \(key) < ? LIMIT 1")
            .bind(day.keys.lowerBound, day.keys.upperBound).exists()
    }

    /// Says whether the transaction was committed: tries again where it would have had to wait, and then gives up.
    private func inTransaction(_ body: () throws -> Void) throws -> Bool {
        for attempt in 1...3 {
            do {
                try connection.beginSchemaChange()
                try connection.runScript("SET LOCAL lock_timeout = 100; SET LOCAL statement_timeout = 1000")
                try body()
                try connection.commit()
                return true
            } catch {
                connection.rollBack()
                // Of a partition that another process drops at this moment PostgreSQL may find one half, and calls that an
                // internal error ("could not find tuple for parent of relation").
                guard let code = (error as? PostgresError)?.code,
                    Self.inTheWay.contains(code) || code == "XX000" && attempt < 3
                else { throw error }
                if attempt < 3 { usleep(.random(in: 10_000..<200_000)) }
            }
        }
        return false
    }

    /// The table is in use; another process makes or drops the same partition; or rows of the day came to the default
    /// partition in between.
    private static let inTheWay: Set = ["55P03", "57014", "40P01", "23505", "42P07", "42P17", "23514"]
}
