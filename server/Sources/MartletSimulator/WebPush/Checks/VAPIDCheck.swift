import Crypto
import Foundation
import Synchronization

/// What an application server says of itself (RFC 8292).
struct VAPIDClaims: Equatable {
    var audience: String
    /// Seconds since 1970.
    var expires: Double
    var subject: String?
    /// The key, as 65 bytes.
    var publicKey: Data
}

/// The checks of `authorization: vapid t=…, k=…`, in the order in which they are made.
struct VAPIDCheck {
    /// RFC 8292 section 2: at most 24 hours from the request.
    static let longestLife = 86_400.0

    /// The origin of the subscription's endpoint.
    let origin: String
    /// The key that the subscription is bound to; `nil` for any.
    let boundKey: Data?
    /// Seconds since 1970.
    let now: Double
    /// The tokens whose signature has been checked.
    let tokens: VAPIDTokens

    private struct Header: Decodable {
        var alg: String
    }

    fileprivate struct Claims: Decodable {
        var aud: String
        var exp: Double
        var sub: String?
    }

    func claims(in authorization: String?) throws(WebPushError) -> VAPIDClaims? {
        guard let authorization else {
            // RFC 8292 section 4.2: a restricted subscription is not sent to without its key.
            if boundKey != nil { throw WebPushError(.authorizationMissing, "authorization is missing") }
            return nil
        }
        let (claims, raw) = try signed(authorization)
        guard claims.aud == origin else {
            throw WebPushError(.tokenInvalid, "aud is \(claims.aud), not \(origin)")
        }
        guard claims.exp > now else { throw WebPushError(.tokenInvalid, "exp is over") }
        guard claims.exp <= now + Self.longestLife else {
            throw WebPushError(.tokenInvalid, "exp is more than 24 hours ahead")
        }
        if let subject = claims.sub, !Self.isContact(subject) {
            throw WebPushError(.tokenInvalid, "sub is no mailto: or https: address")
        }
        if let boundKey, boundKey != raw {
            throw WebPushError(.keyMismatch, "the subscription was made for another key")
        }
        return VAPIDClaims(audience: claims.aud, expires: claims.exp, subject: claims.sub, publicKey: raw)
    }

    /// What is signed, and the key; by which key it is signed is looked at once.
    private func signed(_ authorization: String) throws(WebPushError) -> (claims: Claims, key: Data) {
        if let known = tokens[authorization] { return known }
        let (token, key) = try parameters(of: authorization)
        guard let raw = Base64URL.decode(key, allowsPadding: true), raw.count == 65,
            let publicKey = try? P256.Signing.PublicKey(x963Representation: raw)
        else { throw WebPushError(.publicKeyInvalid, "k is not an uncompressed point on P-256") }
        let claims = try verified(token, by: publicKey)
        tokens[authorization] = (claims, raw)
        return (claims, raw)
    }

    private func parameters(of authorization: String) throws(WebPushError) -> (token: Substring, key: Substring) {
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "vapid" else {
            throw WebPushError(.authorizationInvalid, "authorization is not of scheme vapid")
        }
        var found: [Substring: Substring] = [:]
        for part in words[1].split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].drop { $0 == " " }
            found[name] = pair[1].prefix { $0 != " " }
        }
        guard let token = found["t"], let key = found["k"] else {
            throw WebPushError(.authorizationInvalid, "t or k is missing")
        }
        return (token, key)
    }

    private func verified(_ token: Substring, by key: P256.Signing.PublicKey) throws(WebPushError) -> Claims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64URL.decode(parts[0]).flatMap({ try? JSONDecoder().decode(Header.self, from: $0) }),
            let claims = Base64URL.decode(parts[1]).flatMap({ try? JSONDecoder().decode(Claims.self, from: $0) }),
            let bytes = Base64URL.decode(parts[2]), header.alg == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { throw WebPushError(.tokenInvalid, "t is no ES256 token with aud and exp") }
        guard key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)) else {
            throw WebPushError(.tokenInvalid, "t is not signed by k")
        }
        return claims
    }

    /// A contact that Apple takes too: `mailto:` without spaces and brackets, or https to a public name.
    private static func isContact(_ subject: String) -> Bool {
        if subject.hasPrefix("mailto:") {
            let address = subject.dropFirst(7)
            return address.split(separator: "@", omittingEmptySubsequences: false).count == 2
                && !address.hasPrefix("@") && !address.hasSuffix("@") && !address.contains { " <>".contains($0) }
        }
        guard let host = URL(string: subject)?.host(), subject.hasPrefix("https://") else { return false }
        return host != "localhost" && !host.hasSuffix(".local")
    }
}

/// The `authorization` header fields whose signature has been found to be right: a server signs one for many pushes, and
/// checking it costs more than opening a message.
final class VAPIDTokens: Sendable {
    /// All are forgotten when more come.
    private static let limit = 1_000

    private let known = Mutex<[String: (claims: VAPIDCheck.Claims, key: Data)]>([:])

    fileprivate subscript(authorization: String) -> (claims: VAPIDCheck.Claims, key: Data)? {
        get { known.withLock { $0[authorization] } }
        set {
            known.withLock { known in
                if known.count >= Self.limit { known = [:] }
                known[authorization] = newValue
            }
        }
    }
}
