import Foundation
import Testing

@testable import MartletSimulator

@Suite("Scripted behaviour over TLS and HTTP/2")
struct ScriptedLiveTests {
    @Test("the token that follows a scripted ExpiredProviderToken is never one too many")
    func expiredToken() async throws {
        try await withSimulator { configuration, _ in
            configuration.countsTokenUpdatesAcrossConnections = true
        } _: { live in
            #expect(try await live.push().short == "200")
            live.simulator.add(SimulatorRule(.refuse(.expiredProviderToken), times: 1))
            #expect(try await live.push().short == "403 ExpiredProviderToken")
            let token = try live.account.token(issuedAt: LiveSimulator.now - 600)
            #expect(try await live.push(changes: ["authorization": "bearer \(token)"]).short == "200")
        }
    }

    @Test("503 once, then 200")
    func onceThenGood() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.refuse(.serviceUnavailable), times: 1))
            let first = try await live.push()
            #expect(first.short == "503 ServiceUnavailable")
            #expect(UUID(uuidString: first.headers["apns-id"] ?? "") != nil)
            #expect(try await live.push().short == "200")
            #expect(live.simulator.rules.first?.fired == 1)
            #expect(live.simulator.receivedCounts.byStatus == ["503": 1, "200": 1])
        }
    }

    @Test("410 for one device, with its timestamp; another device is untouched")
    func unregistered() async throws {
        try await withSimulator { live in
            let since: Int64 = 1_700_000_000_123
            live.simulator.add(
                SimulatorRule(.refuse(.unregistered, timestamp: since), when: .init(token: Account.device))
            )
            let answer = try await live.push()
            #expect(answer.short == "410 Unregistered")
            #expect(answer.members?["timestamp"] == .integer(since))
            #expect(try await live.push(to: Account.otherDevice).short == "200")
        }
    }

    @Test("a 410 of the registry carries the device's timestamp")
    func unregisteredDevice() async throws {
        try await withSimulator { live in
            live.simulator.register(try SimulatorDevice(token: Account.device, state: .expired(since: 42)))
            let answer = try await live.push()
            #expect(answer.short == "410 ExpiredToken")
            #expect(answer.members?["timestamp"] == .integer(42))
        }
    }

    @Test("a reason of one's own, quoted as JSON")
    func anyReason() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.respond(status: 418, reason: #"A "new" one"#)))
            let answer = try await live.push()
            #expect(answer.status == 418)
            #expect(answer.reason == #"A "new" one"#)
        }
    }

    @Test("a delayed answer comes; a hung one does not")
    func delayAndHang() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.proceed, times: 1, delay: 20))
            live.simulator.add(SimulatorRule(.hang))
            let delayed = try await live.push()
            #expect(delayed.short == "200")
            async let hung = live.push()
            try await eventually { live.simulator.receivedCounts.total == 2 }
            await live.simulator.abortConnections()
            #expect(try await hung.exitCode != 0)
            #expect(try await hung.status == 0)
            #expect(live.simulator.received().map(\.outcome) == [.answered, .hung])
        }
    }

    @Test("a stream is reset with the code asked for, the connection goes on")
    func reset() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.reset(code: 0x2), times: 1))
            let log = try await live.burst(2)
            #expect(log.contains("error_code=INTERNAL_ERROR(0x02)"))
            #expect(live.simulator.received().map(\.outcome).contains(.reset))
            live.simulator.removeRules()
            #expect(try await live.push().short == "200")
        }
    }

    @Test("a connection is reset")
    func abort() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.abort, times: 1))
            let answer = try await live.push()
            #expect(answer.exitCode != 0)
            #expect(answer.status == 0)
            #expect(try await live.push().short == "200")
            #expect(live.simulator.received().map(\.outcome) == [.aborted, .answered])
        }
    }

    @Test("GOAWAY disowns the push that fired it and those after, and says why; those before are answered")
    func goAway() async throws {
        try await withSimulator { configuration, _ in
            configuration.streamsBeforeAuthentication = 100
        } _: { live in
            live.simulator.add(SimulatorRule(.goAway(reason: "Shutdown"), skip: 2, times: 1))
            let log = try await live.burst(6)
            #expect(log.contains("recv GOAWAY frame"))
            #expect(log.contains(#"{"reason":"Shutdown"}"#))
            let received = live.simulator.received()
            try #require(received.count >= 3)
            #expect(received.prefix(2).allSatisfy { $0.outcome == .answered })
            #expect(received.dropFirst(2).allSatisfy { $0.outcome == .unprocessed })
            #expect(log.contains("last_stream_id=\(received[1].stream)"))
            #expect(log.components(separatedBy: ":status: 200").count == 3)
        }
    }

    @Test("a connection has one stream until a push was let in, then a thousand")
    func oneStream() async throws {
        try await withSimulator { live in
            // The first push is still without an answer when the others of the burst arrive.
            live.simulator.add(SimulatorRule(.proceed, times: 1, delay: 1_000))
            let log = try await live.burst(3)
            let settings = log.split(separator: "\n").filter { $0.contains("SETTINGS_MAX_CONCURRENT_STREAMS") }
            let received = settings.filter { $0.contains(":1]") || $0.contains(":1000]") }
            #expect(received.count == 2)
            #expect(received.first?.contains(":1]") == true)
            #expect(received.last?.contains(":1000]") == true)
            // nghttp opens its streams before it has seen the settings, and two are turned away; or, when the settings
            // were quicker, it waits for the first answer by itself. Either way nothing comes in before that.
            let pushes = live.simulator.received()
            let refused = log.components(separatedBy: "error_code=REFUSED_STREAM(0x07)").count - 1
            #expect(refused + pushes.count == 3)
            let first = try #require(pushes.first)
            #expect(pushes.dropFirst().allSatisfy { $0.time >= first.time + 900 })
        }
    }

    @Test("a connection whose pushes are not let in keeps one stream")
    func keepsOneStream() async throws {
        try await withSimulator { configuration, _ in
            configuration.keys = []
        } _: { live in
            let log = try await live.burst(1)
            #expect(log.contains("[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]"))
            #expect(!log.contains("[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]"))
            #expect(live.simulator.receivedCounts.byReason == ["InvalidProviderToken": 1])
        }
    }

    @Test("MAX_CONCURRENT_STREAMS is changed by a rule, down to 0")
    func maxStreams() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.maxStreams(0), times: 1))
            let log = try await live.burst(1)
            #expect(log.contains("[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):0]"))
            #expect(!log.contains("[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]"))
            #expect(live.simulator.receivedCounts.byStatus == ["200": 1])
        }
    }

    @Test("a connection whose reading is paused is not read: the next push on it has no answer")
    func pausesReading() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.pauseReading(milliseconds: 600_000), times: 1))
            // The first push is answered; the second is written to the same connection and waits there.
            let second = "https://127.0.0.1:\(live.simulator.port)/3/device/\(Account.device)"
            let paused = try await live.push(unanswered: second)
            // The end of curl's own time; were the connection read, the simulator would answer within milliseconds.
            #expect(paused.exitCode == 28)
            #expect(live.simulator.received().first?.status == 200)
            #expect(try await live.push().short == "200", "other connections are read")
        }
    }

    @Test("a connection whose reading is paused is read again when the time is over, and not before")
    func resumesReading() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.pauseReading(milliseconds: 400), times: 1))
            let second = "https://127.0.0.1:\(live.simulator.port)/3/device/\(Account.otherDevice)"
            #expect(try await live.push(options: [second]).exitCode == 0)
            let received = live.simulator.received()
            try #require(received.map(\.status) == [200, 200])
            #expect(received[0].connection == received[1].connection)
            // The simulator's own times: the second push cannot have been read before the pause was over.
            #expect(received[1].time - received[0].time >= 390)
        }
    }

    @Test("a connection whose window is withheld takes what fits in it, and other connections take more")
    func withholdsWindow() async throws {
        try await withSimulator({ configuration, _ in configuration.connectionWindow = 65_535 }) { live in
            live.simulator.add(SimulatorRule(.withholdWindow, times: 1))
            let body = #"{"aps":{"alert":"\#(String(repeating: "x", count: 3_900))"}}"#
            let address = "https://127.0.0.1:\(live.simulator.port)/3/device/\(Account.device)"
            // Of 17 pushes on one connection 16 fit; the last one waits until curl's own time is over.
            let more = Array(repeating: address, count: 15)
            let pushes = try await live.push(body: body, options: ["--fail-early"] + more, unanswered: address)
            #expect(pushes.exitCode == 28)
            #expect(live.simulator.received().map(\.status) == Array(repeating: 200, count: 65_535 / body.utf8.count))
            #expect(try await live.push(body: body).short == "200", "other connections are read")
        }
    }

    @Test("connections are refused until told otherwise")
    func refusesConnections() async throws {
        try await withSimulator { live in
            await live.simulator.stopListening()
            // curl's exit code 7: failed to connect.
            #expect(try await live.push().exitCode == 7)
            try await live.simulator.resumeListening()
            #expect(try await live.push().short == "200")
        }
    }

    @Test("connections are refused after a push when a rule says so")
    func ruleStopsListening() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.stopListening(), times: 1))
            #expect(try await live.push().short == "200")
            try await eventually { await live.simulator.state().listeners.allSatisfy { !$0.isListening } }
            #expect(try await live.push().exitCode == 7)
        }
    }

    @Test("TLS handshakes fail until told otherwise")
    func failsTLS() async throws {
        try await withSimulator { live in
            await live.simulator.stopListening(.failTLS)
            // curl's exit code 35: TLS handshake failed.
            #expect(try await live.push().exitCode == 35)
            try await live.simulator.resumeListening()
            #expect(try await live.push().short == "200")
        }
    }

    @Test("GOAWAY and abort reach a connection with a push in flight")
    func commandsReachConnections() async throws {
        try await withSimulator { live in
            live.simulator.add(SimulatorRule(.hang))
            async let hung = live.push()
            try await eventually { live.simulator.receivedCounts.total == 1 }
            await live.simulator.setMaxConcurrentStreams(7)
            await live.simulator.goAway(reason: "Shutdown")
            let connection = try #require(await live.simulator.state().connections.first)
            #expect(connection.openStreams == 1)
            #expect(connection.maxStreams == 7)
            #expect(connection.isGoingAway)
            await live.simulator.abortConnections(connection.id)
            #expect(try await hung.exitCode != 0)
            try await eventually { await live.simulator.state().connections.isEmpty }
        }
    }
}
