import Crypto
import CryptoExtras
import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

/// A service account of our own making.
enum Account {
    /// Made once: RSA keys take long to make.
    private static let made = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    static var key: _RSA.Signing.PrivateKey { get throws { try made.get() } }

    static func members(_ changes: [String: JSONValue] = [:]) throws -> [String: JSONValue] {
        let members: [String: JSONValue] = [
            "type": "service_account", "project_id": "martlet-test", "private_key_id": "k1",
            "private_key": .string(try key.pkcs8PEMRepresentation),
            "client_email": "push@martlet-test.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token", "client_id": "1",
        ]
        return members.merging(changes) { $1 }.filter { $0.value != .null }
    }

    static func text(_ changes: [String: JSONValue] = [:]) throws -> String {
        String(decoding: try JSONValue.object(try members(changes)).json(), as: UTF8.self)
    }
}

@Suite("Service accounts")
struct ServiceAccountTests {
    private func account(_ changes: [String: JSONValue] = [:]) throws -> ServiceAccount {
        try ServiceAccount(json: Account.text(changes), allowing: [])
    }

    @Test("a file of Google's is taken, and what is sealed is read back")
    func taken() throws {
        let account = try account()
        #expect(account.projectID == "martlet-test")
        #expect(account.endpoint.path == "/token")
        #expect(account.endpoint.address == ServerAddress(host: "oauth2.googleapis.com", port: 443))
        let again = try ServiceAccount(json: String(decoding: account.secret, as: UTF8.self), allowing: [])
        #expect(again.clientEmail == account.clientEmail)
        #expect(!String(decoding: account.secret, as: UTF8.self).contains("client_id"))
    }

    @Test(
        "what is wrong is said of its member",
        arguments: [
            ("type", "authorized_user"), ("type", nil), ("project_id", "a/b"), ("project_id", nil),
            ("client_email", "x"), ("client_email", nil), ("private_key_id", ""), ("private_key", nil),
            ("private_key", "no key"), ("private_key", P256.Signing.PrivateKey().pemRepresentation),
            ("private_key", P256.Signing.PrivateKey().derRepresentation.base64EncodedString()),
            ("token_uri", "http://oauth2.googleapis.com/token"), ("token_uri", "https://evil.example/token"),
            ("token_uri", "https://oauth2.googleapis.com:8443/token"),
            ("token_uri", "https://a@oauth2.googleapis.com/"),
            ("token_uri", "https://127.0.0.1/token"), ("token_uri", "token"),
        ] as [(String, String?)]
    )
    func refused(member: String, value: String?) throws {
        let failure = try #require(throws: Failure.self) {
            try account([member: value.map(JSONValue.string) ?? .null])
        }
        #expect(failure.detail.field == "service_account.\(member)")
        #expect(failure.detail.message.contains("PRIVATE KEY-----\n") == false)
    }

    @Test("what is no service account at all is told from one", arguments: ["", "[]", "x", #"{"project_info":{}}"#])
    func noAccount(text: String) throws {
        let failure = try #require(throws: Failure.self) { try ServiceAccount(json: text, allowing: []) }
        #expect(failure.code == .invalidCredential)
        #expect(failure.detail.field == "service_account")
    }

    @Test("another host of a token endpoint is allowed by name, or as the operator's own address in place of FCM's")
    func hosts() throws {
        let text = try Account.text(["token_uri": "https://Tokens.internal:8443/a/token"])
        let account = try ServiceAccount(json: text, allowing: ["tokens.internal"])
        #expect(account.endpoint.address == ServerAddress(host: "tokens.internal", port: 8443))
        #expect(account.endpoint.path == "/a/token")
        #expect(!account.endpoint.isGoogle)

        let settings = FCMSettings()
        let url = "https://tokens.internal:1"
        #expect(FCMCredentialCheck.tokenHosts(url: url, isURLOfOperator: true, settings) == ["tokens.internal"])
        #expect(FCMCredentialCheck.tokenHosts(url: url, isURLOfOperator: false, settings) == [])
    }

    @Test("a credential shows project, key and account, and another provider's is refused")
    func check() throws {
        let draft = CredentialDraft(.fcm(serviceAccount: try Account.text()))
        let checked = try FCMCredentialCheck.check(draft, FCMSettings())
        #expect(
            checked.summary
                == CredentialSummary(
                    kind: .serviceAccount,
                    topic: "martlet-test",
                    keyID: "k1",
                    teamID: "push@martlet-test.iam.gserviceaccount.com",
                    expiresAt: nil
                )
        )
        let other = CredentialDraft(.apns(.signingKey(pem: "", keyID: "", teamID: ""), bundleID: ""))
        #expect(throws: Failure.self) { try FCMCredentialCheck.check(other, FCMSettings()) }
    }

    @Test("a grant is a JSON Web Token with RS256 that its key verifies")
    func grant() throws {
        let account = try account()
        let now = Timestamp(milliseconds: 1_700_000_000_999)
        let parts = try TokenRequest.assertion(for: account, at: now).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        func json(_ part: String) throws -> JSONValue { try JSONValue(json: try #require(Self.decoded(part))) }
        #expect(try json(parts[0]) == ["typ": "JWT", "alg": "RS256", "kid": "k1"])
        #expect(
            try json(parts[1]) == [
                "iss": "push@martlet-test.iam.gserviceaccount.com", "iat": 1_700_000_000, "exp": 1_700_003_600,
                "aud": "https://oauth2.googleapis.com/token",
                "scope": "https://www.googleapis.com/auth/firebase.messaging",
            ]
        )
        let signature = _RSA.Signing.RSASignature(rawRepresentation: try #require(Self.decoded(parts[2])))
        let signed = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        let key = try Account.key.publicKey
        #expect(key.isValidSignature(signature, for: signed, padding: .insecurePKCS1v1_5))
    }

    private static func decoded(_ text: String) -> Data? {
        var base64 = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while base64.count % 4 != 0 { base64.append("=") }
        return Data(base64Encoded: String(base64))
    }
}
