import CryptoExtras
import Foundation

@testable import MartletSimulator

/// A service account's side: grants as Google's libraries sign them.
struct FCMFixture: Sendable {
    static let now: Int64 = 1_800_000_000
    static let ownURL = "https://127.0.0.1:9445/token"
    static let token = "abcdefghijklmnopqrstuv:APA91b" + String(repeating: "x", count: 60)
    static let fid = "dQw4w9WgXcQabcdefghij1"

    /// One key pair for all tests: RSA keys take long to make.
    private static let pair = Result {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return (key: key, other: try _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    let key: _RSA.Signing.PrivateKey
    let otherKey: _RSA.Signing.PrivateKey
    let account: FCMAccount
    var registry = FCMRegistry()

    init() throws {
        let pair = try Self.pair.get()
        key = pair.key
        otherKey = pair.other
        account = FCMAccount(
            email: "push@shop.iam.gserviceaccount.com",
            project: "shop",
            keyID: "key1",
            publicKey: pair.key.publicKey
        )
        registry.register(account)
    }

    static func claims(_ changes: [String: JSONValue?] = [:]) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "iss": .string("push@shop.iam.gserviceaccount.com"), "aud": .string(ownURL),
            "scope": .string("https://www.googleapis.com/auth/firebase.messaging"), "iat": .integer(now),
            "exp": .integer(now + 3_600),
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// A signed JWT (RFC 7515, compact).
    static func jwt(
        header: [String: JSONValue] = ["alg": .string("RS256"), "typ": .string("JWT"), "kid": .string("key1")],
        claims: [String: JSONValue],
        key: _RSA.Signing.PrivateKey
    ) throws -> String {
        let encoder = JSONEncoder()
        let text = try [header, claims].map { Base64URL.encode(try encoder.encode($0)) }.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8), padding: .insecurePKCS1v1_5)
        return "\(text).\(Base64URL.encode(signature.rawRepresentation))"
    }
}
