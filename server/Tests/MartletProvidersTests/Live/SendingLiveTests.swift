import Crypto
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletProviders

@Suite("Sending over TLS and HTTP/2")
struct SendingLiveTests {
    @Test("what arrives is what was rendered: path, header fields, id and payload")
    func wire() async throws {
        try await LiveSetting.with { live in
            let submission = Rendering.submission(
                Content(title: "T", data: ["k": 1]),
                pushType: "alert",
                priority: .normal,
                dedup: Dedup(key: "alert-7"),
                expiry: .at(Timestamp(milliseconds: 4_000_000_000_000))
            )

            let outcomes = try await live.send(to: [Stored.token(7)], submission)

            #expect(outcomes == [0: .accepted])
            let push = try #require(live.simulator.received(token: Stored.token(7)).first)
            #expect(push.method == "POST")
            #expect(push.path == "/3/device/\(Stored.token(7))")
            #expect(push.headers["apns-topic"] == "com.example.app")
            #expect(push.headers["apns-push-type"] == "alert")
            #expect(push.headers["apns-priority"] == "5")
            #expect(push.headers["apns-expiration"] == "4000000000")
            #expect(push.headers["apns-collapse-id"] == "alert-7")
            #expect(push.headers["apns-id"] == "00000000-0000-7000-8000-000000000000")
            #expect(push.headers["topic-suffix"] == nil)
            let payload = try #require(push.payload)
            #expect("\(payload)".contains("alert"))
        }
    }

    @Test("each device gets its user's badge and its delivery's id; the others of the push are as they were")
    func holes() async throws {
        try await LiveSetting.with { live in
            var submission = Rendering.submission(Content(title: "T"))
            submission.badges = ["ann": 3]
            submission.hasDeliveryID = true
            let message = try Rendering.message(submission)
            var targets = Stored.targets(["none"] + (1..<200).map(Stored.token))
            for index in targets.indices where index % 2 == 0 { targets[index].badge = Int32(index) }

            let push = Push(credential: try live.credential(), message: message, targets: targets)
            let outcomes = await Outcomes.of(push, by: live.provider)

            #expect(outcomes.values.count { $0 == .accepted } == 199)
            for (index, target) in targets.enumerated().dropFirst() {
                let arrived = try #require(live.simulator.received(token: target.token).first)
                #expect(arrived.headers["apns-id"] == target.id.description)
                #expect(arrived.payload?["delivery_id"] == .string(target.id.description))
                let badge = arrived.payload?["aps"]?["badge"]
                #expect(badge == (index % 2 == 0 ? .integer(Int64(index)) : nil))
            }
        }
    }

    @Test("every push type that takes a key is accepted with its topic", arguments: PushTypeTests.rows)
    func pushTypes(row: PushTypeTests.Row) async throws {
        guard row.type != .mdm else { return }
        try await LiveSetting.with { live in
            let submission = Rendering.submission(row.content, pushType: row.type.rawValue)
            #expect(try await live.send(to: [Stored.token(1)], submission) == [0: .accepted])
            let push = try #require(live.simulator.received(token: Stored.token(1)).first)
            #expect(push.headers["apns-topic"] == "com.example.app" + row.suffix)
        }
    }

    @Test("a thousand devices over a new connection are all accepted, with one token and different ids")
    func thousand() async throws {
        try await LiveSetting.with { live in
            let outcomes = try await live.send(to: (0..<1_000).map(Stored.token))

            #expect(outcomes.count == 1_000)
            #expect(outcomes.values.allSatisfy { $0 == .accepted })
            let received = live.simulator.received(limit: 1_000)
            #expect(Set(received.compactMap { $0.headers["apns-id"] }).count == 1_000)
            #expect(received.count { $0.outcome == .answered } == 1_000)
        }
    }

    @Test("the wrong key is told from the right one")
    func wrongKey() async throws {
        try await LiveSetting.with { live in
            let wrong = try live.credential(app: 2, pem: P256.Signing.PrivateKey().pemRepresentation)
            let outcomes = try await live.send(to: [Stored.token(1)], with: wrong)
            guard case .misconfigured(let found)? = outcomes[0] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(found.reason == "InvalidProviderToken")
            #expect(found.advice.contains("ABCD123456") && found.advice.contains("TEAM123456"))
            #expect(try await live.send(to: [Stored.token(1)]) == [0: .accepted])
        }
    }

    @Test("a token is used for 45 minutes and then replaced without a refusal")
    func refresh() async throws {
        try await LiveSetting.with { live in
            for _ in 0..<8 {
                let outcomes = try await live.send(to: [Stored.token(1)])
                #expect(outcomes == [0: .accepted])
                live.clock.advance(by: .seconds(20 * 60))
            }
        }
    }

