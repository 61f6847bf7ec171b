import Testing

@testable import MartletPostgres

@Suite struct DialectTests {
    @Test(
        "parameters are numbered, and what is quoted or a hint stays",
        arguments: [
            ("SELECT ?", "SELECT $1"), ("a = ? AND b = ?", "a = $1 AND b = $2"), ("?2, ?1, ?12", "$2, $1, $12"),
            ("'?' || ?", "'?' || $1"), ("\"a?\" = ?", "\"a?\" = $1"),
            ("b /*+ batches_queue */ WHERE c = ?", "b /*+ batches_queue */ WHERE c = $1"),
        ]
    )
    func parameters(_ sql: String, _ expected: String) {
        #expect(PostgresDialect.text(sql) == expected)
    }
}
