/// What a connection has shown of its sender so far.
struct ConnectionIdentity {
    /// From the TLS handshake; `nil` without a client certificate.
    var certificate: CertificateIdentity?
    /// The key of the first push that was let in by a provider token.
    var firstKey: ConnectionKey?
    /// The `authorization` that was verified last, so that a burst compares one string a push.
    var lastAuthorization: (text: String, token: ProviderToken, generation: Int)?
    /// The provider tokens that were let in.
    var tokenUpdates = TokenUpdates()

    init(certificate: CertificateIdentity? = nil) {
        self.certificate = certificate
    }

    /// A rule has answered ExpiredProviderToken to the token that was let in last.
    mutating func expireToken(in registry: inout APNsRegistry) {
        guard let token = lastAuthorization?.token else { return }
        registry.withUpdates(&tokenUpdates) { $0.expire(token) }
    }
}

/// The key that a connection was begun with.
struct ConnectionKey: Equatable {
    var keyID: String
    var teamID: String
    /// The bundle ids that it is limited to; `nil` for all of the team's.
    var topics: Set<String>?

    /// Whether tokens of another key may follow on the connection: of the same team, and of the same scope.
    ///
    /// Apple lets a team have two keys for all its topics in an environment, and a topic-specific key one that is
    /// related to it. How Apple knows related keys is not documented: here they have the same topics.
    func isRelated(to other: ConnectionKey) -> Bool {
        teamID == other.teamID && (keyID == other.keyID || topics == other.topics)
    }
}

extension APNsCheck {
    /// Apple: a provider token is good for at most one hour.
    static let tokenLifetime: Int64 = 60 * 60
    /// A token from the future is not valid; a minute of clock skew is forgiven (Apple gives no number).
    static let futureTolerance: Int64 = 60

    func credential(
        on connection: inout ConnectionIdentity,
        in registry: inout APNsRegistry
    ) throws(Refusal) -> Credential {
        if let authorization = request.authorization {
            return .token(try providerToken(authorization, on: &connection, in: &registry))
        }
        guard let certificate = connection.certificate else { throw Refusal(.missingProviderToken) }
        guard !certificate.topics.isEmpty else { throw Refusal(.badCertificate) }
        guard certificate.environments.contains(environment) else { throw Refusal(.badCertificateEnvironment) }
        return .certificate(certificate)
    }

    private func providerToken(
        _ authorization: String,
        on connection: inout ConnectionIdentity,
        in registry: inout APNsRegistry
    ) throws(Refusal) -> ProviderToken {
        if let last = connection.lastAuthorization, last.generation == registry.generation, last.text == authorization {
            try checkAge(of: last.token, on: &connection, in: &registry)
            return last.token
        }
        let token = try registry.verifiedToken(try bearer(in: authorization))
        let isOfFuture = token.issuedAt > now / 1_000 + Self.futureTolerance
        guard !registry.checksTokenTimes || !isOfFuture else { throw Refusal(.invalidProviderToken) }
        let registered = registry.keys[token.keyID]
        if let only = registered?.environment, only != environment { throw Refusal(.badEnvironmentKeyID) }
        let key = ConnectionKey(
            keyID: token.keyID,
            teamID: token.teamID,
            topics: registered?.topics.map { Set($0) }
        )
        if let first = connection.firstKey, !key.isRelated(to: first) { throw Refusal(.unrelatedKeyID) }
        try checkAge(of: token, on: &connection, in: &registry)
        let interval = registry.tokenInterval
        let isAdmitted = registry.withUpdates(&connection.tokenUpdates) { updates in
            updates.admits(token, interval: interval, at: now / 1_000)
        }
        guard isAdmitted else { throw Refusal(.tooManyProviderTokenUpdates) }
        if connection.firstKey == nil { connection.firstKey = key }
        connection.lastAuthorization = (authorization, token, registry.generation)
        return token
    }

    private func checkAge(
        of token: ProviderToken,
        on connection: inout ConnectionIdentity,
        in registry: inout APNsRegistry
    ) throws(Refusal) {
        guard registry.checksTokenTimes, now / 1_000 - token.issuedAt > Self.tokenLifetime else { return }
        registry.withUpdates(&connection.tokenUpdates) { $0.expire(token) }
        throw Refusal(.expiredProviderToken)
    }

    private func bearer(in authorization: String) throws(Refusal) -> String {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first else { throw Refusal(.missingProviderToken) }
        guard scheme.lowercased() == "bearer" else { throw Refusal(.invalidProviderToken) }
        guard parts.count == 2 else { throw Refusal(.missingProviderToken) }
        return String(parts[1])
    }
}
