public import MartletCore

extension SQLiteStore {
    /// Reads an index of the webhook URLs, and the two tables that are small, and writes table by table.
    public func rewriteWebhookAddresses(
        _ rewrite: @escaping @Sendable (String) throws -> String
    ) async throws -> Int {
        var count = 0
        for table in [
            "subscriptions INDEXED BY subscriptions_address WHERE kind = 3 AND",
            "ended_subscriptions WHERE",
            "webhook_dead_letters WHERE",
        ] {
            count += try await write { try $0.rewriteAddresses(in: table, rewrite) }
        }
        return count
    }
}

extension Transaction {
    /// Rewrites the addresses of one table.
    ///
    /// - Parameter table: the table's name first, then what stands before the condition.
    fileprivate func rewriteAddresses(in table: String, _ rewrite: (String) throws -> String) throws -> Int {
        let known = try prepare(
            "SELECT id, address FROM \(table) address LIKE '%://%@%' AND instr(address, '#') = 0"
        )
        .all { (row: $0.int(0), address: $0.text(1)) }
        let name = table.prefix { $0 != " " }
        var count = 0
        for (row, address) in known {
            let rewritten = try rewrite(address)
            guard rewritten != address else { continue }
            try prepare("UPDATE \(name) SET address = ? WHERE id = ?").bind(rewritten, row).run()
            count += 1
        }
        return count
    }
}
