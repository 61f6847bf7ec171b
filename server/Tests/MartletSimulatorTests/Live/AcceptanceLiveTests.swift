import Crypto
import Foundation
import Testing

@testable import MartletSimulator

/// curl with a token signed by Python: parties that share no code with Martlet.
@Suite("curl against the simulated APNs")
struct AcceptanceLiveTests {
    @Test("a good push is accepted, with its id, and can be read back")
    func accepts() async throws {
        try await withSimulator { live in
            let id = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
            let answer = try await live.push(changes: ["apns-id": id, "apns-priority": "5"])
            #expect(answer.short == "200")
            #expect(answer.version == "2")
            #expect(answer.headers["apns-id"] == id)
            #expect(answer.headers["apns-unique-id"] == nil)
            #expect(answer.headers["date"]?.hasSuffix("GMT") == true)
            #expect(answer.body.isEmpty)
            let received = try #require(live.simulator.received().first)
            #expect(received.token == Account.device)
            #expect(received.payload?["aps"]?["alert"] == .string("Line 4 is late"))
            #expect(received.headers["apns-priority"] == "5")
            #expect(received.headers["authorization"] == "bearer (key ABC123DEFG)")
            #expect(received.status == 200)
            #expect(received.apnsID == id)
        }
    }

    @Test("a push without an id gets a UUID in lower case")
    func givesID() async throws {
        try await withSimulator { live in
            let id = try #require(try await live.push().headers["apns-id"])
            #expect(UUID(uuidString: id) != nil)
            #expect(id == id.lowercased())
            #expect(live.simulator.received().first?.apnsID == id)
        }
    }

    @Test("is refused with Apple's reason: headers, payload, device")
    func refusesRequests() async throws {
        try await withSimulator { configuration, _ in
            configuration.knownTokensOnly = true
            configuration.devices = [try SimulatorDevice(token: Account.device)]
        } _: { live in
            let tooLarge = #"{"aps":{},"x":""# + String(repeating: "x", count: 4_097 - 17) + #""}"#
            #expect(tooLarge.utf8.count == 4_097)
            #expect(try await live.push(body: tooLarge).short == "413 PayloadTooLarge")
            #expect(try await live.push(body: String(tooLarge.dropLast(3)) + #""}"#).short == "200")
            #expect(try await live.push(body: #"{"aps":"#).short == "400 PayloadEmpty")
            #expect(try await live.push(body: "[]").short == "400 PayloadEmpty")
            #expect(try await live.push(changes: ["apns-topic": "com.example.other"]).short == "400 TopicDisallowed")
            #expect(try await live.push(changes: ["apns-topic": nil]).short == "400 MissingTopic")
            #expect(try await live.push(changes: ["apns-priority": "11"]).short == "400 BadPriority")
            #expect(try await live.push(changes: ["apns-push-type": "background"]).short == "400 BadPriority")
            #expect(try await live.push(to: Account.otherDevice).short == "400 BadDeviceToken")
            #expect(try await live.push(path: "/3/device/").short == "400 MissingDeviceToken")
            #expect(try await live.push(path: "/").short == "404 BadPath")
            #expect(try await live.push(options: ["-X", "PUT"]).short == "405 MethodNotAllowed")
            let twice = try await live.push(options: ["-H", "apns-id: a", "-H", "apns-id: b"])
            #expect(twice.short == "400 DuplicateHeaders")
            let badID = try await live.push(changes: ["apns-id": "17"])
            #expect(badID.short == "400 BadMessageId")
            #expect(UUID(uuidString: badID.headers["apns-id"] ?? "") != nil)
            #expect(live.simulator.receivedCounts.byReason["PayloadEmpty"] == 2)
        }
    }

