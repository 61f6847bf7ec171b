import Crypto
import JWTKit
import MartletCore

/// Checks the JWTs with which users prove who they are: issued by the customer's identity provider, checked against
/// what the customer's app was configured with.
///
/// What may sign is decided by the app and never by the token: a secret checks HS256 and nothing else, a key set
/// checks public-key algorithms and nothing else (RFC 8725, sections 2.1 and 3.1).
struct UserTokenVerifier: Sendable {
    private let vault: Vault
    private let keySets: KeySetCache
    private let clock: any WallClock

    init(vault: Vault, keySets: KeySetCache, clock: any WallClock) {
        self.vault = vault
        self.keySets = keySets
        self.clock = clock
    }

    /// Whether a text has the form of a token.
    static func isToken(_ text: String) -> Bool { (try? CompactToken(text)) != nil }

    /// Reads whom a token claims to be from and for, without believing it, to find the app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized``.
    func claimsUnverified(_ token: String) throws(Failure) -> (issuer: String, audiences: [String]) {
        let claims = try CompactToken(token).claims
        guard let issuer = claims.issuer, !claims.audiences.isEmpty else {
            throw .userToken(
                "The user token has no issuer or no audience ('iss', 'aud').",
                hint: "The two select the app that the token is for."
            )
        }
        return (issuer, claims.audiences)
    }

    /// Checks a token for an app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` for the token, ``ErrorCode/overloaded`` while the identity
    ///   provider's keys cannot be had, ``ErrorCode/internalError`` when the app's secret does not open.
    func verify(_ token: String, for app: App) async throws(Failure) -> UserToken {
        let token = try CompactToken(token)
        switch app.identity.verification {
        case .secret(let sealed):
            try UserTokenVerifier.demand("HS256", token)
            let secret = try vault.open(sealed, for: Identity.purpose(of: app.id))
            let genuine = HMAC<SHA256>.isValidAuthenticationCode(
                token.signature,
                authenticating: token.signed,
                using: SymmetricKey(data: secret)
            )
            guard genuine else { throw UserTokenVerifier.forged }
        case .keySet(let json):
            try UserTokenVerifier.demandPublicKey(token)
            try UserTokenVerifier.check(token, with: await keySets.keys(inline: json))
        case .keySetURL(let url):
            try UserTokenVerifier.demandPublicKey(token)
            try UserTokenVerifier.check(token, with: await keySets.keys(at: url, containing: token.header.kid))
        case nil:
            throw .userToken("This app accepts no user tokens.", hint: "Set the app's identity verification.")
        }
        return try token.claims.check(against: app.identity, now: clock.now())
    }

    private static let forged = Failure.userToken(
        "The user token's signature does not match the app's key.",
        hint: "Compare the key of the app's identity with the identity provider's."
    )

    private static func demand(_ algorithm: String, _ token: CompactToken) throws(Failure) {
        guard token.header.algorithm == algorithm else {
            throw .userToken(
                "The user token has the wrong algorithm: this app's tokens are signed with \(algorithm).",
                hint: "Sign with \(algorithm), or give the app a key set."
            )
        }
    }

    private static func demandPublicKey(_ token: CompactToken) throws(Failure) {
        guard KeySet.algorithms.contains(token.header.algorithm) else {
            throw .userToken(
                "The user token has the wrong algorithm: this app's tokens are signed with a key of its key set.",
                hint: "Sign with one of \(KeySet.algorithms.sorted().joined(separator: ", "))."
            )
        }
    }

    private static func check(_ token: CompactToken, with set: KeySet) throws(Failure) {
        guard set.contains(kid: token.header.kid) else {
            throw .userToken(
                "The user token's key ('kid') is not in the app's key set.",
                hint: "A key that was published just now is found within a minute."
            )
        }
        let keys = set.candidates(kid: token.header.kid, algorithm: token.header.algorithm)
        guard !keys.isEmpty else {
            throw .userToken("The user token has the wrong algorithm for the key that it names.", hint: nil)
        }
        for key in keys {
            // A signature of the wrong length throws; that is only one more way to be wrong.
            if (try? key.verifier.verify(token.signature, signs: token.signed)) == true { return }
        }
        throw forged
    }
}
