import MartletCore
import MartletWire

extension Transaction {
    /// Events by their keys, which grow with the time of receipt.
    func purgeEvents(before: Timestamp, limit: Int) throws -> Int {
        try prepare(SQL.purgeEvents).bind(limit, before).changes()
    }

    /// Keys that are needed no more.
    func purgeEventKeys(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldEventKeys).bind(before, limit).all {
            (app: $0.int("app_id"), key: $0.bytes("event_key"))
        }
        for row in old { try prepare(SQL.deleteEventKey).bind(row.app, row.key).run() }
        return old.count
    }

    /// Counts of messages that nothing was reported of for long.
    func purgeEventCounts(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldEventCounts).bind(before, limit).all {
            (app: $0.int("app_id"), message: $0.text("message_id"), type: $0.int("type"))
        }
        for row in old { try prepare(SQL.deleteEventCount).bind(row.app, row.message, row.type).run() }
        return old.count
    }

    /// Subjects whose events are gone, with what they are found by.
    func purgeEventSubjects(before: Timestamp, limit: Int) throws -> Int {
        try prepare(SQL.purgeEventSubjects).bind(before, limit).changes()
    }

    /// Deletes a part of the events of an app that is gone; says how many rows that were.
    func forgetEvents(of app: RowID<App>, limit: Int) throws -> Int {
        for statement in [SQL.forgetEvents, SQL.forgetEventKeys, SQL.forgetEventCounts] {
            let count = try prepare(statement).bind(app, limit).changes()
            guard count == 0 else { return count }
        }
        let identities = try prepare(SQL.identitiesOfApp).bind(app, limit).all {
            (kind: $0.int("kind"), bytes: $0.bytes("identity"))
        }
        for identity in identities {
            try prepare(SQL.deleteEventIdentity).bind(app, identity.kind, identity.bytes).run()
        }
        return identities.count
    }
}