    @Test("is refused with Apple's reason: provider tokens")
    func refusesTokens() async throws {
        try await withSimulator { configuration, _ in
            configuration.countsTokenUpdatesAcrossConnections = true
        } _: { live in
            let account = live.account
            let otherFile = live.folder.appending(path: "other.p8")
            try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: otherFile)
            let now = LiveSimulator.now
            func answer(_ file: String, kid: String, iss: String, issuedAt: Int64) async throws -> String {
                let token = try await pythonToken(keyFile: file, kid: kid, iss: iss, issuedAt: issuedAt)
                return try await live.push(changes: ["authorization": "bearer \(token)"]).short
            }
            let (kid, team) = (account.keyID, account.teamID)
            #expect(
                try await answer(otherFile.path, kid: kid, iss: team, issuedAt: now) == "403 InvalidProviderToken"
            )
            #expect(
                try await answer(live.keyFile, kid: "WRONG12345", iss: team, issuedAt: now)
                    == "403 InvalidProviderToken"
            )
            #expect(
                try await answer(live.keyFile, kid: kid, iss: "WRONG12345", issuedAt: now)
                    == "403 InvalidProviderToken"
            )
            #expect(
                try await answer(live.keyFile, kid: kid, iss: team, issuedAt: now - 3_700)
                    == "403 ExpiredProviderToken"
            )
            #expect(try await live.push().short == "200")
            #expect(
                try await answer(live.keyFile, kid: kid, iss: team, issuedAt: now - 600)
                    == "429 TooManyProviderTokenUpdates"
            )
            #expect(try await live.push(changes: ["authorization": nil]).short == "403 MissingProviderToken")
        }
    }

    @Test("a key's tokens that were minted close together are good on connections of their own")
    func admitsTokensOfOtherConnections() async throws {
        try await withSimulator { live in
            for age: Int64 in [0, 1, 600] {
                let token = try live.account.token(issuedAt: LiveSimulator.now - age)
                #expect(try await live.push(changes: ["authorization": "bearer \(token)"]).short == "200")
            }
        }
    }

    @Test("a load is answered and counted to the last push; only the newest are kept, one signature was checked")
    func load() async throws {
        try await withSimulator { configuration, _ in
            // h2load opens all its streams before it has seen the settings.
            configuration.streamsBeforeAuthentication = 100
            configuration.receivedLimit = 500
            configuration.threads = 2
        } _: { live in
            let body = live.folder.appending(path: "load.json")
            try Data(#"{"aps":{"alert":"x"}}"#.utf8).write(to: body)
            let result = try await run([
                "h2load", "-n", "2000", "-c", "2", "-m", "100", "-d", body.path,
                "-H", "authorization: \(live.authorization)", "-H", "apns-topic: \(Account.topic)",
                "-H", "apns-push-type: alert",
                "https://127.0.0.1:\(live.simulator.port)/3/device/\(Account.device)",
            ])
            #expect(result.output.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"))
            let counts = live.simulator.receivedCounts
            #expect(counts.total == 2_000)
            #expect(counts.kept == 500)
            #expect(counts.byStatus == ["200": 2_000])
            #expect(live.simulator.received(limit: 10).first?.seq == 1_501)
            #expect(await live.simulator.state().signatureChecks == 1)
        }
    }

    @Test("the sandbox has its own port, gives unique ids and knows its own devices")
    func sandbox() async throws {
        try await withSimulator { configuration, _ in
            configuration.sandboxPort = 0
            configuration.devices = [
                try SimulatorDevice(token: Account.device, environment: .sandbox),
                try SimulatorDevice(token: Account.otherDevice, environment: .production),
            ]
        } _: { live in
            let sandbox = try #require(live.simulator.sandboxPort)
            #expect(try await live.push().short == "400 BadDeviceToken")
            let answer = try await live.push(port: sandbox)
            #expect(answer.short == "200")
            #expect(UUID(uuidString: answer.headers["apns-unique-id"] ?? "") != nil)
            #expect(try await live.push(to: Account.otherDevice, port: sandbox).short == "400 BadDeviceToken")
            #expect(try await live.push(to: Account.otherDevice).short == "200")
            #expect(live.simulator.received().map(\.environment) == [.production, .sandbox, .sandbox, .production])
        }
    }

    @Test("a provider token ages by the simulator's clock")
    func agesByClock() async throws {
        let account = Account()
        let start = LiveSimulator.now
        let clock = AdjustableClock(start)
        var configuration = APNsSimulatorConfiguration()
        configuration.keys = [try account.key()]
        configuration.apps = [try account.app()]
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        configuration.authorityPath = folder.appending(path: "ca.pem").path
        let simulator = try await APNsSimulator.start(configuration, clock: clock.clock)
        let live = LiveSimulator(
            simulator: simulator,
            account: account,
            folder: folder,
            authorization: "bearer \(try account.token(issuedAt: start))"
        )
        let before = try await live.push()
        clock.advance(3_601)
        let after = try await live.push()
        await simulator.shutdown()
        #expect(before.short == "200")
        #expect(after.short == "403 ExpiredProviderToken")
    }
}
