import Foundation
import MartletCore
import MartletSQLite
import MartletSimulator
import MartletStore
import MartletTesting
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
        try await surviveKills(try await CrashScene(devicesOfUser: devicesOfUser))
    }

    @Test("the same holds where the rows are in PostgreSQL, which the server reaches again")
    func survivesKillsOnPostgres() async throws {
        // One that writes to the disk, as a real one does.
        let cluster = try PostgresCluster(isDurable: true)
        try await surviveKills(try await CrashScene(devicesOfUser: 1, database: try cluster.server.makeDatabase()))
    }

    @Test(
        "of two servers on one PostgreSQL database one dies while both send: the other ends the work, knows a revoked key"
    )
    func survivesKillBesideAnother() async throws {
        let cluster = try PostgresCluster(isDurable: true)
        let scene = try await CrashScene(
            deliveries: CrashScene.isLong ? 100_000 : 12_000,
            devicesOfUser: 1,
            database: try cluster.server.makeDatabase()
        )
        let servers = [try await scene.startServer(), try await scene.startServer()]
        let key = try await MadeKey(through: servers[0])
        #expect(try await key.status(at: servers[1]) == 200)
        // Answers take a second, so that both have work.
        try await scene.simulator.script(#"{"delay": 1000, "then": {"do": "proceed"}}"#)
        let id = try await scene.send(through: servers[0])
        try await scene.simulator.untilReceived(scene.deliveries / 4)
        for server in servers {
            try await Eventually.is("both servers send", within: 30) { try await server.attempts() > 0 }
        }
        try await key.revoke(through: servers[0])
        let revoked = ContinuousClock.now
        servers[0].process.send(signal: SIGKILL)
        try await Eventually.is("the other server refuses the key", within: 2) {
            try await key.status(at: servers[1]) == 401
        }
        print("MEASURED: a key was refused by the other server \(ContinuousClock.now - revoked) after it was revoked")
        _ = try await servers[0].process.result(within: 30)
        let kills = [try await kill(scene, id)]
        try await scene.simulator.call("DELETE", "/rules")
        try await untilDone(scene, id)
        #expect(try await servers[1].stop().status == 0)
        try await audit(scene, id, kills)
    }

    private func surviveKills(_ scene: CrashScene) async throws {
        var server = try await scene.startServer()
        let id = try await scene.send(through: server)
        var kills: [Kill] = []
        // Between nothing and nearly everything, in ascending order.
        for moment in (0..<5).map({ _ in Int.random(in: 0..<scene.deliveries * 9 / 10) }).sorted() {
            try await scene.simulator.untilReceived(moment)
            server.process.send(signal: SIGKILL)
            _ = try await server.process.result(within: 30)
            try await scene.simulator.untilDisconnected()
            kills.append(try await kill(scene, id))
            server = try await scene.startServer()
        }
        try await untilDone(scene, id)
        #expect(try await server.stop().status == 0)
        try await audit(scene, id, kills)
    }

    @Test("SIGTERM while it sends records every answer that came, and ends it within ten seconds")
    func survivesTermination() async throws {
        let scene = try await CrashScene(deliveries: CrashScene.isLong ? 20_000 : 12_000, devicesOfUser: 1)
        let server = try await scene.startServer()
        // Answers wait for a second, so that there is time for the signal before everything is sent.
        try await scene.simulator.script(#"{"delay": 1000, "then": {"do": "proceed"}}"#)
        let id = try await scene.send(through: server)
        try await scene.simulator.untilReceived(scene.deliveries / 10)
        let began = ContinuousClock.now
        server.process.send(signal: SIGTERM)
        let result = try await server.process.result(within: 10)
        print("MEASURED: SIGTERM under load to exit: \(ContinuousClock.now - began)")
        #expect(result.status == 0)
        let arrived = try await scene.simulator.receivedCount()
        #expect(arrived < scene.deliveries, "it was still sending")
        let store = try await scene.openStore(.bootstrap)
        #expect(try await store.notification(id)?.counts.accepted == arrived)
        await store.close()

        try await scene.simulator.call("DELETE", "/rules")
        let next = try await scene.startServer()
        try await untilDone(scene, id)
        _ = try await next.stop()
        let pushes = try await scene.received()
        #expect(pushes.count == scene.deliveries, "nothing came twice")
        try await audit(scene, id, [])
    }

    private func kill(_ scene: CrashScene, _ id: PublicID) async throws -> Kill {
        let store = try await scene.openStore(.bootstrap)
        let recorded = try await store.everyDelivery(of: id).filter { $0.state == .accepted }.compactMap(\.endpoint)
        await store.close()
        return Kill(recorded: Set(recorded), lastSeq: try await scene.simulator.receivedCount())
    }

    private func untilDone(_ scene: CrashScene, _ id: PublicID) async throws {
        let store = try await scene.openStore(.bootstrap)
        try await Eventually.is("the notification has ended", within: 180) {
            try await store.notification(id)?.state == .done
        }
        await store.close()
    }

    /// Every delivery in exactly one state, none lost; a repeat only where no answer had been recorded, under one id.
    private func audit(_ scene: CrashScene, _ id: PublicID, _ kills: [Kill]) async throws {
        let store = try await scene.openStore(.bootstrap)
        let reports = try await store.everyDelivery(of: id)
        #expect(reports.count == scene.deliveries)
        #expect(Set(reports.compactMap(\.endpoint)).count == scene.deliveries)
        #expect(reports.allSatisfy { $0.state == .accepted }, "nobody is left out by a claim of their own notification")
        let counts = try #require(try await store.notification(id)).counts
        #expect(counts == DeliveryCounts(accepted: scene.deliveries))

        let accepted = try await scene.received().filter { $0.status == 200 }
        let ids = Dictionary(grouping: accepted) { $0.token ?? "" }.mapValues { Set($0.compactMap(\.apnsID)) }
        #expect(ids.count == scene.deliveries, "everybody got it")
        #expect(ids.values.allSatisfy { $0.count == 1 }, "and always under the same apns-id")
        let app = try #require(try await store.app(.name(CrashScene.app)))
        let endpoints = Dictionary(
            uniqueKeysWithValues: try await store.everyEndpoint(of: app.row).map { ($0.token, $0.id) }
        )
        await store.close()
        for kill in kills {
            let again = accepted.filter { $0.seq > kill.lastSeq }.compactMap { $0.token.flatMap { endpoints[$0] } }
            #expect(kill.recorded.isDisjoint(with: again), "what was recorded before a kill is not sent after it")
        }
        print("MEASURED: \(kills.count) kills, \(accepted.count - ids.count) of \(ids.count) deliveries repeated")
    }
}

/// An API key that one server makes and another one meets.
private struct MadeKey {
    let id: String
    let secret: String

    init(through server: ServerProcess) async throws {
        let made = try await server.call("POST", "/keys", #"{"scope": "admin", "name": "second"}"#)?.objectValue
        id = try #require(made?["id"]?.stringValue)
        secret = try #require(made?["key"]?.stringValue)
    }

    func revoke(through server: ServerProcess) async throws { try await server.call("DELETE", "/keys/\(id)") }

    /// What a server answers to whoever presents it.
    func status(at server: ServerProcess) async throws -> Int {
        try await LocalCall.send("GET", server.address + "/api/v1/apps", key: secret).status
    }
}

extension ServerProcess {
    /// How many attempts it has recorded itself.
    fileprivate func attempts() async throws -> Double {
        let text = String(decoding: try await LocalCall.send("GET", address + "/metrics").body, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("martlet_attempts_total{") }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
