import Dispatch
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP
@testable import MartletSQLite
@testable import MartletStore

@Suite("What the metrics say of apps")
struct MetricsTests {
    static let queue = #"app="com.example.app",environment="production""#

    private func text(_ server: Harness) async throws -> String {
        // Beyond the age that the store's numbers may have.
        server.clock.advance(by: .seconds(5))
        return try await server.call(.get, "/metrics").text
    }

    @Test("what was counted has the app's present name, and goes with the app")
    func names() async throws {
        try await Harness.run { server in
            let queue = OutcomeTests.queue(server.app)
            let refused = Outcome.rejected(.init(reason: "Unregistered"))
            server.api.samples.delivery.count([.accepted, refused, refused], in: queue)
            let held = Suppression(endpoint: nil, user: nil, reason: .noCredential)
            server.api.samples.delivery.count([held], of: server.app.row)
            let first = try await text(server)
            let noCredential = #"martlet_suppressions_total{app="com.example.app",reason="no_credential"} 1"#
            #expect(first.contains(noCredential), "\(first)")
            // The first one is an increase then.
            let noEndpoint = #"martlet_suppressions_total{app="com.example.app",reason="no_endpoint"} 0"#
            #expect(first.contains(noEndpoint), "\(first)")
            #expect(!first.contains(#"reason="duplicate""#))
            let rejected = #"outcome="rejected",platform="apns",reason="Unregistered"} 2"#
            #expect(first.contains("martlet_attempts_total{\(Self.queue),\(rejected)"), "\(first)")
            let accepted = #"outcome="accepted",platform="apns",reason=""} 1"#
            #expect(first.contains("martlet_attempts_total{\(Self.queue),\(accepted)"), "\(first)")
            _ = try await server.store.updateApp(server.app.row, name: "another", identity: nil)
            let second = try await text(server)
            #expect(second.contains(#"martlet_attempts_total{app="another",environment="production",\#(rejected)"#))
            #expect(!second.contains(#"app="com.example.app""#), "\(second)")
            try await server.store.deleteApp(server.app.row)
            let third = try await text(server)
            #expect(!third.contains("{app="), "\(third)")
            #expect(third.contains("# TYPE martlet_attempts_total counter\n"))
        }
    }

    @Test("a queue that waits for an operator says why, with nothing waiting in it too, and no longer when it goes on")
    func pauses() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let (_, batch) = try await OutcomeTests.fanOut(server, to: ["a"])
            try await OutcomeTests.settle(server, try #require(batch)) { settlement in
                settlement.results = [
                    DeliveryResult(member: settlement.batch.members[0], state: .accepted, attempts: 1)
                ]
                settlement.pause = Pause(
                    queue: settlement.batch.queue,
                    reason: "InvalidProviderToken",
                    advice: "Store another key.",
                    since: server.clock.now()
                )
            }
            let line = #"martlet_queue_paused{\#(Self.queue),platform="apns",reason="InvalidProviderToken"} 1"#
            let paused = try await text(server)
            #expect(paused.contains(line), "\(paused)")
            _ = try await server.store.resume(OutcomeTests.queue(server.app))
            let resumed = try await text(server)
            #expect(!resumed.contains("martlet_queue_paused{"), "\(resumed)")
        }
    }

    @Test("what waits for its audience to be read, and since when, is told by app")
    func fanOuts() async throws {
        try await Harness.run { server in
            _ = try await OutcomeTests.device(server, "aa", of: "a")
            let request: JSONValue = ["audience": ["all": true], "title": "x"]
            _ = try await server.call(.post, "/api/v1/notifications", key: server.send, request)
            server.clock.advance(by: .seconds(60))
            let waiting = try await text(server)
            #expect(waiting.contains(#"martlet_notifications_waiting{app="com.example.app"} 1"#), "\(waiting)")
            let age = #"martlet_notifications_waiting_age_seconds{app="com.example.app"} 65"#
            #expect(waiting.contains(age), "\(waiting)")
            let fanOut = try #require(try await server.store.leaseFanOuts(limit: 1, lease: Lease(holder: 1)).first)
            let page = try await server.store.audience(of: fanOut, limit: 100)
            let gate = Gate(app: server.app.row, queues: [OutcomeTests.queue(server.app)])
            _ = try await server.store.commit(gate.decide(page), of: fanOut)
            let read = try await text(server)
            #expect(read.contains(#"martlet_notifications_waiting{app="com.example.app"} 0"#), "\(read)")
            let backlog = #"martlet_backlog_age_seconds{\#(Self.queue),platform="apns"} 70"#
            #expect(read.contains(backlog), "\(read)")
        }
    }

    @Test("a store that does not answer is told, and what is known without it is still there")
    func storeDown() async throws {
        try await Harness.run { server in
            server.api.samples.delivery.count([.accepted], in: OutcomeTests.queue(server.app))
            let before = try await text(server)
            #expect(before.contains("martlet_store_up 1"))
            #expect(before.contains("martlet_dead_letters{"))
            let store = server.store
            try await store.write { _ = try $0.prepare("ALTER TABLE dead_letters RENAME TO lost").run() }
            let after = try await text(server)
            #expect(after.contains("martlet_store_up 0"), "\(after)")
            #expect(after.contains("martlet_attempts_total{\(Self.queue)"), "\(after)")
            #expect(!after.contains("martlet_dead_letters"), "what is not known is not shown as it was")
        }
    }

    @Test("a store that says nothing is told before Prometheus gives up", .timeLimit(.minutes(1)))
    func silentStore() async throws {
        try await Harness.run { server in
            let store = server.store
            let gate = DispatchSemaphore(value: 0)
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            async let held: Void = store.read { _ in
                start.finish()
                gate.wait()
            }
            for await _ in starts {}
            let sleepCount = server.clock.sleepCount
            async let answer = server.call(.get, "/metrics")
            while server.clock.sleepCount == sleepCount { await Task.yield() }
            server.clock.advance(by: OperatorSamples.readLimit)
            let text = try await answer.text
            gate.signal()
            try await held
            #expect(text.contains("martlet_store_up 0"), "\(text)")
        }
    }
}
