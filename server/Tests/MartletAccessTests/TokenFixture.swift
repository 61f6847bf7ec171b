import Crypto
import Foundation
import JWTKit
import Logging
import MartletWire
import Synchronization

@testable import MartletCore
@testable import MartletHTTP

/// Tokens as an identity provider would make them, put together by hand so that every part can be wrong.
enum TokenFixture {
    static let secret = "a secret of at least thirty-two bytes"
    static let issuer = "https://login.example.com/"
    static let audience = "com.example.app"
    static let appID = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
    static let vault = Vault(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    static func encode(_ text: String) -> String { Secret.base64URL(Array(text.utf8)) }

    /// The claims of a good token that ends in ten minutes, with changes; `nil` takes one away.
    static func claims(at now: Timestamp, _ changes: [String: String?] = [:]) -> String {
        var claims: [String: String] = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"alice\"",
            "iat": "\(now.seconds)", "exp": "\(now.seconds + 600)",
        ]
        for (name, value) in changes { claims[name] = value }
        return "{" + claims.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
    }

    /// A token signed with HMAC over SHA-256, whatever its header says.
    static func hmac(_ claims: String, header: String = #"{"alg":"HS256"}"#, secret: [UInt8] = Array(secret.utf8))
        -> String
    {
        let signed = encode(header) + "." + encode(claims)
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(data: secret))
        return signed + "." + Secret.base64URL(Array(code))
    }

    /// A token signed with ES256, whatever its header says.
    static func ecdsa(_ claims: String, header: String, key: P256.Signing.PrivateKey) throws -> String {
        let signed = encode(header) + "." + encode(claims)
        let signature = try key.signature(for: Array(signed.utf8))
        return signed + "." + Secret.base64URL(Array(signature.rawRepresentation))
    }

    /// A P-256 key as a member of a key set.
    static func jwk(_ key: P256.Signing.PrivateKey, kid: String?, extra: String = "") -> String {
        let point = Array(key.publicKey.rawRepresentation)
        let id = kid.map { #""kid":"\#($0)","# } ?? ""
        let x = Secret.base64URL(Array(point.prefix(32)))
        let y = Secret.base64URL(Array(point.suffix(32)))
        return #"{\#(id)"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"\#(extra)}"#
    }

    static func set(_ keys: String...) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    static func app(_ verification: Identity.Verification?) -> App {
        App(
            row: RowID(rawValue: 1),
            id: appID,
            name: "com.example.app",
            identity: Identity(mode: .signed, issuer: issuer, audience: audience, verification: verification),
            createdAt: Timestamp(milliseconds: 0)
        )
    }

    static func secretApp() throws -> App {
        let sealed = try vault.seal(Array(secret.utf8), for: Identity.purpose(of: appID))
        return app(.secret(sealed: sealed))
    }

    static func cache(
        _ clock: ManualTime,
        fetch: @escaping @Sendable (KeySetURL) async throws -> KeySet = { _ in throw FetchError.unreachable }
    ) -> KeySetCache {
        KeySetCache(clock: clock, logger: .init(label: "test", factory: { _ in QuietLog() }), fetch: fetch)
    }
}

/// The refusal that a call ends with, or `nil` when it does not.
func refusal<T>(_ body: () async throws -> T) async -> Failure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? Failure
    }
}
