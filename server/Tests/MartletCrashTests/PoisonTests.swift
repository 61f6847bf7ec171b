import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import Testing

/// Work that the server dies of.
extension CrashTests {
    @Test("a push that the server dies of is quarantined after five tries, delays nobody, and is delivered on request")
    func setsPoisonAside() async throws {
        let scene = try await PoisonScene()
        var server = try await scene.prepareServer()
        try await scene.deliver(to: .bystander, through: server)
        try await scene.withholdAnswers(to: .poison)
        try await scene.withholdAnswers(to: .innocent, times: 1)
        let poison = try await scene.send(to: .poison, through: server)
        let innocent = try await scene.send(to: .innocent, through: server)
        try await scene.untilArrived(1, to: .innocent)
        var others = 1
        for crash in 1...LeaseAdmission.limit {
            if crash > LeaseAdmission.isolatedFrom { try await scene.deliver(to: .bystander, through: server) }
            try await scene.untilArrived(crash, to: .poison)
            let beside = try await scene.send(to: .bystander, through: server)
            others += crash > LeaseAdmission.isolatedFrom ? 2 : 1
            // Before that it may be the first push on its connection, which takes no other until that one is answered:
            // unless the innocent one came before it, whose answer is then recorded before the kill.
            let isInnocentAnswered = try await scene.pushes(to: .innocent).contains { $0.status == 200 }
            let isLater = crash == LeaseAdmission.isolatedFrom && !isInnocentAnswered
            if crash == LeaseAdmission.isolatedFrom && !isLater { try await scene.untilAccepted(innocent, at: server) }
            if !isLater { try await scene.untilAccepted(beside, at: server) }
            try await scene.kill(server)
            server = try await scene.startServer()
            if isLater { try await scene.untilAccepted(beside, at: server) }
        }
        try await Eventually.is("the push is quarantined", within: 60) {
            try await !scene.quarantined(at: server).isEmpty
        }
        let work = try await scene.quarantined(at: server)
        #expect(work.map(\.notificationID) == [poison])
        #expect(work.map(\.kind) == [.batch] && work.map(\.reason) == [.crashed])
        #expect(work.map(\.tries) == [LeaseAdmission.limit] && work.map(\.deliveries) == [1])
        try await scene.untilAccepted(innocent, at: server)

        // It stays where it is, also over a start.
        #expect(try await server.stop().status == 0)
        server = try await scene.startServer()
        try await scene.deliver(to: .bystander, through: server)
        #expect(try await scene.quarantined(at: server) == work)
        let tries = try await scene.pushes(to: .poison)
        #expect(tries.map(\.outcome) == Array(repeating: .hung, count: LeaseAdmission.limit))
        try await retry(work, at: server, in: scene)
        try await scene.untilAccepted(poison, at: server)
        #expect(try await server.stop().status == 0)

        let all = try await scene.pushes(to: .poison)
        #expect(all.count == LeaseAdmission.limit + 1 && all.last?.status == 200, "it is delivered once")
        #expect(Set(all.map { $0.headers["apns-id"] }).count == 1, "and always under the same apns-id")
        let cleared = try await scene.pushes(to: .innocent)
        #expect(cleared.map(\.outcome) == [.hung, .answered])
        let rest = try await scene.pushes(to: .bystander)
        #expect(rest.count == others + 1 && rest.allSatisfy { $0.status == 200 }, "nothing else came twice")
    }

    /// Has an operator put it back, which can be done once.
    private func retry(_ work: [QuarantineItem], at server: ServerProcess, in scene: PoisonScene) async throws {
        try await scene.simulator.call("DELETE", "/rules")
        let id = try #require(work.first?.id.description)
        #expect(try await server.run("quarantine", "retry", id).status == 0)
        #expect(try await scene.quarantined(at: server).isEmpty)
        let again = try await server.run("quarantine", "retry", id)
        #expect(again.status != 0 && again.standardError.contains("quarantined work"), "\(again.standardError)")
    }
}
