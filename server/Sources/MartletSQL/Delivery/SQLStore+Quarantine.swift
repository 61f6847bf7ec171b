public import MartletCore
public import MartletWire

extension SQLStore {
    /// Lists what is quarantined by its rows, the newest first.
    public func quarantined(_ app: RowID<App>?, _ page: PageRequest) async throws -> Page<QuarantinedWork> {
        try await readLong { transaction in
            let rows = try transaction.all(
                "\(QuarantinedWork.select) WHERE \(QuarantinedWork.isCurrent) AND s.id < ?",
                of: app,
                "s.app_id",
                "ORDER BY s.id DESC LIMIT ?",
                from: page.after ?? .max,
                page,
                QuarantinedWork.init
            )
            return Page(rows, page) { $0.row }
        }
    }

    /// Finds what is quarantined by its id outside.
    public func quarantined(_ id: PublicID) async throws -> QuarantinedWork? {
        try await read { try $0.quarantined(id) }
    }

    /// Puts a batch back to its time, and a fan-out to now, as if they had never been tried.
    public func retryQuarantined(_ id: PublicID) async throws -> QuarantinedWork {
        try await write { transaction in
            guard let found = try transaction.quarantined(id) else { throw Failure.notFound("quarantined work") }
            try transaction.prepare(
                """
                UPDATE batches SET lease_count = 0, due_at = coalesce(not_before, 0)
                WHERE id = (SELECT batch_id FROM quarantine WHERE id = ?)
                """
            )
            .bind(found.row)
            .run()
            try transaction.prepare(
                """
                UPDATE notifications SET fan_out_lease_count = 0, fan_out_until = 0
                WHERE id = (SELECT notification_id FROM quarantine WHERE id = ? AND batch_id IS NULL)
                """
            )
            .bind(found.row)
            .run()
            try transaction.prepare("DELETE FROM quarantine WHERE id = ?").bind(found.row).run()
            return found
        }
    }
}

extension Transaction {
    fileprivate func quarantined(_ id: PublicID) throws -> QuarantinedWork? {
        try prepare("\(QuarantinedWork.select) WHERE \(QuarantinedWork.isCurrent) AND s.public_id = ?").bind(id).first(
            QuarantinedWork.init
        )
    }
}

extension QuarantinedWork {
    /// Where the columns are.
    static let tables = """
        quarantine s JOIN notifications n ON n.id = s.notification_id LEFT JOIN batches b ON b.id = s.batch_id
        """

    /// A fan-out that was cancelled is over.
    static let isCurrent = "(s.batch_id IS NOT NULL OR n.is_fan_out_open = 1)"

    fileprivate static let select = """
        SELECT s.id, s.public_id, s.app_id, n.public_id AS notification_public_id, b.platform, b.environment,
            coalesce(b.member_count, 0) AS deliveries, s.reason, s.tries, s.quarantined_at
        FROM \(tables)
        """

    fileprivate init(_ row: Row) throws {
        self.init(
            row: row.int("id"),
            id: try row.publicID("public_id"),
            app: row.row("app_id"),
            notification: try row.publicID("notification_public_id"),
            // A batch is of the same app; a fan-out has no queue.
            queue: row.isNull("platform") ? nil : try DeliveryQueue(row),
            deliveries: row.count("deliveries"),
            reason: try row.code("reason"),
            tries: row.count("tries"),
            since: row.time("quarantined_at")
        )
    }
}
