import MartletCore
import MartletSimulator
import MartletTesting
import MartletTransport
import NIOCore
import Testing

@testable import MartletProviders

@Suite("Faults of connections")
struct FaultLiveTests {
    @Test("GOAWAY in a burst repeats what was not processed, under the same ids")
    func goAway() async throws {
        try await LiveSetting.with { live in
            live.simulator.add(SimulatorRule(.goAway(reason: "Shutdown"), skip: 100, times: 1))

            let outcomes = try await live.send(to: (0..<300).map(Stored.token))

            #expect(outcomes.count == 300)
            #expect(outcomes.values.allSatisfy { $0 == .accepted })
            let received = live.simulator.received(limit: 2_000)
            let accepted = received.filter { $0.status == 200 }
            #expect(accepted.count == 300)
            for push in received where push.outcome == .unprocessed {
                let second = accepted.first { $0.token == push.token }
                #expect(second?.headers["apns-id"] == push.headers["apns-id"])
                #expect(second?.connection != push.connection)
            }
        }
    }

    @Test("a stream that is refused once is accepted, one that is refused for ever is to be rerouted")
    func refusedStream() async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(0)])
            live.simulator.add(SimulatorRule(.reset(code: 7), when: .init(token: Stored.token(1)), times: 1))
            live.simulator.add(SimulatorRule(.reset(code: 7), when: .init(token: Stored.token(2))))

            let outcomes = try await live.send(to: [Stored.token(1), Stored.token(2)])

            #expect(outcomes[0] == .accepted)
            guard case .reroute? = outcomes[1] else {
                Issue.record("\(outcomes)")
                return
            }
        }
    }

    @Test("a stream that is reset otherwise has an unknown outcome")
    func resetStream() async throws {
        try await LiveSetting.with { live in
            live.simulator.add(SimulatorRule(.reset(code: 2)))
            let outcomes = try await live.send(to: [Stored.token(1)])
            #expect(outcomes == [0: .retry(.init(reason: "StreamReset 2", kind: .connection))])
        }
    }

    @Test("a lost connection leaves the outcome unknown")
    func lostConnection() async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(0)])
            live.simulator.add(SimulatorRule(.abort, times: 1))
            guard case .retry(let retry)? = try await live.send(to: [Stored.token(1)])[0] else {
                Issue.record("not to be tried again")
                return
            }
            #expect(retry.kind == .connection)
            #expect(retry.after == nil)
            #expect(try await live.send(to: [Stored.token(1)]) == [0: .accepted])
        }
    }

    @Test("a push without an answer ends with its deadline, and the others have theirs")
    func noAnswer() async throws {
        var settings = APNsSettings()
        // The other one's answer has to come in this time as well.
        settings.requestTimeout = .seconds(4)
        try await LiveSetting.with(settings: settings) { live in
            _ = try await live.send(to: [Stored.token(0)])
            live.simulator.add(SimulatorRule(.hang, when: .init(token: Stored.token(1))))
            let outcomes = try await live.send(to: [Stored.token(1), Stored.token(2)])
            #expect(outcomes[0] == .retry(.init(reason: "NoAnswerInTime", kind: .connection)))
            #expect(outcomes[1] == .accepted)
        }
    }

    @Test("without a server all is to be tried again, with a pause")
    func noServer() async throws {
        var settings = APNsSettings()
        settings.connectTimeout = .milliseconds(300)
        try await LiveSetting.with(settings: settings) { live in
            await live.simulator.stopListening(.refuse)
            let outcomes = try await live.send(to: (0..<20).map(Stored.token))
            #expect(outcomes.count == 20)
            for outcome in outcomes.values {
                guard case .retry(let retry) = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
                #expect(retry.kind == .connection)
                #expect(retry.after == nil)
            }
        }
    }

    @Test("failures of the transport have their outcomes")
    func failures() {
        let cases: [(HTTP2Failure, Bool, Outcome)] = [
            (.unprocessed("REFUSED_STREAM"), true, .reroute(reason: "REFUSED_STREAM")),
            (.unprocessed("GOAWAY", isDisowned: true), false, .reroute(reason: "GOAWAY")),
            (.unprocessed("no route"), false, .retry(.init(reason: "no route", kind: .connection))),
            (.lost("closed"), true, .retry(.init(reason: "closed", kind: .connection))),
            (.deadline, true, .retry(.init(reason: "NoAnswerInTime", kind: .connection))),
            (.reset(code: 11), true, .retry(.init(reason: "StreamReset 11", kind: .connection))),
            (.limit("too long"), true, .retry(.init(reason: "too long", kind: .connection))),
        ]
        for (failure, hasConnection, outcome) in cases {
            #expect(MissingAnswer.outcome(of: failure, hasConnection: hasConnection) == outcome)
        }
    }
}
