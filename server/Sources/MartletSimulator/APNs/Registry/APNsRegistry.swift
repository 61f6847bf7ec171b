/// The simulated developer account: keys, apps and devices, and the provider tokens seen so far.
struct APNsRegistry {
    /// Tokens remembered at most; the least recently minted is forgotten first.
    static let tokenLimit = 1_024
    /// Apple: a provider token is to be made anew at most once every 20 minutes.
    static let defaultTokenInterval: Int64 = 20 * 60

    private(set) var keys: [String: SimulatorKey] = [:]
    private(set) var apps: [String: SimulatorApp] = [:]
    private(set) var devices: [String: SimulatorDevice] = [:]
    /// Whether a device token that was not registered is unknown to the simulated APNs.
    var knownTokensOnly = false
    /// Seconds between the `iat` of two tokens of one key; 0 switches the check off.
    var tokenInterval = APNsRegistry.defaultTokenInterval
    /// Whether a key's tokens are compared with those of all connections, and not of their own alone.
    var countsUpdatesAcrossConnections = false
    /// Whether a token's `iat` is compared with the clock.
    var checksTokenTimes = true
    /// Grows with each change of a key, so that nobody trusts what was verified before.
    private(set) var generation = 0

    private var verified: [String: ProviderToken] = [:]
    /// The tokens in use on all connections.
    private var updates = TokenUpdates()
    private var nextSerial = 1

    /// How often a signature was checked: once for each distinct token.
    private(set) var signatureChecks = 0

    /// Adds the key or replaces the one with its id.
    mutating func register(_ key: SimulatorKey) {
        keys[key.keyID] = key
        forgetTokens()
    }

    mutating func register(_ app: SimulatorApp) {
        apps[app.topic] = app
    }

    mutating func register(_ device: SimulatorDevice) {
        devices[device.token] = device
    }

    /// The phone gave its token up: pushes to it are answered 410 from now on.
    ///
    /// - Parameter now: milliseconds since 1970.
    mutating func unregister(_ token: String, at now: Int64) {
        devices[token]?.state = .unregistered(since: now)
    }

    /// Forgets every provider token seen, as a service that was restarted.
    mutating func forgetTokens() {
        verified = [:]
        generation += 1
        updates = TokenUpdates(generation: generation)
    }

    /// The token when its form, key, team and signature are good; checked once for each text.
    mutating func verifiedToken(_ text: String) throws(Refusal) -> ProviderToken {
        if let token = verified[text] { return token }
        guard let unverified = UnverifiedToken(text), let key = keys[unverified.keyID],
            unverified.teamID == key.teamID
        else { throw Refusal(.invalidProviderToken) }
        signatureChecks += 1
        guard unverified.isSigned(by: key.publicKey) else { throw Refusal(.invalidProviderToken) }
        if verified.count >= Self.tokenLimit, let oldest = verified.min(by: { $0.value.issuedAt < $1.value.issuedAt }) {
            verified[oldest.key] = nil
        }
        let token = ProviderToken(
            keyID: unverified.keyID,
            teamID: unverified.teamID,
            issuedAt: unverified.issuedAt,
            serial: nextSerial
        )
        nextSerial += 1
        verified[text] = token
        return token
    }

    /// Reads or changes the tokens in use that a token is compared with.
    ///
    /// - Parameter own: those of the connection; forgotten here when the registry has forgotten its own.
    mutating func withUpdates<Result>(_ own: inout TokenUpdates, _ body: (inout TokenUpdates) -> Result) -> Result {
        if countsUpdatesAcrossConnections { return body(&updates) }
        if own.generation != generation { own = TokenUpdates(generation: generation) }
        return body(&own)
    }
}
