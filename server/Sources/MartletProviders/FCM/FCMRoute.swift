import Logging
import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import NIOSSL
import Synchronization

/// One authenticated way to FCM: connections, and the access tokens that go over them.
final class FCMRoute: ProviderRoute {
    let address: ServerAddress
    let connection: HTTP2ClientConfiguration
    let pool: HTTP2ClientPool
    let account: ServiceAccount
    let tokens: AccessTokenSource
    let pacing: FCMPacing

    /// The permit of the token in use.
    private let permit = Mutex<(token: AccessToken, permit: HTTP2Permit)?>(nil)

    /// A route without connections; the first push opens one.
    ///
    /// - Throws: `Failure` when the stored account or the trusted certificates cannot be used.
    init(
        _ opened: OpenedCredential,
        address: ServerAddress,
        settings: FCMSettings,
        tokenStore: ProviderTokenStore?,
        pacing: (String) -> FCMPacing,
        clock: any WallClock,
        group: any EventLoopGroup,
        logger: Logger
    ) throws(Failure) {
        let credential = opened.credential
        let hosts = FCMCredentialCheck.tokenHosts(
            url: credential.url,
            isURLOfOperator: credential.isURLOfOperator,
            settings
        )
        let account = try ServiceAccount(json: String(decoding: opened.secret, as: UTF8.self), allowing: hosts)
        let trust = credential.url == nil ? settings.trust : credential.trust
        let refusal = credential.isURLOfOthers ? settings.privateHosts.refusal(for: address) : nil
        self.address = address
        self.account = account
        self.pacing = pacing("\(address.authority) \(account.projectID)")
        connection = HTTP2ClientConfiguration(
            host: address.host,
            port: address.port,
            serverHostname: address.isIPAddress ? nil : address.host,
            tls: try Self.tls(trusting: trust),
            connectTimeout: settings.connectTimeout,
            requestTimeout: settings.requestTimeout,
            maxConcurrentStreams: settings.streams,
            maxQueuedRequests: settings.waitingPushes,
            keptFields: FCMAnswer.keptFields,
            refusal: refusal
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
        let endpoint = account.endpoint
        tokens = AccessTokenSource(
            account: account,
            connection: HTTP2ClientConfiguration(
                host: endpoint.address.host,
                port: endpoint.address.port,
                serverHostname: endpoint.address.isIPAddress ? nil : endpoint.address.host,
                tls: try Self.tls(trusting: endpoint.isGoogle ? nil : trust ?? settings.trust),
                connectTimeout: settings.connectTimeout,
                requestTimeout: settings.requestTimeout,
                keptFields: FCMAnswer.keptFields
            ),
            tokenStore: tokenStore,
            clock: clock,
            group: group,
            logger: logger
        )
    }

    private static func tls(trusting pem: String?) throws(Failure) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let pem { tls.trustRoots = .certificates(try TrustedCertificates(pem: pem).roots) }
        return tls
    }

    /// What allows requests with this token to be sent: one for all of them, so that they are withdrawn together.
    func permit(for token: AccessToken) -> HTTP2Permit {
        permit.withLock { current in
            if let current, current.token == token { return current.permit }
            let made = HTTP2Permit()
            current = (token, made)
            return made
        }
    }
}

extension FCMAnswer {
    /// The header fields that an answer is judged by.
    static let keptFields = ["date", "retry-after"]
}

/// One project's pace, shared by all who send for it.
final class FCMPacing: Sendable {
    private struct State {
        var pace: FCMPace
        var witness = QuotaWitness()
        var thirdPartyAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    /// A pace that begins now.
    init(rate: Int) { state = Mutex(State(pace: FCMPace(rate: rate, now: .now))) }

    /// Asks for some pushes.
    func take(_ count: Int, isUrgent: Bool) -> FCMPace.Grant {
        state.withLock { $0.pace.take(count, isUrgent: isUrgent, at: .now) }
    }

    /// FCM says that the project sends too much.
    func exceeded(sentAt: ContinuousClock.Instant, pause: Duration) {
        state.withLock { $0.pace.exceeded(sentAt: sentAt, pause: pause, at: .now) }
    }

    /// Notes a device that was refused for the quota; says whether another one was just before.
    func noteQuota(of token: String) -> Bool { state.withLock { $0.witness.note(token, at: .now) } }

    /// Notes that the project lacks the key for a device of another service.
    func noteThirdParty() { state.withLock { $0.thirdPartyAt = .now } }

    /// Whether it lacked one within the last hour.
    var lacksThirdPartyKey: Bool {
        state.withLock { $0.thirdPartyAt.map { .now - $0 < .seconds(3_600) } ?? false }
    }
}
