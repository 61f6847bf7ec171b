import Crypto
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix
import Testing

@testable import MartletProviders

@Suite("Sending to a simulated FCM", .timeLimit(.minutes(2)))
struct FCMLiveTests {
    @Test("tokens and installation ids are accepted, each once, with one access token")
    func accepted() async throws {
        try await FCMSetting.with { setting in
            let tokens = (0..<50).map(FCMSetting.token) + ["cVcCxZ1YTbmJ3bGVyJ3eXc"]
            let outcomes = try await setting.send(to: tokens)
            #expect(outcomes.count == 51)
            #expect(outcomes.values.allSatisfy { $0 == .accepted })
            #expect(setting.grants.count == 1)
            let sent = setting.simulator.received().filter { $0.path != "/token" }
            #expect(Set(sent.compactMap(\.target)) == Set(tokens))
            #expect(sent.allSatisfy { $0.protocol == "h2" })
        }
    }

    @Test(
        "each of FCM's answers ends in its outcome",
        arguments: [
            (.unregistered, "rejected UNREGISTERED"), (.invalidToken, "rejected INVALID_ARGUMENT"),
            (.senderIDMismatch, "rejected SENDER_ID_MISMATCH"), (.invalidArgument, "rejected INVALID_ARGUMENT"),
            (.tooBig, "rejected payload_too_large"), (.thirdPartyAuth, "rateLimited THIRD_PARTY_AUTH_ERROR"),
            (.deviceQuotaExceeded, "rateLimited QUOTA_EXCEEDED"), (.quotaExceeded, "rateLimited QUOTA_EXCEEDED"),
            (.unavailable, "provider UNAVAILABLE"), (.internal, "provider INTERNAL"),
            (.permissionDenied, "misconfigured PERMISSION_DENIED"), (.notFound, "misconfigured NOT_FOUND"),
            (.unauthenticated, "connection UNAUTHENTICATED"),
        ] as [(FCMErrorCode, String)]
    )
    func answers(code: FCMErrorCode, expected: String) async throws {
        try await FCMSetting.with { setting in
            let token = FCMSetting.token(1)
            setting.simulator.add(ServiceRule(.refuse(code), when: FCMRuleCondition(token: token)))
            let outcomes = try await setting.send(to: [token, FCMSetting.token(2)])
            #expect(outcomes[0].map(Self.word) == expected)
            #expect(outcomes[1] == .accepted)
        }
    }

    private static func word(_ outcome: Outcome) -> String {
        switch outcome {
        case .accepted: "accepted"
        case .rejected(let rejection): "rejected \(rejection.reason)"
        case .retry(let retry): "\(retry.kind) \(retry.reason)"
        case .reroute(let reason, _): "reroute \(reason)"
        case .misconfigured(let misconfiguration): "misconfigured \(misconfiguration.reason)"
        }
    }

    @Test("a thousand sends with an expired token ask for one new one")
    func expired() async throws {
        try await FCMSetting.with { setting in
            _ = try await setting.send(to: [FCMSetting.token(0)])
            setting.simulator.expireAccessTokens()
            let tokens = (1...1_000).map(FCMSetting.token)
            var left = tokens
            for _ in 0..<5 where !left.isEmpty {
                let outcomes = try await setting.send(to: left)
                #expect(outcomes.count == left.count)
                left = outcomes.filter { $0.value != .accepted }.map { left[$0.key] }
            }
            #expect(left.isEmpty)
            #expect(setting.grants.count == 2)
        }
    }

    @Test("a clock that is ten minutes off is corrected, and the diagnosis names it", arguments: [600, -600])
    func clock(skew: Int) async throws {
        try await FCMSetting.with { setting in
            setting.simulator.setClockSkew(seconds: skew)
            #expect(try await setting.send(to: [FCMSetting.token(1)]) == [0: .accepted])
            let findings = await setting.provider.diagnose(try setting.credential())
            let found = findings.first { $0.subject == "fcm/production clock" }
            #expect(found?.level != .ok)
            #expect(found?.message.contains(skew > 0 ? "behind Google's" : "ahead of Google's") == true)
        }
    }

    @Test("an account that is revoked pauses the queue, and the endpoint is not asked again at once")
    func revoked() async throws {
        try await FCMSetting.with { setting in
            let credential = try setting.credential()
            setting.simulator.revoke(credential.credential.summary.teamID ?? "")
            for _ in 0..<3 {
                let outcomes = try await setting.send(to: [FCMSetting.token(1)], with: credential)
                #expect(outcomes[0].map(Self.word) == "misconfigured invalid_grant")
            }
            #expect(setting.grants.count == 1)
            let findings = await setting.provider.diagnose(credential)
            #expect(findings.contains { $0.subject == "fcm/production token" && $0.level == .problem })
        }
    }

