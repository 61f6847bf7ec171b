package import CoreMetrics
package import Logging
package import MartletCore
package import MartletWire
import Metrics
package import NIOCore

/// Web Push (RFC 8030, 8291, 8292) behind the provider seam: the push services of all browsers, and UnifiedPush.
package final class WebPushProvider: PushService {
    package static let (platform, name) = (Platform.webpush, "a push service")
    package let settings: WebPushSettings
    package let context: ProviderContext
    let routes: WebPushRoutes
    let tokens: VAPIDTokenSource

    /// A provider without connections; the first push opens one. Call ``shutdown()`` before it is released.
    ///
    /// - Parameters:
    ///   - tokenStore: where VAPID tokens outlive the process: Apple wants no more than one an hour.
    ///   - resolve: all addresses of a name, for connections that do not speak HTTP/2.
    package init(
        group: any EventLoopGroup,
        clock: any WallClock,
        settings: WebPushSettings,
        tokenStore: ProviderTokenStore? = nil,
        resolve: @escaping @Sendable (String) async throws -> [IPAddress],
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger
    ) {
        let defects = ProviderDefects(service: Self.name, platform: Self.platform, metrics: metrics, logger: logger)
        let context = ProviderContext(
            group: group,
            clock: clock,
            tokenStore: tokenStore,
            defects: defects,
            logger: logger
        )
        (self.settings, self.context) = (settings, context)
        tokens = VAPIDTokenSource(tokenStore: tokenStore)
        let protocols = WebPushProtocols(clock: clock)
        routes = WebPushRoutes(limit: settings.connections, idleLimit: settings.idleLimit) {
            (endpoint) throws(Failure) in
            try WebPushRoute(endpoint, settings: settings, protocols: protocols, resolve: resolve, context)
        }
    }

    /// One: the key is the same at every push service. Which service an endpoint is at is its own environment.
    package var environments: [MartletCore.Environment] { [.production] }

    /// The push service of an endpoint.
    package func environment(of token: String) -> MartletCore.Environment? {
        (try? WebPushEndpoint(token, hosts: settings.hosts, field: "token"))?.service
    }

    /// An https address at a push service.
    package func normalize(_ token: String, field: String) throws(Failure) -> String {
        try WebPushEndpoint(token, hosts: settings.hosts, field: field).text
    }

    /// Renders a submission in the declarative form.
    package func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try WebPushRenderer.render(submission, context: context)
    }

    /// The payload, against what is left of a push service's limit beside the encryption.
    package func size(of message: Message) -> MessageSize {
        MessageSize(bytes: message.payload.largestCount, limit: WebPushEncryption.limit)
    }

    /// What `payload` or `text` of the override is.
    package func payload(of override: JSONValue) -> [String: JSONValue]? { WebPushOverride.payload(of: override) }

    /// Makes VAPID keys, takes them over, and rotates them.
    package func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        guard case .webpush(let webPush) = draft.secret else {
            throw .invalid("platform", "The credential is not one of Web Push.")
        }
        return try WebPushCredentialCheck.check(webPush, url: draft.url, trust: draft.trust)
    }

    package func run(_ sending: PushSending) async throws(Failure) -> Outcome? {
        let secret = try WebPushSecret(bytes: sending.push.credential.secret)
        let keys = try secret.keysByID()
        await WebPushSending(sending: sending, provider: self, subject: secret.subject, keys: keys).run()
        return nil
    }

    /// Whether the key signs and the subject is one that all services take. No service can be asked without a subscription.
    package func diagnose(_ credential: OpenedCredential) async -> [Finding] {
        WebPushDiagnosis.findings(credential, now: clock.now())
    }

    /// Every queue that was sent to since the start: what is under way, how long answers took, and the connections to its
    /// push service, which all apps share.
    package func traffic() -> [QueueTraffic] {
        let connections = routes.traffic
        return context.accounts.all.map { queue, account in
            QueueTraffic(
                queue: queue,
                inFlight: account.inFlight,
                answerTimes: account.answerTimes,
                connections: connections[queue.environment]
            )
        }
    }

    package func shutdown() async { await routes.shutdown() }
}
