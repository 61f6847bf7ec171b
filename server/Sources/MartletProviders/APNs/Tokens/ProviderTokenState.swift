import Crypto
import Foundation
import MartletCore

/// A provider token: a JSON Web Token signed with ES256 (Apple, "Establishing a token-based connection to APNs").
struct ProviderToken: Sendable, Hashable {
    /// The token as it stands behind `bearer `.
    let text: String
    /// Its claim `iat`: whole seconds.
    let issuedAt: Timestamp

    /// Mints a token.
    ///
    /// - Throws: what the crypto library says when it cannot sign.
    static func mint(key: P256.Signing.PrivateKey, keyID: String, teamID: String, at now: Timestamp) throws
        -> ProviderToken
    {
        // Both ids were checked to be letters and digits, so they need no escaping.
        let header = Secret.base64URL(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        let claims = Secret.base64URL(Array(#"{"iss":"\#(teamID)","iat":\#(now.seconds)}"#.utf8))
        let signature = try key.signature(for: Data("\(header).\(claims)".utf8))
        return ProviderToken(
            text: "\(header).\(claims).\(Secret.base64URL(Array(signature.rawRepresentation)))",
            issuedAt: Timestamp(milliseconds: now.seconds * 1_000)
        )
    }
}

/// Decides when a provider token is used, replaced and minted. A pure value.
struct ProviderTokenState: Sendable, Hashable {
    /// What to do for the next request.
    enum Decision: Sendable, Hashable {
        /// Use this one.
        case use(ProviderToken)
        /// Take one that another process has minted, else mint one.
        case mint
        /// Take one that another process has minted, else send nothing until then: none may be minted before.
        case rest(until: Timestamp)
    }

    /// Apple takes a token for an hour. At 45 minutes there is time left for requests that wait in a queue, and it is
    /// more than twice the 20 minutes that Apple wants between two tokens.
    static let refreshAge: Duration = .seconds(45 * 60)
    /// Up to 5 minutes are added, different for each key and process, so that not all of them mint at once.
    static let refreshJitter: Duration = .seconds(5 * 60)
    /// How long Apple takes a token.
    static let lifetime: Duration = .seconds(60 * 60)
    /// Apple: a new token at most every 20 minutes.
    static let mintingPause: Duration = .seconds(20 * 60)
    /// A clock that was set back by more than this makes the token's `iat` lie in the future, which APNs refuses.
    static let tolerance: Duration = .seconds(60)

    private(set) var current: ProviderToken?
    /// The one before, for when APNs says that there have been too many.
    private(set) var previous: ProviderToken?
    /// The last one that APNs called expired: it is not taken up again from elsewhere.
    private var worn: ProviderToken?
    private var refreshAt = Timestamp(milliseconds: 0)
    private var pausedUntil = Timestamp(milliseconds: 0)

    /// What to do for the next request.
    func decision(at now: Timestamp) -> Decision {
        guard let current else { return rests(at: now) ? .rest(until: pausedUntil) : .mint }
        if rests(at: now) { return .use(current) }
        if now + Self.tolerance < current.issuedAt { return .mint }
        return now < refreshAt ? .use(current) : .mint
    }

    /// Whether none may be minted. An end that lies further off than a rest lasts is one of a clock that was set back.
    private func rests(at now: Timestamp) -> Bool { now < pausedUntil && pausedUntil <= now + Self.mintingPause }

    /// Whether a token that another process minted may be used: it is not worn, not due for renewal, not of the future,
    /// and not the one for which minting rests.
    func mayAdopt(_ token: ProviderToken, at now: Timestamp) -> Bool {
        token != worn && !(rests(at: now) && token == previous) && now < token.issuedAt + Self.refreshAge
            && token.issuedAt <= now + Self.tolerance
    }

    /// Takes a minted token into use.
    ///
    /// - Parameter jitter: 0 to 1, the part of ``refreshJitter`` that is added.
    mutating func minted(_ token: ProviderToken, jitter: Double) {
        previous = current
        current = token
        refreshAt = token.issuedAt + Self.refreshAge + Self.refreshJitter * jitter
    }

    /// APNs says that this one has expired; answers to a token that is not in use any more leave the current one.
    mutating func expired(_ token: ProviderToken) {
        worn = token
        if previous == token { previous = nil }
        if current == token { current = nil }
    }

    /// APNs says that new ones came too often: the one before stays in use as long as Apple takes it, and none is
    /// minted for ``mintingPause``.
    mutating func tooMany(_ token: ProviderToken, at now: Timestamp) {
        guard current == token else { return }
        pausedUntil = now + Self.mintingPause
        guard let old = previous, now - old.issuedAt < Self.lifetime else { return }
        previous = token
        current = old
        refreshAt = old.issuedAt + Self.refreshAge
    }
}
