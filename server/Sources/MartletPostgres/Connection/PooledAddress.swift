/// An address, and whether a pooler such as PgBouncer stands there that gives each transaction a session of its choice
/// (`pool_mode = transaction`). Then a session is told nothing at its beginning, and no statement is prepared in one.
struct PooledAddress: Sendable, Hashable {
    /// What libpq takes.
    var text: String
    var isPooled: Bool

    /// What libpq does not know.
    private static let parameter = "pooler=transaction"

    /// Takes the query's parameter `pooler=transaction` out.
    init(_ address: String) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var items = parts.count > 1 ? parts[1].split(separator: "&") : []
        isPooled = items.contains { $0 == Self.parameter }
        items.removeAll { $0 == Self.parameter }
        text = isPooled ? parts[0] + (items.isEmpty ? "" : "?" + items.joined(separator: "&")) : address
    }
}
