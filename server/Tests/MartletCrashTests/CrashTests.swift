import Foundation
import MartletCore
import MartletSQLite
import MartletSimulator
import MartletWire
import Testing

/// The server is killed while it sends, and started again.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CrashTests {
    /// What a kill left behind.
    private struct Kill {
        /// Endpoints whose delivery had a recorded answer.
        var recorded: Set<PublicID>
        /// The last push that had arrived.
        var lastSeq: Int
    }

    @Test(
        "after five SIGKILLs every delivery has one state, none is lost, and only what had no recorded answer came twice",
        arguments: [1, 2]
    )
    func survivesKills(devicesOfUser: Int) async throws {
        let scene = try await CrashScene(devicesOfUser: devicesOfUser)
        var server = try await scene.startServer()
        let id = try await scene.send(through: server, dedup: true)
        var kills: [Kill] = []
        // Between nothing and nearly everything, in ascending order.
        for moment in (0..<5).map({ _ in Int.random(in: 0..<CrashScene.deliveries * 9 / 10) }).sorted() {
            try await scene.untilReceived(moment)
            server.process.send(signal: SIGKILL)
            _ = try await server.process.result(within: 30)
            try await scene.untilDisconnected()
            kills.append(try await kill(scene, id))
            server = try await scene.startServer()
        }
        try await untilDone(scene, id)
        #expect(try await server.stop().status == 0)
        try await audit(scene, id, kills)
    }

    @Test("SIGTERM while it sends records every answer that came, and ends it within ten seconds")
    func survivesTermination() async throws {
        let scene = try await CrashScene(devicesOfUser: 1)
        let server = try await scene.startServer()
        let id = try await scene.send(through: server, dedup: true)
        try await scene.untilReceived(CrashScene.deliveries / 10)
        let began = ContinuousClock.now
        server.process.send(signal: SIGTERM)
        let result = try await server.process.result(within: 10)
        print("MEASURED: SIGTERM under load to exit: \(ContinuousClock.now - began)")
        #expect(result.status == 0)
        let arrived = try await scene.receivedCount()
        #expect(arrived < CrashScene.deliveries, "it was still sending")
        let store = try await scene.openStore(.bootstrap)
        #expect(try await store.notification(id)?.counts.accepted == arrived)
        await store.close()

        let next = try await scene.startServer()
        try await untilDone(scene, id)
        _ = try await next.stop()
        let pushes = try await scene.received()
        #expect(pushes.count == CrashScene.deliveries, "nothing came twice")
        try await audit(scene, id, [])
    }

    private func kill(_ scene: CrashScene, _ id: PublicID) async throws -> Kill {
        let store = try await scene.openStore(.bootstrap)
        let recorded = try await reports(of: id, in: store).filter { $0.state == .accepted }.compactMap(\.endpoint)
        await store.close()
        return Kill(recorded: Set(recorded), lastSeq: try await scene.received().last?.seq ?? 0)
    }

    private func reports(of id: PublicID, in store: any Store) async throws -> [DeliveryReport] {
        let row = try #require(try await store.notification(id)).row
        var all: [DeliveryReport] = []
        var after: Int64?
        repeat {
            let page = try await store.deliveries(row, PageRequest(after: after, count: PageRequest.limit))
            all += page.items
            after = page.next
        } while after != nil
        return all
    }

    private func untilDone(_ scene: CrashScene, _ id: PublicID) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        let store = try await scene.openStore(.bootstrap)
        while try await store.notification(id)?.state != .done {
            try #require(ContinuousClock.now < deadline, "the notification did not end")
        }
        await store.close()
    }

    /// Every delivery in exactly one state, none lost; a repeat only where no answer had been recorded, under one id.
    private func audit(_ scene: CrashScene, _ id: PublicID, _ kills: [Kill]) async throws {
        let store = try await scene.openStore(.bootstrap)
        let reports = try await reports(of: id, in: store)
        #expect(reports.count == CrashScene.deliveries)
        #expect(Set(reports.compactMap(\.endpoint)).count == CrashScene.deliveries)
        #expect(reports.allSatisfy { $0.state == .accepted }, "nobody is left out by a claim of their own notification")
        let counts = try #require(try await store.notification(id)).counts
        #expect(counts == DeliveryCounts(accepted: CrashScene.deliveries))

        let accepted = try await scene.received().filter { $0.status == 200 }
        let ids = Dictionary(grouping: accepted) { $0.token ?? "" }.mapValues { Set($0.compactMap(\.apnsID)) }
        #expect(ids.count == CrashScene.deliveries, "everybody got it")
        #expect(ids.values.allSatisfy { $0.count == 1 }, "and always under the same apns-id")
        let endpoints = try await endpointsByToken(store)
        await store.close()
        for kill in kills {
            let again = accepted.filter { $0.seq > kill.lastSeq }.compactMap { $0.token.flatMap { endpoints[$0] } }
            #expect(kill.recorded.isDisjoint(with: again), "what was recorded before a kill is not sent after it")
        }
        print("MEASURED: \(kills.count) kills, \(accepted.count - ids.count) of \(ids.count) deliveries repeated")
    }

    private func endpointsByToken(_ store: any Store) async throws -> [String: PublicID] {
        let app = try #require(try await store.app(.name(CrashScene.app)))
        var tokens: [String: PublicID] = [:]
        var after: Int64?
        repeat {
            let page = try await store.endpoints(
                app.row,
                user: nil,
                PageRequest(after: after, count: PageRequest.limit)
            )
            for endpoint in page.items { tokens[endpoint.token] = endpoint.id }
            after = page.next
        } while after != nil
        return tokens
    }
}
