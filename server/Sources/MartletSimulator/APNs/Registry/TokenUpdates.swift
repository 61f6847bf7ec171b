/// The provider tokens in use of each key, for Apple's rule of one new token in 20 minutes: those seen on one connection,
/// or those of all.
struct TokenUpdates {
    /// The registry's generation that the tokens were verified in.
    let generation: Int
    private var admitted: [String: [ProviderToken]] = [:]
    /// How many times each key's tokens were answered ExpiredProviderToken without a new one since.
    private var expired: [String: Int] = [:]

    init(generation: Int = 0) {
        self.generation = generation
    }

    /// The token was answered ExpiredProviderToken: the new one that this asks for is not one too many.
    mutating func expire(_ token: ProviderToken) {
        expired[token.keyID, default: 0] += 1
    }

    /// Whether the token may be used beside the others of its key: `false` when it was minted too close to one.
    ///
    /// - Parameters:
    ///   - interval: seconds between the `iat` of two tokens.
    ///   - now: seconds since 1970; tokens that have expired by then no longer count.
    mutating func admits(_ token: ProviderToken, interval: Int64, at now: Int64) -> Bool {
        var others = admitted[token.keyID] ?? []
        if others.contains(where: { $0.serial == token.serial }) { return true }
        others.removeAll { now - $0.issuedAt > APNsCheck.tokenLifetime }
        if let count = expired[token.keyID] {
            expired[token.keyID] = count > 1 ? count - 1 : nil
        } else if !others.allSatisfy({ abs($0.issuedAt - token.issuedAt) >= interval }) {
            return false
        }
        others.append(token)
        admitted[token.keyID] = others.suffix(APNsRegistry.tokenLimit)
        return true
    }
}