    @Test("a device of Apple whose key Firebase lacks is waited for, stops no other, and is named by the diagnosis")
    func thirdParty() async throws {
        try await FCMSetting.with { setting in
            let credential = try setting.credential()
            let phone = FCMSetting.token(1)
            setting.simulator.add(ServiceRule(.refuse(.thirdPartyAuth), when: FCMRuleCondition(token: phone)))
            let outcomes = try await setting.send(to: [phone], with: credential)
            let retry = Outcome.Retry(reason: "THIRD_PARTY_AUTH_ERROR", kind: .rateLimited, after: .seconds(600))
            #expect(outcomes == [0: .retry(retry)])
            #expect(try await setting.send(to: [FCMSetting.token(2)], with: credential) == [0: .accepted])
            let findings = await setting.provider.diagnose(credential)
            let found = findings.first { $0.subject == "fcm/production other services" }
            #expect(found?.level == .problem)
            #expect(found?.advice?.contains("upload the APNs key") == true)
        }
    }

    @Test(
        "a 401 about one device, whatever its code, leaves the access token to all others",
        arguments: [
            "UNSPECIFIED_ERROR", "APNS_AUTH_ERROR", "SOMETHING_NEW",
        ]
    )
    func refusedDevice(code: String) async throws {
        try await FCMSetting.with { setting in
            let credential = try setting.credential()
            let phone = FCMSetting.token(1)
            let body = """
                {"error": {"code": 401, "status": "UNAUTHENTICATED", "details": [
                    {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "\(code)"}]}}
                """
            setting.simulator.add(
                ServiceRule(.respond(401, body: body), when: FCMRuleCondition(token: phone), times: 1)
            )
            let outcomes = try await setting.send(to: [phone, FCMSetting.token(2)], with: credential)
            #expect(outcomes[0].map(Self.word)?.hasSuffix(code) == true, "\(outcomes)")
            #expect(outcomes[1] == .accepted)
            #expect(try await setting.send(to: [phone], with: credential) == [0: .accepted])
            #expect(setting.grants.count == 1)
        }
    }

    @Test("another process goes on with the access token that there is, which is kept sealed")
    func shared() async throws {
        try await FCMSetting.with { setting in
            let values = KeptValues()
            let store = ProviderTokenStore(values.agree, vault: Vault(key: SymmetricKey(size: .bits256)))
            for number in 0..<2 {
                let provider = FCMProvider(
                    group: MultiThreadedEventLoopGroup.singleton,
                    clock: setting.clock,
                    tokenStore: store,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                )
                var process = setting
                process.provider = provider
                let outcomes = try? await process.send(to: [FCMSetting.token(number)])
                await provider.shutdown()
                #expect(outcomes == [0: .accepted])
            }
            #expect(setting.grants.count == 1)
            let name = try #require(await values.names.first)
            let sealed = try #require(await values.sharedValue(name)).sealed
            let text = try #require(await store.token(String(name.trimmingPrefix("provider-token/")))).text
            #expect(!String(decoding: sealed, as: UTF8.self).contains(text.prefix(20)))
        }
    }

    @Test("a token endpoint in trouble is waited for")
    func endpointDown() async throws {
        try await FCMSetting.with { setting in
            setting.simulator.add(
                ServiceRule(.refuse(.temporarilyUnavailable), when: FCMRuleCondition(endpoint: .token), times: 1)
            )
            let outcomes = try await setting.send(to: [FCMSetting.token(1)])
            #expect(outcomes[0].map(Self.word) == "provider temporarily_unavailable")
            setting.clock.advance(by: .seconds(11))
            #expect(try await setting.send(to: [FCMSetting.token(1)]) == [0: .accepted])
        }
    }

    @Test("a diagnosis says that all is well, and sends nobody anything")
    func diagnosis() async throws {
        try await FCMSetting.with { setting in
            let findings = await setting.provider.diagnose(try setting.credential())
            #expect(findings.map(\.level) == [.ok, .ok, .ok, .ok, .ok])
            let sent = setting.simulator.received().filter { $0.path != "/token" }
            #expect(sent.count == 1)
            #expect(sent.first?.status == 400)
        }
    }

    @Test("the project's quota stops it for as long as FCM says")
    func quota() async throws {
        try await FCMSetting.with { setting in
            let rule = ServiceRule<FCMRuleCondition>(.refuse(.quotaExceeded, retryAfter: 30), times: 1)
            setting.simulator.add(rule)
            let first = try await setting.send(to: [FCMSetting.token(1)])
            guard case .retry(let retry)? = first[0] else {
                Issue.record("\(first)")
                return
            }
            #expect(retry.after == .seconds(30))
            let second = try await setting.send(to: [FCMSetting.token(2)])
            // It did not leave: no attempt, and due when the silence ends.
            guard case .reroute("QUOTA_EXCEEDED", let wait)? = second[0] else {
                Issue.record("\(second)")
                return
            }
            #expect(wait > .seconds(10) && wait <= .seconds(30))
            #expect(setting.simulator.received().filter { $0.path != "/token" }.count == 1)
        }
    }
}