    @Test("too many token updates keep the token before in use")
    func tooManyUpdates() async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(1)])
            live.clock.advance(by: .seconds(51 * 60))
            live.simulator.add(SimulatorRule(.refuse(.tooManyProviderTokenUpdates), times: 1))

            let refused = try await live.send(to: [Stored.token(2)])
            let again = try await live.send(to: [Stored.token(2)])

            #expect(refused == [0: .retry(.init(reason: "TooManyProviderTokenUpdates", kind: .provider))])
            #expect(again == [0: .accepted])
        }
    }

    @Test("apps with the same key share connections; a replaced key closes them")
    func routes() async throws {
        try await LiveSetting.with { live in
            for app in 1...3 as ClosedRange<Int64> {
                _ = try await live.send(to: [Stored.token(1)], with: try live.credential(app: app))
            }
            #expect(live.provider.routes.count == 1)
            #expect(Set(live.simulator.received().map(\.connection)) == [1])

            let other = P256.Signing.PrivateKey().pemRepresentation
            for app in 1...3 as ClosedRange<Int64> {
                _ = try await live.send(to: [Stored.token(1)], with: try live.credential(app: app, pem: other))
            }
            #expect(live.provider.routes.count == 1)
        }
    }

    @Test("a certificate authenticates by TLS, and needs no token")
    func certificate() async throws {
        try await LiveSetting.with { live in
            let pair = try live.simulator.authority.pushCertificate(topics: ["com.example.app"])
            let credential = try Stored.credential(
                .pem(certificate: pair.certificatePEM, privateKey: pair.keyPEM),
                checkedBy: live.provider,
                url: "https://127.0.0.1:\(live.simulator.port)",
                trust: live.simulator.authorityPEM
            )

            let outcomes = try await live.send(to: (0..<50).map(Stored.token), with: credential)

            #expect(outcomes.values.count { $0 == .accepted } == 50)
            let push = try #require(live.simulator.received().first)
            #expect(push.headers["authorization"] == nil)
        }
    }

    @Test("what a credential cannot send is refused before it is sent")
    func preflight() async throws {
        try await LiveSetting.with { live in
            let pair = try live.simulator.authority.pushCertificate(topics: ["com.example.app"])
            let credential = try Stored.credential(
                .pem(certificate: pair.certificatePEM, privateKey: pair.keyPEM),
                checkedBy: live.provider,
                url: "https://127.0.0.1:\(live.simulator.port)",
                trust: live.simulator.authorityPEM
            )
            let location = Rendering.submission(Content(), pushType: "location")
            let refused = try await live.send(to: [Stored.token(1)], with: credential, location)
            #expect(refused == [0: .rejected(.init(reason: "PushTypeNeedsProviderToken"))])

            live.clock.advance(by: .seconds(400 * 86_400))
            guard case .misconfigured(let found)? = try await live.send(to: [Stored.token(1)], with: credential)[0]
            else {
                Issue.record("an expired certificate was used")
                return
            }
            #expect(found.reason == "CertificateExpired")
            #expect(live.simulator.received().isEmpty)
        }
    }

    @Test("a token that is none is refused without a request, and the others are sent")
    func badTokens() async throws {
        try await LiveSetting.with { live in
            let tokens = ["", Stored.token(1), "../../x", Stored.token(2), "gg"]
            let outcomes = try await live.send(to: tokens)
            let refused = Outcome.rejected(.init(reason: "BadDeviceToken", meaning: .badToken))
            #expect(outcomes == [0: refused, 1: .accepted, 2: refused, 3: .accepted, 4: refused])
            #expect(live.simulator.received().count == 2)
        }
    }

    @Test("a secret that is not of this version is a matter for the operator")
    func foreignSecret() async throws {
        try await LiveSetting.with { live in
            var credential = try live.credential()
            credential.secret = [1, 2, 3]
            guard case .misconfigured(let found)? = try await live.send(to: [Stored.token(1)], with: credential)[0]
            else {
                Issue.record("a broken secret was used")
                return
            }
            #expect(found.advice.contains("Store the credential again"))
        }
    }

    @Test("after shutdown nothing is sent, and everything is to be tried again")
    func shutdown() async throws {
        try await LiveSetting.with { live in
            _ = try await live.send(to: [Stored.token(1)])
            await live.provider.shutdown()
            let outcomes = try await live.send(to: [Stored.token(2)])
            #expect(outcomes == [0: .retry(.init(reason: "ShuttingDown", kind: .connection, after: .zero))])
        }
    }
}
