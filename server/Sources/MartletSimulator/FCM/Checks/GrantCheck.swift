import CryptoExtras
import Foundation

/// The token endpoint's checks of a JWT grant (RFC 7523; Google, "Using OAuth 2.0 for server to server applications"), in
/// the order in which they are made.
struct GrantCheck {
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The audience of Google's own libraries, whatever `token_uri` says.
    static let audience = "https://oauth2.googleapis.com/token"
    static let scopes: Set<String> = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]
    /// Seconds that `iat` may be ahead, and that a grant may be good for.
    static let tolerance: Int64 = 60, longestLife: Int64 = 3_600

    /// The simulator's own token endpoint; `nil` before it is known.
    let ownURL: String
    /// Seconds since 1970, by the simulated clock.
    let now: Int64

    private struct Header: Decodable {
        var alg: String
        var kid: String?
    }

    private struct Claims: Decodable {
        var iss: String
        var aud: String
        var scope: String?
        var iat: Double
        var exp: Double
    }

    /// The account whose grant it is.
    func account(form: [String: String], in registry: FCMRegistry) throws(FCMError) -> FCMAccount {
        guard form["grant_type"] == Self.grantType else {
            throw FCMError(.unsupportedGrantType, "Invalid grant_type: \(form["grant_type"] ?? "")")
        }
        guard let assertion = form["assertion"] else {
            throw FCMError(.invalidRequest, "Missing required parameter: assertion")
        }
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header: Header = Self.read(parts[0]), let claims: Claims = Self.read(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Self.refused("Invalid JWT: it cannot be read.") }
        guard header.alg == "RS256" else { throw Self.refused("Invalid JWT: Invalid signature algorithm.") }
        guard
            let account = registry.accounts[claims.iss]
                ?? registry.accounts.values.first(where: {
                    $0.keyID == header.kid
                }), header.kid == account.keyID
        else { throw Self.refused("Invalid JWT Signature.") }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        let isSigned = account.publicKey.isValidSignature(
            .init(rawRepresentation: signature),
            for: signed,
            padding: .insecurePKCS1v1_5
        )
        guard isSigned else { throw Self.refused("Invalid JWT Signature.") }
        guard claims.iss == account.email, !account.isRevoked else {
            throw Self.refused("Invalid grant: account not found")
        }
        try check(claims)
        return account
    }

    private func check(_ claims: Claims) throws(FCMError) {
        guard claims.aud == ownURL || claims.aud == Self.audience else {
            throw Self.refused("Invalid JWT: Failed audience check. The right audience is \(Self.audience)")
        }
        let (now, span) = (Double(now), claims.exp - claims.iat)
        guard claims.iat <= now + Double(Self.tolerance), claims.exp > now, span <= Double(Self.longestLife) else {
            throw Self.refused(
                "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your "
                    + "iat and exp values in the JWT claim."
            )
        }
        let scopes = Set((claims.scope ?? "").split(separator: " ").map(String.init))
        guard !scopes.isDisjoint(with: Self.scopes) else { throw FCMError(.invalidScope) }
    }

    private static func refused(_ message: String) -> FCMError { FCMError(.invalidGrant, message) }

    private static func read<Part: Decodable>(_ text: Substring) -> Part? {
        Base64URL.decode(text).flatMap { try? JSONDecoder().decode(Part.self, from: $0) }
    }

    /// The fields of a form (`application/x-www-form-urlencoded`); a repeated one counts once, the last.
    static func form(_ bytes: some Sequence<UInt8>) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in String(decoding: Array(bytes), as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0).replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            fields[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return fields
    }
}
