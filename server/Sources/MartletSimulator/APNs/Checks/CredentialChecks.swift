/// What a connection has shown of its sender so far.
struct ConnectionIdentity {
    /// From the TLS handshake; `nil` without a client certificate.
    var certificate: CertificateIdentity?
    /// The team of the first push that was let in by a provider token.
    var firstTeamID: String?
    /// The `authorization` that was verified last, so that a burst compares one string a push.
    var lastAuthorization: (text: String, token: ProviderToken, generation: Int)?

    init(certificate: CertificateIdentity? = nil) {
        self.certificate = certificate
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
            try checkAge(of: last.token)
            return last.token
        }
        let token = try registry.verifiedToken(try bearer(in: authorization))
        guard token.issuedAt <= now / 1_000 + Self.futureTolerance else { throw Refusal(.invalidProviderToken) }
        if let only = registry.keys[token.keyID]?.environment, only != environment {
            throw Refusal(.badEnvironmentKeyID)
        }
        if let first = connection.firstTeamID, first != token.teamID { throw Refusal(.unrelatedKeyID) }
        try checkAge(of: token)
        guard registry.admits(token, at: now / 1_000) else { throw Refusal(.tooManyProviderTokenUpdates) }
        connection.firstTeamID = token.teamID
        connection.lastAuthorization = (authorization, token, registry.generation)
        return token
    }

    private func checkAge(of token: ProviderToken) throws(Refusal) {
        if now / 1_000 - token.issuedAt > Self.tokenLifetime { throw Refusal(.expiredProviderToken) }
    }

    private func bearer(in authorization: String) throws(Refusal) -> String {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard let scheme = parts.first else { throw Refusal(.missingProviderToken) }
        guard scheme.lowercased() == "bearer" else { throw Refusal(.invalidProviderToken) }
        guard parts.count == 2 else { throw Refusal(.missingProviderToken) }
        return String(parts[1])
    }
}
