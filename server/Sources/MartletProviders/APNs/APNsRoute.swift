import MartletCore
package import MartletTransport
import MartletWire
import NIOSSL
import Synchronization

/// One authenticated way to APNs: connections, and the provider tokens that go over them. APNs allows one team on a
/// connection.
package final class APNsRoute: ProviderRoute {
    let address: ServerAddress
    let connection: HTTP2ClientConfiguration
    package let pool: HTTP2ClientPool
    /// `nil` where TLS authenticates.
    let tokens: ProviderTokenSource?

    /// How often the connections have been replaced: an answer to a request from before changes nothing any more.
    private let generation = Mutex(0)
    private let permits = TokenPermit<ProviderToken>()

    /// A route without connections; the first push opens one.
    ///
    /// - Throws: `Failure` when the stored secret or the trusted certificates cannot be used.
    init(
        _ opened: OpenedCredential,
        address: ServerAddress,
        settings: APNsSettings,
        _ context: ProviderContext
    ) throws(Failure) {
        let credential = opened.credential
        var tls = try TLSConfiguration.client(trusting: credential.trust)
        switch try APNsSecret(bytes: opened.secret) {
        case .signingKey(let pem):
            let (keyID, teamID) = (credential.summary.keyID ?? "", credential.summary.teamID ?? "")
            let key = try SigningKey(pem: pem, keyID: keyID, teamID: teamID)
            tokens = ProviderTokenSource(key: key, tokenStore: context.tokenStore)
        case .certificate(let chain, let key):
            tokens = nil
            do {
                tls.certificateChain = try chain.map {
                    .certificate(try NIOSSLCertificate(bytes: Array($0), format: .der))
                }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(key), format: .der))
            } catch {
                throw Failure(
                    .invalidCredential,
                    "The stored certificate cannot be used.",
                    hint: "Store the certificate again."
                )
            }
        }
        self.address = address
        var connection = HTTP2ClientConfiguration(
            to: address,
            tls: tls,
            settings,
            keptFields: APNsAnswer.fields,
            isJudged: credential.isURLOfOthers
        )
        connection.oneStreamUntil = tokens == nil ? nil : APNsRoute.isAuthenticated
        (connection.maxConcurrentStreams, connection.maxQueuedRequests) = (settings.streams, settings.waitingPushes)
        self.connection = connection
        pool = HTTP2ClientPool(
            HTTP2ClientPoolConfiguration(
                connection: connection,
                maxConnections: settings.connections,
                maxQueuedRequests: settings.waitingPushes
            ),
            group: context.group,
            logger: context.logger
        )
    }

    /// Whether an answer shows that APNs has taken the provider token: with one, a single stream is allowed until then
    /// (Apple, "Establishing a connection to APNs"). After it the connection has as many as the peer's SETTINGS say.
    ///
    /// Every answer does that is neither about the token (401, 403, 429) nor about the server's own state (5xx): waiting
    /// for a 200 would send a list of dead devices one by one. Where APNs sees it otherwise, its SETTINGS still say one
    /// stream, and those are obeyed in any case.
    @Sendable static func isAuthenticated(status: Int) -> Bool {
        (200..<500).contains(status) && ![401, 403, 429].contains(status)
    }

    /// The number that ``replaceConnections(since:)`` compares.
    var currentGeneration: Int { generation.withLock { $0 } }

    /// Replaces the connections, once for all requests that were sent before.
    func replaceConnections(since sent: Int) {
        let isFirst = generation.withLock { current in
            guard current == sent else { return false }
            current += 1
            return true
        }
        if isFirst { pool.recycle() }
    }

    /// What allows requests with this token to be sent; without one nothing withdraws them.
    func permit(for token: ProviderToken?) -> HTTP2Permit { token.map(permits.permit) ?? HTTP2Permit() }

    /// Does what a verdict asks for beside its outcome.
    ///
    /// - Parameters:
    ///   - sent: what ``currentGeneration`` was when the request was sent.
    func react(
        to reaction: APNsVerdict.Reaction,
        token: ProviderToken?,
        template: HTTP2RequestTemplate,
        sent: Int,
        now: Timestamp
    ) {
        switch reaction {
        case .none, .defect: break
        case .reconnect: replaceConnections(since: sent)
        case .renewToken:
            if let token { tokens?.expired(token) }
            // Before there is a new connection, which would send what has not been sent with the old token.
            if !template.permit.isWithdrawn { pool.withdraw(template: template) }
            replaceConnections(since: sent)
        case .keepOldToken:
            if let token { tokens?.tooMany(token, at: now) }
        }
    }
}

extension ServerAddress {
    /// Apple's own address for an environment (Apple, "Sending notification requests to APNs").
    static func apns(_ environment: Environment) -> ServerAddress {
        ServerAddress(
            host: environment == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com",
            port: 443
        )
    }

    /// Where a credential's pushes go.
    ///
    /// - Throws: `Failure` when its `url` is none.
    static func apns(_ credential: Credential) throws(Failure) -> ServerAddress {
        if let url = credential.url { try ServerAddress(url: url) } else { apns(credential.environment) }
    }
}
