public import MartletCore
public import MartletWire

extension SQLiteStore {
    /// Lists what is set aside by its rows, the newest first.
    public func setAside(_ app: RowID<App>?, _ page: PageRequest) async throws -> Page<SetAside> {
        try await readLong { transaction in
            let before = page.after ?? .max
            let select = "\(SetAside.select) WHERE \(SetAside.isCurrent) AND s.id < ?"
            let rest = "ORDER BY s.id DESC LIMIT ?"
            let rows =
                if let app {
                    try transaction.prepare("\(select) AND s.app_id = ? \(rest)").bind(before, app, page.count + 1)
                        .all(SetAside.init)
                } else {
                    try transaction.prepare("\(select) \(rest)").bind(before, page.count + 1).all(SetAside.init)
                }
            return Page(rows, page) { $0.row }
        }
    }

    /// Finds what is set aside by its id outside.
    public func setAside(_ id: PublicID) async throws -> SetAside? {
        try await read { try $0.setAside(id) }
    }

    /// Puts a batch back to its time, and a fan-out to now, as if they had never been tried.
    public func retrySetAside(_ id: PublicID) async throws -> SetAside {
        try await write { transaction in
            guard let found = try transaction.setAside(id) else { throw Failure.notFound("set-aside work") }
            try transaction.prepare(
                """
                UPDATE batches SET lease_count = 0, due_at = coalesce(not_before, 0)
                WHERE id = (SELECT batch_id FROM set_aside WHERE id = ?)
                """
            )
            .bind(found.row)
            .run()
            try transaction.prepare(
                """
                UPDATE notifications SET fan_out_lease_count = 0, fan_out_until = 0
                WHERE id = (SELECT notification_id FROM set_aside WHERE id = ? AND batch_id IS NULL)
                """
            )
            .bind(found.row)
            .run()
            try transaction.prepare("DELETE FROM set_aside WHERE id = ?").bind(found.row).run()
            return found
        }
    }
}

extension Transaction {
    fileprivate func setAside(_ id: PublicID) throws -> SetAside? {
        try prepare("\(SetAside.select) WHERE \(SetAside.isCurrent) AND s.public_id = ?").bind(id).first(SetAside.init)
    }
}

extension SetAside {
    /// Where the columns are.
    static let tables = """
        set_aside s JOIN notifications n ON n.id = s.notification_id LEFT JOIN batches b ON b.id = s.batch_id
        """

    /// A fan-out that was cancelled is over.
    static let isCurrent = "(s.batch_id IS NOT NULL OR n.is_fan_out_open = 1)"

    fileprivate static let select = """
        SELECT s.id, s.public_id, s.app_id, n.public_id, b.app_id, b.platform, b.environment,
            coalesce(b.member_count, 0), s.reason, s.tries, s.set_aside_at
        FROM \(tables)
        """

    fileprivate init(_ row: Columns) throws {
        self.init(
            row: row.int(0),
            id: try row.publicID(1),
            app: row.row(2),
            notification: try row.publicID(3),
            lane: row.isNull(4) ? nil : try Lane(row, from: 4),
            deliveries: row.count(7),
            reason: try row.code(8),
            tries: row.count(9),
            since: row.time(10)
        )
    }
}
