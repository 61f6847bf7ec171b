import CryptoExtras
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletProviders

@Suite("The rules of every provider, with FCM", .timeLimit(.minutes(2)))
struct FCMConformanceTests {
    @Test("FCM", arguments: ProviderConformance.all)
    func fcm(_ check: ProviderConformance.Check) async throws {
        var settings = FCMSettings()
        settings.connections = FCMFixture.connections
        settings.requestTimeout = TimeAmount(check.answerTimeout)
        settings.connectTimeout = TimeAmount(check.answerTimeout)
        settings.cancellationGrace = .milliseconds(100)
        try await FCMSetting.with(settings: settings) { simulator in
            simulator.maxConcurrentStreams = FCMFixture.streams
        } _: { setting in
            try await check.run(FCMFixture(setting: setting))
        }
    }
}

/// A simulator that takes twenty pushes at a time.
struct FCMFixture: ProviderFixture {
    static let connections = 2
    static let streams = 10

    let setting: FCMSetting

    var provider: any Provider { setting.provider }
    var credential: OpenedCredential { get throws { try setting.credential() } }
    /// An account that Google does not know.
    var refusedCredential: OpenedCredential {
        get throws {
            let file = setting.simulator.makeAccount(project: "martlet-test")
            setting.simulator.revoke(file.clientEmail)
            return try setting.credential(app: 2, file.json)
        }
    }
    var unreadableCredential: CredentialDraft { CredentialDraft(.fcm(serviceAccount: "no JSON")) }

    func token(_ number: Int) -> String { FCMSetting.token(number) }
    var unstoredToken: (given: String, stored: String)? { nil }
    var impossibleToken: String { "no token" }

    var capacity: Int { Self.connections * Self.streams }

    func script(_ token: String?, _ answer: SimulatorAnswer) {
        let action: ServiceAction<FCMErrorCode> =
            switch answer {
            case .gone: .refuse(.unregistered)
            case .unavailable: .refuse(.unavailable)
            case .silence: ServiceAction(.hang)
            }
        setting.simulator.add(ServiceRule(action, when: FCMRuleCondition(token: token)))
    }

    var received: [ReceivedByProvider] {
        setting.simulator.received(limit: 10_000).filter { $0.path != "/token" }.map {
            ReceivedByProvider(token: $0.target ?? "", isTaken: $0.outcome == .answered && $0.status == 200)
        }
    }
}
