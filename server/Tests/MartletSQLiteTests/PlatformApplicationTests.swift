import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What the conformance suite does not see of platform applications.
@Suite struct PlatformApplicationTests {
    @Test("one of an app's two applications is emptied in parts that go on where the last one ended")
    func removal() async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let app = try await store.createApp(name: "one", identity: Identity())
        for environment in [Environment.sandbox, .production] {
            let summary = CredentialSummary(kind: .token, topic: "a", keyID: nil, teamID: nil, expiresAt: nil)
            let draft = StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
            let queue = DeliveryQueue(app: app.row, platform: .apns, environment: environment)
            _ = try await store.storeCredential(queue, draft)
        }
        for number in 1...25 {
            let registration = Registration(
                app: app.row,
                platform: .apns,
                token: String(repeating: "0", count: 62) + String(number + 9),
                environment: number.isMultiple(of: 5) ? .sandbox : .production,
                owner: .unchanged
            )
            _ = try await store.register(registration)
        }
        let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .sandbox)
        let sandbox = try #require(try await store.platformApplication(of: queue))
        var ends: [Int64?] = []
        var next: EndpointPart? = EndpointPart()
        while let part = next, ends.count < 20 {
            next = try await store.write { try $0.removeEndpoints(of: sandbox, part, limit: 10) }
            ends.append(next?.after)
        }
        // One look at 25, of which five are removed; another at the rest.
        #expect(ends == [10, 20, 25, 0, 12, 24, nil])
        let left = try await store.endpoints(app.row, user: nil, PageRequest()).items
        #expect(left.count == 20 && left.allSatisfy { $0.environment == .production })
        await store.close()
    }

    @Test("a part of an app's endpoints is found without a look at those before it")
    func plan() async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.read { transaction in
            try transaction.prepare("EXPLAIN QUERY PLAN " + SQLiteDialect.text(SQL.lastOfNextEndpoints)).all {
                $0.text("detail")
            }
        }
        #expect(plan.contains("SEARCH endpoints USING COVERING INDEX endpoints_app (app_id=? AND id>?)"), "\(plan)")
        await store.close()
    }
}
