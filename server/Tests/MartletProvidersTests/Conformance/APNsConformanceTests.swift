import Crypto
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletProviders

@Suite("The rules of every provider, with APNs", .timeLimit(.minutes(2)))
struct APNsConformanceTests {
    @Test("APNs", arguments: ProviderConformance.all)
    func apns(_ check: ProviderConformance.Check) async throws {
        var settings = APNsSettings()
        settings.connections = APNsFixture.connections
        settings.requestTimeout = TimeAmount(check.answerTimeout)
        settings.connectTimeout = TimeAmount(check.answerTimeout)
        settings.cancellationGrace = .milliseconds(100)
        try await LiveSetting.with(settings: settings) { simulator in
            simulator.maxConcurrentStreams = APNsFixture.streams
        } _: { live in
            try await check.run(APNsFixture(live: live))
        }
    }
}

/// A simulator that takes twenty pushes at a time.
struct APNsFixture: ProviderFixture {
    static let connections = 2
    static let streams = 10

    let live: LiveSetting

    var provider: any Provider { live.provider }
    var credential: OpenedCredential { get throws { try live.credential() } }
    var refusedCredential: OpenedCredential {
        get throws { try live.credential(app: 2, pem: P256.Signing.PrivateKey().pemRepresentation) }
    }
    var unreadableCredential: CredentialDraft {
        CredentialDraft(.apns(.signingKey(pem: "no key", keyID: "ABCD123456", teamID: "TEAM123456"), bundleID: "a.b"))
    }

    func token(_ number: Int) -> String { Stored.token(number) }
    var unstoredToken: (given: String, stored: String)? { ("AB01", "ab01") }
    var impossibleToken: String { "not-hexadecimal" }

    var capacity: Int { Self.connections * Self.streams }

    func script(_ token: String?, _ answer: SimulatorAnswer) {
        let action: SimulatorAction =
            switch answer {
            case .gone: .refuse(.unregistered)
            case .unavailable: .refuse(.serviceUnavailable)
            case .silence: .hang
            }
        live.simulator.add(SimulatorRule(action, when: .init(token: token)))
    }

    var received: [ReceivedByProvider] {
        live.simulator.received(limit: 10_000).map {
            ReceivedByProvider(token: $0.token ?? "", isTaken: $0.outcome == .answered && $0.status == 200)
        }
    }
}
