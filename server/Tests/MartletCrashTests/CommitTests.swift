import Foundation
import MartletCore
import MartletSQLite
import MartletSimulator
import MartletStore
import MartletTesting
import MartletWire
import Synchronization
import Testing

/// Answers of the database that do not come back: what was committed is committed, and nobody is told.
@Suite(.serialized, .timeLimit(.minutes(30))) struct CommitTests {
    @Test("with answers to COMMIT lost, and retries, every delivery is recorded, none is lost and none is pushed twice")
    func lostAnswers() async throws {
        let cluster = try PostgresCluster(isDurable: true)
        let database = try cluster.server.makeDatabase()
        // Of the first ones none, while devices are registered.
        let isOn = Atomic(false)
        let share = CrashScene.isLong ? 50 : 12
        let proxy = try CommitProxy(to: cluster.socketPath) { number in
            isOn.load(ordering: .relaxed) && number.isMultiple(of: share)
        }
        defer { proxy.stop() }
        let scene = try await CrashScene(
            deliveries: CrashScene.isLong ? 100_000 : 600,
            devicesOfUser: 1,
            database: cluster.address(of: database, through: proxy.port)
        )
        let server = try await scene.startServer()
        // The first is tried again, and answers take longer than there is between two checkpoints.
        try await scene.simulator.script(
            #"{"times": 1, "then": {"do": "respond", "reason": "ServiceUnavailable"}}"#
        )
        try await scene.simulator.script(#"{"delay": 400, "then": {"do": "proceed"}}"#)
        let id = try await scene.send(through: server)
        isOn.store(true, ordering: .relaxed)
        try await Eventually.is("the notification has ended", within: CrashScene.isLong ? 1_200 : 300) {
            let answer = try? await server.call("GET", "/notifications/\(id)")
            return answer?.objectValue?["status"]?.stringValue == "done"
        }
        isOn.store(false, ordering: .relaxed)
        #expect(proxy.cutCount > 0)
        let store = try await scene.openStore(.bootstrap)
        let reports = try await store.everyDelivery(of: id)
        #expect(reports.count == scene.deliveries)
        #expect(reports.allSatisfy { $0.state == .accepted })
        let counts = try #require(try await store.notification(id)).counts
        #expect(counts == DeliveryCounts(accepted: scene.deliveries))
        await store.close()
        let accepted = try await scene.received().filter { $0.status == 200 }
        #expect(accepted.count == scene.deliveries, "none came twice")
        #expect(Set(accepted.compactMap(\.token)).count == scene.deliveries, "everybody got it")
        print("MEASURED: \(proxy.cutCount) answers to COMMIT lost, lost 0, doubled 0")
        #expect(try await server.stop().status == 0)
    }
}
