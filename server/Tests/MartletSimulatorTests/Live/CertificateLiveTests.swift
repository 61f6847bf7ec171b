import Foundation
import Testing

@testable import MartletSimulator

@Suite("Client certificates")
struct CertificateLiveTests {
    private func files(_ pair: CertificatePair, in live: LiveSimulator) throws -> [String] {
        let id = UUID().uuidString
        let certificate = live.folder.appending(path: "\(id).pem")
        let key = live.folder.appending(path: "\(id).key")
        try Data(pair.certificatePEM.utf8).write(to: certificate)
        try Data(pair.keyPEM.utf8).write(to: key)
        return ["--cert", certificate.path, "--key", key.path]
    }

    @Test("a push certificate lets its topic in, without a provider token")
    func accepts() async throws {
        try await withSimulator { live in
            let pair = try live.simulator.authority.pushCertificate(topics: [Account.topic])
            let options = try files(pair, in: live)
            #expect(try await live.push(changes: ["authorization": nil], options: options).short == "200")
            let withoutTopic: [String: String?] = ["authorization": nil, "apns-topic": nil]
            #expect(try await live.push(changes: withoutTopic, options: options).short == "200")
            let other: [String: String?] = ["authorization": nil, "apns-topic": "com.example.other"]
            #expect(try await live.push(changes: other, options: options).short == "400 TopicDisallowed")
        }
    }

    @Test("several topics want the topic named, their suffixes included")
    func severalTopics() async throws {
        try await withSimulator { live in
            let topics = [Account.topic, "\(Account.topic).voip"]
            let options = try files(live.simulator.authority.pushCertificate(topics: topics), in: live)
            let withoutTopic: [String: String?] = ["authorization": nil, "apns-topic": nil]
            #expect(try await live.push(changes: withoutTopic, options: options).short == "400 MissingTopic")
            let voip: [String: String?] = [
                "authorization": nil, "apns-topic": "\(Account.topic).voip", "apns-push-type": "voip",
            ]
            #expect(try await live.push(changes: voip, options: options).short == "200")
        }
    }

    @Test("a certificate of the other environment, without topic or from elsewhere is refused")
    func refuses() async throws {
        try await withSimulator { live in
            let none: [String: String?] = ["authorization": nil]
            let sandbox = try live.simulator.authority.pushCertificate(topics: [Account.topic], environment: .sandbox)
            #expect(
                try await live.push(changes: none, options: try files(sandbox, in: live)).short
                    == "403 BadCertificateEnvironment"
            )
            let nothing = try live.simulator.authority.pushCertificate(topics: [])
            #expect(
                try await live.push(changes: none, options: try files(nothing, in: live)).short
                    == "403 BadCertificate"
            )
            let stranger = try SimulatorAuthority().pushCertificate(topics: [Account.topic])
            #expect(
                try await live.push(changes: none, options: try files(stranger, in: live)).short
                    == "403 BadCertificate"
            )
        }
    }

    @Test("a certificate made by openssl is taken when it is trusted")
    func openssl() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "push.pem").path, folder.appending(path: "push.key").path)
        let made = try await run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out",
            certificate, "-subj", "/UID=\(Account.topic)/CN=Apple Push Services: \(Account.topic)",
        ])
        try #require(made.status == 0, "openssl: \(made.errors)")
        let pem = try String(contentsOfFile: certificate, encoding: .utf8)
        try await withSimulator { configuration, _ in
            configuration.clientAuthorities = [pem]
        } _: { live in
            let answer = try await live.push(
                changes: ["authorization": nil],
                options: ["--cert", certificate, "--key", key]
            )
            #expect(answer.short == "200")
        }
    }

    @Test("topics and environments are read from the certificate")
    func reads() throws {
        let authority = try SimulatorAuthority()
        func identity(_ pair: CertificatePair) throws -> CertificateIdentity {
            let body = pair.certificatePEM.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-") }.joined()
            return CertificateIdentity(derBytes: Array(try #require(Data(base64Encoded: body))))
        }
        #expect(
            try identity(authority.pushCertificate(topics: ["a.b", "a.b.voip"], environment: .production))
                == CertificateIdentity(topics: ["a.b", "a.b.voip"], environments: [.production])
        )
        #expect(
            try identity(authority.pushCertificate(topics: ["a.b"]))
                == CertificateIdentity(topics: ["a.b"], environments: [.production, .sandbox])
        )
        #expect(try identity(authority.serverCertificate()).topics.isEmpty)
        #expect(CertificateIdentity(derBytes: [1, 2, 3]).topics.isEmpty)
    }

    @Test("authorities and keys that are none are refused at the start")
    func refusesSettings() async throws {
        var configuration = APNsSimulatorConfiguration()
        configuration.clientAuthorities = ["no certificate"]
        await #expect(throws: SimulatorError.self) { try await APNsSimulator.start(configuration) }
        #expect(throws: SimulatorError.self) { try SimulatorKey(keyID: "A", teamID: "B", pem: "no key") }
        #expect(throws: SimulatorError.self) { try SimulatorApp(topic: "not a bundle id", teamID: "B") }
        #expect(throws: SimulatorError.self) { try SimulatorDevice(token: "abc") }
    }
}
