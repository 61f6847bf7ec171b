import Crypto
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Signing keys")
struct SigningKeyTests {
    private let pem = P256.Signing.PrivateKey().pemRepresentation

    private func check(
        _ pem: String,
        keyID: String = "ABCD1234",
        teamID: String = "TEAM1234",
        topic: String = "com.example.app"
    )
        throws -> CheckedCredential
    {
        let draft = CredentialDraft(
            .apns(.signingKey(pem: pem, keyID: keyID, teamID: teamID), bundleID: topic)
        )
        return try APNsCredentialCheck.check(draft, now: Timestamp(milliseconds: 1_700_000_000_000))
    }

    private func failure(_ pem: String) throws -> Failure { try #require(throws: Failure.self) { try check(pem) } }

    @Test("a .p8 file of P-256 is taken, with seed S5's ids, and can be opened again")
    func goodKey() throws {
        let checked = try check(pem)
        #expect(checked.summary == Rendering.token)
        guard case .signingKey(let stored) = try APNsSecret(bytes: checked.secret) else {
            Issue.record("not a key")
            return
        }
        let key = try SigningKey(pem: stored, keyID: "ABCD1234", teamID: "TEAM1234")
        #expect(key.key.pemRepresentation == pem)
    }

    @Test("line ends of Windows and text around the block do no harm")
    func lineEnds() throws {
        #expect(throws: Never.self) { try check(pem.replacing("\n", with: "\r\n")) }
        #expect(throws: Never.self) { try check("\nBag Attributes\n  name: x\n\(pem)\n\n") }
    }

    @Test("what openssl makes otherwise is refused with what it is")
    func otherKeys() throws {
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        let cases = [
            ("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out", "an RSA key"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out", "a P-384 key"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521 -out", "a P-521 key"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out", "a secp256k1 key"),
            ("genpkey -algorithm ED25519 -out", "an Ed25519 key"),
            ("genrsa -traditional -out", "an RSA key"),
            ("ecparam -name prime256v1 -genkey -noout -out", "older EC form"),
            ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:x -out", "encrypted"),
        ]
        for (index, (command, words)) in cases.enumerated() {
            try openssl.run("\(command) \(index).pem")
            let failure = try failure(try openssl.text("\(index).pem"))
            #expect(failure.code == .invalidCredential)
            #expect(failure.detail.field == "key")
            #expect(failure.detail.message.contains(words), "\(failure.detail.message)")
            #expect(failure.detail.hint != nil)
        }
    }

    @Test("an EC key in the older form is taken once it is converted as the hint says")
    func conversion() throws {
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        try openssl.run("ecparam -name prime256v1 -genkey -noout -out key.pem")
        let hint = try #require(try failure(try openssl.text("key.pem")).detail.hint)
        let command = try #require(hint.split(separator: ": openssl ").last)
        try openssl.run(String(command))
        #expect(throws: Never.self) { try check(try openssl.text("key.p8")) }
    }

    @Test(
        "what is no key is refused and nothing of it is shown",
        arguments: [
            "", "garbage", "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\n$$$$\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        ]
    )
    func noKey(text: String) throws {
        let failure = try failure(text)
        #expect(failure.code == .invalidCredential)
        #expect(!failure.detail.message.contains("AAAA"))
    }

    @Test(
        "ids have letters and digits only",
        arguments: ["", "AB CD", "AB\"CD", "AB\n", "Ä", String(repeating: "A", count: 33)]
    )
    func badIDs(id: String) throws {
        let key = try #require(throws: Failure.self) { try check(pem, keyID: id) }
        #expect(key.detail.field == "key_id")
        let team = try #require(throws: Failure.self) { try check(pem, teamID: id) }
        #expect(team.detail.field == "team_id")
    }

    @Test(
        "ids have Apple's ten characters, or eight as in examples",
        arguments: [(1, false), (7, false), (8, true), (10, true), (11, false), (32, false)]
    )
    func lengths(count: Int, isTaken: Bool) throws {
        let id = String(repeating: "A", count: count)
        for (key, team, field) in [(id, "TEAM123456", "key_id"), ("ABCDE12345", id, "team_id")] {
            guard !isTaken else {
                #expect(throws: Never.self) { try check(pem, keyID: key, teamID: team) }
                continue
            }
            let failure = try #require(throws: Failure.self) { try check(pem, keyID: key, teamID: team) }
            #expect(failure.detail.field == field && failure.detail.message.contains("10 letters and digits"))
        }
    }

    @Test("the doctor warns of ids that are shorter than Apple's")
    func warning() {
        for (keyID, teamID, level) in [
            ("ABCD1234", "TEAM123456", .warning), ("ABCDE12345", "TEAM1234", .warning),
            ("ABCDE12345", "TEAM123456", .ok),
        ] as [(String, String, Finding.Level)] {
            let credential = Credential(
                row: RowID(1),
                app: RowID(1),
                platform: .apns,
                environment: .production,
                summary: CredentialSummary(
                    kind: .token,
                    topic: "com.example.app",
                    keyID: keyID,
                    teamID: teamID,
                    expiresAt: nil
                ),
                sealed: [],
                url: nil,
                trust: nil,
                createdAt: Timestamp(milliseconds: 0)
            )
            let diagnosis = APNsDiagnosis(credential: credential)
            let finding = diagnosis.credentialFinding(leaf: nil, now: Timestamp(milliseconds: 0))
            #expect(finding.level == level && (finding.advice != nil) == (level == .warning), "\(keyID) \(teamID)")
        }
    }

    @Test(
        "a topic is a bundle id",
        arguments: ["", "com example", "com.example\n", String(repeating: "a", count: 256)]
    )
    func badTopics(topic: String) throws {
        let failure = try #require(throws: Failure.self) { try check(pem, topic: topic) }
        #expect(failure.detail.field == "topic")
    }

    @Test(
        "an address is https with host and port and nothing else",
        arguments: [
            "http://localhost:1", "localhost:1", "https://", "https://a/b", "https://u@a", "https://u:p@a",
            "https://a?b",
            "https://a#b", "https://a:0", "https://a:65536", "https://a b", "",
        ]
    )
    func badAddresses(url: String) throws {
        var draft = CredentialDraft(
            .apns(.signingKey(pem: pem, keyID: "ABCD1234", teamID: "TEAM1234"), bundleID: "com.example.app")
        )
        draft.url = url
        let failure = try #require(throws: Failure.self) {
            try APNsCredentialCheck.check(draft, now: Timestamp(milliseconds: 0))
        }
        #expect(failure.detail.field == "url")
    }

    @Test("addresses are taken apart and written as an authority")
    func addresses() throws {
        let cases = [
            ("https://localhost:2197", "localhost", 2_197, "localhost:2197"),
            ("https://a.example", "a.example", 443, "a.example"),
            ("https://[::1]:9/", "::1", 9, "[::1]:9"), ("HTTPS://127.0.0.1:443", "127.0.0.1", 443, "127.0.0.1"),
        ]
        for (url, host, port, authority) in cases {
            let address = try ServerAddress(url: url)
            #expect(address.host == host)
            #expect(address.port == port)
            #expect(address.authority == authority)
        }
        #expect(ServerAddress.apns(.production).authority == "api.push.apple.com")
        #expect(ServerAddress.apns(.sandbox).authority == "api.sandbox.push.apple.com")
    }

    @Test("trusted certificates that are none are refused")
    func badTrust() throws {
        for trust in ["", "x", pem] {
            let draft = CredentialDraft(
                .apns(.signingKey(pem: pem, keyID: "ABCD1234", teamID: "TEAM1234"), bundleID: "com.example.app"),
                trust: trust
            )
            let failure = try #require(throws: Failure.self) {
                try APNsCredentialCheck.check(draft, now: Timestamp(milliseconds: 0))
            }
            #expect(failure.detail.field == "trust")
        }
    }
}
