import Crypto
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Diagnosis")
struct DiagnosisLiveTests {
    @Test("a good credential is found good with one request to a token that no device has")
    func good() async throws {
        try await LiveSetting.with { configuration in
            configuration.knownTokensOnly = true
        } _: { live in
            let findings = await live.provider.diagnose(try live.credential())
            #expect(findings.allSatisfy { $0.level == .ok })
            #expect(
                findings.map(\.subject).prefix(3) == [
                    "apns/production credential", "apns/production connection", "apns/production authentication",
                ]
            )
            let received = live.simulator.received()
            #expect(received.map(\.reason) == ["BadDeviceToken"])
            #expect(received.map(\.token) == [String(repeating: "0", count: 64)])
        }
    }

    @Test("a wrong key is a problem of authentication, with advice")
    func wrongKey() async throws {
        try await LiveSetting.with { live in
            let wrong = try live.credential(pem: P256.Signing.PrivateKey().pemRepresentation)
            let findings = await live.provider.diagnose(wrong)
            let problem = try #require(findings.first { $0.level == .problem })
            #expect(problem.subject == "apns/production authentication")
            #expect(problem.message.contains("InvalidProviderToken"))
            #expect(problem.advice?.contains("ABCD123456") == true)
        }
    }

    @Test("a 404 without APNs's words is a problem of the address, and not of the credential")
    func foreign() async throws {
        try await LiveSetting.with { live in
            live.simulator.add(SimulatorRule(.respond(status: 404, reason: nil), scope: .all))
            let findings = await live.provider.diagnose(try live.credential())
            let problem = try #require(findings.first { $0.level == .problem })
            #expect(problem.message.contains("HTTP 404"))
            #expect(problem.advice?.contains("url") == true)
        }
    }

    @Test("a server that is not there is a problem of the connection")
    func noServer() async throws {
        try await LiveSetting.with { live in
            await live.simulator.stopListening(.refuse)
            let findings = await live.provider.diagnose(try live.credential())
            let problem = try #require(findings.first { $0.level == .problem })
            #expect(problem.subject == "apns/production connection")
            #expect(problem.message.contains("connect"))
            #expect(problem.advice != nil)
        }
    }

    @Test("a server whose certificate is not trusted is a problem of TLS")
    func untrusted() async throws {
        try await LiveSetting.with { live in
            var credential = try live.credential()
            credential.credential.trust = try SimulatorAuthority().certificatePEM
            let findings = await live.provider.diagnose(credential)
            let problem = try #require(findings.first { $0.level == .problem })
            #expect(problem.message.contains("tls"))
            #expect(problem.advice?.contains("trust") == true)
        }
    }

    @Test("a certificate for the other environment, and one that ends soon, are found")
    func certificates() async throws {
        try await LiveSetting.with { live in
            let pair = try live.simulator.authority.pushCertificate(topics: ["com.example.app"], environment: .sandbox)
            let credential = try Stored.credential(
                .pem(certificate: pair.certificatePEM, privateKey: pair.keyPEM),
                checkedBy: live.provider,
                url: "https://localhost:\(live.simulator.port)",
                trust: live.simulator.authorityPEM
            )
            let other = await live.provider.diagnose(credential)
            #expect(other.first?.level == .problem)
            #expect(other.first?.message.contains("production") == true)

            live.clock.advance(by: .seconds(350 * 86_400))
            let universal = try live.simulator.authority.pushCertificate(topics: ["com.example.app"])
            let soon = try Stored.credential(
                .pem(certificate: universal.certificatePEM, privateKey: universal.keyPEM),
                checkedBy: live.provider,
                url: "https://localhost:\(live.simulator.port)",
                trust: live.simulator.authorityPEM
            )
            let findings = await live.provider.diagnose(soon)
            #expect(findings.first?.level == .warning)
            #expect(findings.first?.message.contains("valid until") == true)
        }
    }
}
