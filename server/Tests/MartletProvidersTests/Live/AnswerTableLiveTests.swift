import MartletCore
import MartletSimulator
import MartletTesting
import Testing

@testable import MartletProviders

@Suite("Answers over TLS and HTTP/2")
struct AnswerTableLiveTests {
    @Test("a documented answer of a real server has its outcome", arguments: AnswerRow.documented)
    func documented(row: AnswerRow) async throws { try await expect(row) }

    @Test("an undocumented answer of a real server goes by its status", arguments: AnswerRow.undocumented)
    func undocumented(row: AnswerRow) async throws { try await expect(row) }

    /// The first push makes the connection and the token, which is half an hour old when the row is answered.
    private func expect(_ row: AnswerRow) async throws {
        try await LiveSetting.with { live in
            #expect(try await live.send(to: [Stored.token(0)]) == [0: .accepted])
            live.clock.advance(by: .seconds(1_800))
            live.simulator.add(
                SimulatorRule(
                    .respond(status: row.status, reason: row.reason, timestamp: row.timestamp),
                    when: .init(token: Stored.token(1)),
                    scope: .all
                )
            )

            let outcomes = try await live.send(to: [Stored.token(1)])

            let outcome = try #require(outcomes[0])
            #expect(row.matches(outcome), "\(outcome)")
            let received = live.simulator.received(token: Stored.token(1))
            #expect(received.count == 1, "it is not tried again by the provider")
        }
    }

    @Test("an expired token is replaced, and what follows goes over a new connection")
    func expiredToken() async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(0)])
            live.clock.advance(by: .seconds(1_800))
            live.simulator.add(
                SimulatorRule(.refuse(.expiredProviderToken), when: .init(token: Stored.token(1)), times: 1)
            )

            let refused = try await live.send(to: [Stored.token(1)])
            let again = try await live.send(to: [Stored.token(1)])

            #expect(refused == [0: .retry(.init(reason: "ExpiredProviderToken", kind: .connection, after: .zero))])
            #expect(again == [0: .accepted])
            let received = live.simulator.received(token: Stored.token(1))
            #expect(received.map(\.status) == [403, 200])
            #expect(received[0].connection != received[1].connection)
        }
    }

    @Test("many answers that ask for a new connection make one", arguments: [APNsReason.shutdown, .unrelatedKeyID])
    func oneNewConnection(reason: APNsReason) async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(0)])
            live.simulator.add(SimulatorRule(.refuse(reason), times: 200))

            let refused = try await live.send(to: (1...200).map(Stored.token))
            let again = try await live.send(to: (1...200).map(Stored.token))

            #expect(refused.count == 200)
            #expect(Set(refused.values).count == 1)
            #expect(again.values.allSatisfy { $0 == .accepted })
            let accepted = live.simulator.received(limit: 1_000).filter { $0.status == 200 }
            #expect(Set(accepted.map(\.connection)) == [1, 2])
        }
    }

    @Test("one refused device does not touch the others of its push")
    func mixedAnswers() async throws {
        try await LiveSetting.with { live in
            live.simulator.add(SimulatorRule(.refuse(.badDeviceToken), when: .init(token: Stored.token(3))))
            live.simulator.add(SimulatorRule(.refuse(.serviceUnavailable), when: .init(token: Stored.token(5))))

            let outcomes = try await live.send(to: (0..<8).map(Stored.token))

            #expect(outcomes.count == 8)
            #expect(outcomes[3] == .rejected(.init(reason: "BadDeviceToken", meaning: .badToken)))
            #expect(outcomes[5] == .retry(.init(reason: "ServiceUnavailable", kind: .provider)))
            #expect(outcomes.values.count { $0 == .accepted } == 6)
        }
    }
}
