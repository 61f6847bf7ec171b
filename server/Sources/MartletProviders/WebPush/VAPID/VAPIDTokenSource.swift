import Crypto
import MartletCore
import Synchronization

/// The VAPID tokens of all keys and origins, shared by all who send and, over the token store, with other processes and
/// with this one after a restart.
final class VAPIDTokenSource: Sendable {
    /// What a token is for.
    private struct Purpose: Hashable {
        var key: String
        var origin: String
        var subject: String

        /// The name under which all processes find it. The subject is part of it: with another one the token is another.
        var name: String {
            let subject = Secret.base64URL(Array(SHA256.hash(data: Array(subject.utf8)).prefix(8)))
            return "webpush/\(key)/\(subject)/\(origin)"
        }
    }

    private struct State {
        var tokens: [Purpose: VAPIDToken] = [:]
        var renewals: [Purpose: Task<VAPIDToken, any Error>] = [:]
    }

    /// How many tokens are remembered; one more, and those that are worn are forgotten, or else all. Ours: a key of each
    /// of a hundred apps at ten origins.
    private static let limit = 1_024

    private let tokenStore: ProviderTokenStore?
    private let state = Mutex(State())

    /// A source; without a store nobody else knows its tokens.
    init(tokenStore: ProviderTokenStore?) { self.tokenStore = tokenStore }

    /// The token of a key for an origin. When it is time for another one, all who ask wait for the same.
    ///
    /// - Throws: what the crypto library says when it cannot sign.
    func token(_ key: VAPIDKey, id: String, origin: String, subject: String, at now: Timestamp) async throws
        -> VAPIDToken
    {
        let purpose = Purpose(key: id, origin: origin, subject: subject)
        let found = state.withLock { state -> (token: VAPIDToken?, renewal: Task<VAPIDToken, any Error>?) in
            if let token = state.tokens[purpose], token.isGood(at: now) { return (token, nil) }
            // Not a child of whoever asks first: the others must not lose it when that one is cancelled.
            let renewal = state.renewals[purpose] ?? Task { try await self.renew(purpose, key, at: now) }
            state.renewals[purpose] = renewal
            return (nil, renewal)
        }
        if let token = found.token { return token }
        guard let renewal = found.renewal else { throw CancellationError() }
        return try await renewal.value
    }

    /// Takes the token that others use, or makes one and tells them. A store that fails must not stop sending.
    private func renew(_ purpose: Purpose, _ key: VAPIDKey, at now: Timestamp) async throws -> VAPIDToken {
        defer { state.withLock { $0.renewals[purpose] = nil } }
        let seen = try? await tokenStore?.token(purpose.name)
        if let seen {
            let token = VAPIDToken(text: seen.text, issuedAt: seen.issuedAt)
            if token.isGood(at: now) { return adopt(token, purpose, at: now) }
        }
        let made = try VAPIDToken.make(key: key, origin: purpose.origin, subject: purpose.subject, at: now)
        let entry = ProviderTokenStore.Entry(text: made.text, issuedAt: made.issuedAt)
        let standing = try? await tokenStore?.keep(entry, as: purpose.name, insteadOf: seen)
        let token = standing.map { VAPIDToken(text: $0.text, issuedAt: $0.issuedAt) }
        return adopt(token.flatMap { $0.isGood(at: now) ? $0 : nil } ?? made, purpose, at: now)
    }

    private func adopt(_ token: VAPIDToken, _ purpose: Purpose, at now: Timestamp) -> VAPIDToken {
        state.withLock { state in
            if state.tokens.count >= Self.limit { state.tokens = state.tokens.filter { $0.value.isGood(at: now) } }
            if state.tokens.count >= Self.limit { state.tokens = [:] }
            state.tokens[purpose] = token
        }
        return token
    }
}
