import MartletCore
import MartletTesting
import Testing

@testable import MartletPostgres
@testable import MartletStore

/// Statements whose answers nobody waits for.
@Suite struct StatementPipelineTests {
    private struct Refused: Error {}

    private static let insert = "INSERT INTO duties (name, holder, term, until) VALUES (?, 1, 1, 0)"

    private static func add(_ name: String, to transaction: Transaction) throws {
        try transaction.prepare(insert).bind(name).run()
    }

    private static func names(_ store: Store) async throws -> [String] {
        try await store.read { try $0.prepare("SELECT name FROM duties ORDER BY name").all { $0.text("name") } }
    }

    /// What a test does with an empty store.
    private static func withStore(_ body: (Store) async throws -> Void) async throws {
        try await Databases.with { address in
            let store = try await PostgresStore.open(address, clock: ManualClock())
            // What has run before is prepared, and is sent without waiting.
            try await store.write { try add("first", to: $0) }
            try await body(store)
            await store.close()
        }
    }

    @Test("what is wrong with one is thrown by the next that has an answer, or by the commit, and nothing is written")
    func late() async throws {
        try await Self.withStore { store in
            let counted = await #expect(throws: PostgresError.self) {
                try await store.write { transaction in
                    try Self.add("second", to: transaction)
                    try Self.add("second", to: transaction)
                    try Self.add("third", to: transaction)
                    _ = try transaction.prepare("SELECT 1 FROM duties").exists()
                    Issue.record("the answer to another statement hid it")
                }
            }
            #expect(counted?.code == "23505")
            let committed = await #expect(throws: PostgresError.self) {
                try await store.write { transaction in
                    try Self.add("first", to: transaction)
                }
            }
            #expect(committed?.code == "23505")
            let names = try await Self.names(store)
            #expect(names == ["first"])
        }
    }

    @Test("a write that fails with some under way takes its own back, and its neighbours are written")
    func neighbours() async throws {
        try await Self.withStore { store in
            let results = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let written: Void? = try? await store.write { transaction in
                            try Self.add("n\(number)", to: transaction)
                            // One in three has a statement that is wrong, and another throws by itself.
                            if number % 3 == 1 { try Self.add("first", to: transaction) }
                            if number % 3 == 2 { throw Refused() }
                        }
                        return written != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(results == 10)
            let names = try await Self.names(store)
            #expect(names == (stride(from: 0, to: 30, by: 3).map { "n\($0)" } + ["first"]).sorted())
        }
    }

    @Test("a write has more statements than a pipeline")
    func many() async throws {
        try await Self.withStore { store in
            try await store.write { transaction in
                for number in 0..<2_500 { try Self.add("n\(number)", to: transaction) }
            }
            #expect(try await Self.names(store).count == 2_501)
            let failure = await #expect(throws: PostgresError.self) {
                try await store.write { transaction in
                    for number in 2_400..<5_000 { try Self.add("n\(number)", to: transaction) }
                }
            }
            #expect(failure?.code == "23505")
            #expect(try await Self.names(store).count == 2_501)
        }
    }
}
