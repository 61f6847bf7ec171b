import Foundation
import MartletCore
import MartletSQLite
import MartletSimulator
import MartletStore
import MartletTesting
import MartletWire
import Testing

/// Three servers on one database that is away for a while, or of which one stands still: nothing is pushed again after its
/// result was recorded.
@Suite(.serialized, .timeLimit(.minutes(60))) struct GapTests {
    /// What happens while they send.
    struct Gap: Sendable, CustomTestStringConvertible {
        enum Kind: String, Sendable { case refused, silent, frozen }

        var kind: Kind
        var seconds: Int

        var testDescription: String { "\(kind.rawValue) for \(seconds) s" }

        static let short = [Gap(kind: .silent, seconds: 12), Gap(kind: .frozen, seconds: 15)]
        static let long =
            [Gap(kind: .refused, seconds: 12), Gap(kind: .refused, seconds: 30), Gap(kind: .silent, seconds: 30)]
            + [Gap(kind: .frozen, seconds: 15), Gap(kind: .frozen, seconds: 60)]
    }

    @Test(
        "nothing is pushed again after its result was recorded where the database of three servers, or a server, is",
        arguments: CrashScene.isLong ? Gap.long : Gap.short
    )
    func survives(_ gap: Gap) async throws {
        let cluster = try PostgresCluster(isDurable: true)
        let scene = try await CrashScene(
            deliveries: CrashScene.isLong ? 100_000 : 12_000,
            devicesOfUser: 1,
            database: try cluster.server.makeDatabase()
        )
        var servers: [ServerProcess] = []
        for _ in 0..<3 { servers.append(try await scene.startServer()) }
        // Answers take a second, so that all have work when it happens, and a frozen one has streams to go on with.
        try await scene.simulator.script(#"{"delay": 1000, "then": {"do": "proceed"}}"#)
        let id = try await scene.send(through: servers[0])
        try await scene.simulator.untilReceived(scene.deliveries / 6)
        try await make(gap, servers, cluster)
        try await scene.simulator.call("DELETE", "/rules")
        let store = try await scene.openStore(.bootstrap)
        try await Eventually.is("the notification has ended", within: CrashScene.isLong ? 600 : 150) {
            try await store.notification(id)?.state == .done
        }
        let reports = try await store.everyDelivery(of: id)
        #expect(reports.count == scene.deliveries && reports.allSatisfy { $0.state == .accepted })
        let app = try #require(try await store.app(.name(CrashScene.app)))
        let tokens = Dictionary(
            uniqueKeysWithValues: try await store.everyEndpoint(of: app.row).map { ($0.id, $0.token) }
        )
        await store.close()
        var recorded: [String: Int64] = [:]
        for report in reports {
            guard let endpoint = report.endpoint, let token = tokens[endpoint], let at = report.at else { continue }
            recorded[token] = at.rawValue
        }
        let pushes = try await scene.received().filter { $0.status == 200 }
        #expect(Set(pushes.compactMap(\.token)).count == scene.deliveries, "everybody got it")
        let doubled = pushes.count { push in push.token.flatMap { recorded[$0] }.map { push.time > $0 } ?? true }
        #expect(doubled == 0)
        print("MEASURED: \(gap): lost 0, doubled \(doubled), repeats \(pushes.count - scene.deliveries)")
        for server in servers { #expect(try await server.stop().status == 0) }
    }

    private func make(_ gap: Gap, _ servers: [ServerProcess], _ cluster: PostgresCluster) async throws {
        let time = Duration.seconds(gap.seconds)
        switch gap.kind {
        case .frozen:
            servers[1].process.send(signal: SIGSTOP)
            try await Eventually.last(time)
            servers[1].process.send(signal: SIGCONT)
        case .silent:
            let all = try cluster.processes()
            for process in all { kill(process, SIGSTOP) }
            try await Eventually.last(time)
            for process in all { kill(process, SIGCONT) }
        case .refused:
            try cluster.refuseConnections(true)
            try await Eventually.last(time)
            try cluster.refuseConnections(false)
        }
    }
}
