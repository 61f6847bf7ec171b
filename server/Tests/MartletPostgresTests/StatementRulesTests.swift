import Testing

@Suite struct StatementRulesTests {
    @Test(
        "a text that only one engine understands is refused",
        arguments: [
            ("INSERT INTO a VALUES (?) ON CONFLICT DO NOTHING", "ON CONFLICT names no columns"),
            ("INSERT OR REPLACE INTO a VALUES (?)", "it uses OR replace"),
            ("SELECT sum(a) AS a FROM b", "sum() is not cast"),
            ("SELECT a FROM b LIMIT 1", "LIMIT has no ORDER BY"),
            ("SELECT a FROM b WHERE a IN (SELECT c FROM d LIMIT ?) ORDER BY a", "LIMIT has no ORDER BY"),
            ("SELECT iif(a, 1, 2) AS a FROM b", "it uses iif"), ("SELECT a FROM b INDEXED BY c", "it uses indexed"),
        ]
    )
    func refused(_ sql: String, _ reason: String) {
        #expect(StatementRules.violation(sql) == reason)
    }

    @Test(
        "what both understand passes",
        arguments: [
            "SELECT 1 FROM a WHERE b = ? LIMIT 1", "SELECT a FROM b /*+ indexed */ ORDER BY a LIMIT ?",
            "INSERT INTO a VALUES (?) ON CONFLICT (b) DO UPDATE SET c = excluded.c",
            "SELECT CAST(sum(a) AS bigint) AS a FROM b",
            "DELETE FROM a WHERE id IN (SELECT id FROM a WHERE b < ? ORDER BY b, id LIMIT ?)",
            "SELECT a FROM b WHERE c = 'now' ORDER BY (d) LIMIT 1",
        ]
    )
    func passes(_ sql: String) {
        #expect(StatementRules.violation(sql) == nil)
    }
}
