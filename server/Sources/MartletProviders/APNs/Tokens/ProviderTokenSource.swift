import Crypto
import MartletCore
import Synchronization

/// The provider tokens of one signing key, shared by all who send with it and, over the token store, with other processes and
/// with this one after a restart.
final class ProviderTokenSource: Sendable {
    private struct State {
        var tokens = ProviderTokenState()
        var renewal: Task<ProviderToken, any Error>?
    }

    private let key: SigningKey
    private let tokenStore: ProviderTokenStore?
    private let state = Mutex(State())

    /// A source that mints with this key; without a store nobody else knows its tokens.
    init(key: SigningKey, tokenStore: ProviderTokenStore? = nil) {
        self.key = key
        self.tokenStore = tokenStore
    }

    /// There is no token, and none may be minted before this moment.
    struct Resting: Error, Hashable {
        var until: Timestamp
    }

    /// The token to use now. When it is time for another one, all who ask wait for the same.
    ///
    /// - Throws: `Resting` when there is none and none may be minted; what the crypto library says when it cannot sign.
    func token(at now: Timestamp) async throws -> ProviderToken {
        let renewal = state.withLock { state -> Result<ProviderToken, Renewal> in
            if case .use(let token) = state.tokens.decision(at: now) { return .success(token) }
            // Not a child of whoever asks first: the others must not lose it when that one is cancelled.
            let renewal = state.renewal ?? Task { try await self.renew(at: now) }
            state.renewal = renewal
            return .failure(Renewal(task: renewal))
        }
        switch renewal {
        case .success(let token): return token
        case .failure(let renewal): return try await renewal.task.value
        }
    }

    /// The token to use now, where it is not time for another one.
    func current(at now: Timestamp) -> ProviderToken? {
        state.withLock { if case .use(let token) = $0.tokens.decision(at: now) { token } else { nil } }
    }

    private struct Renewal: Error {
        var task: Task<ProviderToken, any Error>
    }

    /// Takes the token that others use, or mints one and tells them. A store that fails must not stop sending.
    private func renew(at now: Timestamp) async throws -> ProviderToken {
        defer { state.withLock { $0.renewal = nil } }
        let seen = try? await tokenStore?.token(key.tokenStoreName)
        if let seen {
            let token = ProviderToken(text: seen.text, issuedAt: seen.issuedAt)
            if state.withLock({ $0.tokens.mayAdopt(token, at: now) }) { return adopt(token) }
        }
        // Again, because answers came in while the store was asked.
        switch state.withLock({ $0.tokens.decision(at: now) }) {
        case .use(let token): return token
        case .rest(let end): throw Resting(until: end)
        case .mint: break
        }
        let minted = try ProviderToken.mint(key: key.key, keyID: key.keyID, teamID: key.teamID, at: now)
        let entry = ProviderTokenStore.Entry(text: minted.text, issuedAt: minted.issuedAt)
        let standing = try? await tokenStore?.keep(entry, as: key.tokenStoreName, insteadOf: seen)
        return adopt(standing.map { ProviderToken(text: $0.text, issuedAt: $0.issuedAt) } ?? minted)
    }

    private func adopt(_ token: ProviderToken) -> ProviderToken {
        state.withLock { $0.tokens.minted(token, jitter: .random(in: 0...1)) }
        return token
    }

    /// APNs says that this one has expired.
    func expired(_ token: ProviderToken) { state.withLock { $0.tokens.expired(token) } }

    /// APNs says that new ones came too often.
    func tooMany(_ token: ProviderToken, at now: Timestamp) { state.withLock { $0.tokens.tooMany(token, at: now) } }
}

extension SigningKey {
    /// The name under which all processes find the key's token. The public key is part of it: a wrong key that was stored
    /// under the same ids must not leave its token to the right one.
    fileprivate var tokenStoreName: String {
        let fingerprint = SHA256.hash(data: key.publicKey.x963Representation).prefix(8)
        return "apns/\(teamID)/\(keyID)/\(Secret.base64URL(Array(fingerprint)))"
    }
}
