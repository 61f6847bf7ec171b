import Logging
import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import NIOSSL
import Synchronization

/// One authenticated way to APNs: connections, and the provider tokens that go over them. APNs allows one team on a
/// connection.
final class APNsRoute: ProviderRoute {
    let address: ServerAddress
    let connection: HTTP2ClientConfiguration
    let pool: HTTP2ClientPool
    /// `nil` where TLS authenticates.
    let tokens: ProviderTokenSource?

    /// How often the connections have been replaced: an answer to a request from before changes nothing any more.
    private let generation = Mutex(0)
    /// The permit of the token in use.
    private let permit = Mutex<(token: ProviderToken, permit: HTTP2Permit)?>(nil)

    /// A route without connections; the first push opens one.
    ///
    /// - Throws: `Failure` when the stored secret or the trusted certificates cannot be used.
    init(
        _ opened: OpenedCredential,
        address: ServerAddress,
        settings: APNsSettings,
        tokenStore: ProviderTokenStore?,
        group: any EventLoopGroup,
        logger: Logger
    ) throws(Failure) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let trust = opened.credential.trust {
            tls.trustRoots = .certificates(try TrustedCertificates(pem: trust).roots)
        }
        switch try APNsSecret(bytes: opened.secret) {
        case .signingKey(let pem):
            let summary = opened.credential.summary
            let key = try SigningKey(pem: pem, keyID: summary.keyID ?? "", teamID: summary.teamID ?? "")
            tokens = ProviderTokenSource(key: key, tokenStore: tokenStore)
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
        let warmUp: (@Sendable (Int) -> Bool)? = tokens == nil ? nil : APNsRoute.isAuthenticated
        self.address = address
        connection = HTTP2ClientConfiguration(
            host: address.host,
            port: address.port,
            serverHostname: address.isIPAddress ? nil : address.host,
            tls: tls,
            connectTimeout: settings.connectTimeout,
            requestTimeout: settings.requestTimeout,
            maxConcurrentStreams: settings.streams,
            maxQueuedRequests: settings.waitingPushes,
            oneStreamUntil: warmUp,
            keptFields: APNsAnswer.fields,
            refusal: opened.credential.isURLOfOthers ? settings.privateHosts.refusal(for: address) : nil
        )
        pool = HTTP2ClientPool(
            HTTP2ClientPoolConfiguration(
                connection: connection,
                maxConnections: settings.connections,
                maxQueuedRequests: settings.waitingPushes
            ),
            group: group,
            logger: logger
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

    /// What allows requests with this token to be sent: one for all of them, so that they are withdrawn together,
    /// whichever push they are of.
    func permit(for token: ProviderToken?) -> HTTP2Permit {
        guard let token else { return HTTP2Permit() }
        return permit.withLock { current in
            if let current, current.token == token { return current.permit }
            let made = HTTP2Permit()
            current = (token, made)
            return made
        }
    }

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
