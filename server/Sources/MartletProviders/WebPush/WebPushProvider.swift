package import CoreMetrics
package import Logging
public import MartletCore
public import MartletWire
import Metrics
package import NIOCore

/// Web Push (RFC 8030, 8291, 8292) behind the provider seam: the push services of all browsers, and UnifiedPush.
public final class WebPushProvider: Provider {
    private let clock: any WallClock
    private let settings: WebPushSettings
    private let routes: WebPushRoutes
    private let tokens: VAPIDTokenSource
    private let defects: ProviderDefects
    private let accounts = QueueAccounts()

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
        (self.clock, self.settings) = (clock, settings)
        defects = ProviderDefects(service: "a push service", platform: .webpush, metrics: metrics, logger: logger)
        tokens = VAPIDTokenSource(tokenStore: tokenStore)
        let protocols = WebPushProtocols(clock: clock)
        routes = WebPushRoutes(limit: settings.connections, idleLimit: settings.idleLimit) {
            (endpoint) throws(Failure) in
            try WebPushRoute(
                endpoint,
                settings: settings,
                protocols: protocols,
                resolve: resolve,
                group: group,
                logger: logger
            )
        }
    }

    /// Web Push.
    public var platform: Platform { .webpush }

    /// One: the key is the same at every push service. Which service an endpoint is at is its own environment.
    public var environments: [MartletCore.Environment] { [.production] }

    /// The push service of an endpoint.
    public func environment(of token: String) -> MartletCore.Environment? {
        (try? WebPushEndpoint(token, hosts: settings.hosts, field: "token"))?.service
    }

    /// An https address at a push service.
    public func normalize(_ token: String, field: String) throws(Failure) -> String {
        try WebPushEndpoint(token, hosts: settings.hosts, field: field).text
    }

    /// Renders a submission in the declarative form.
    public func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try WebPushRenderer.render(submission, context: context)
    }

    /// The payload, against what is left of a push service's limit beside the encryption.
    public func size(of message: Message) -> MessageSize {
        MessageSize(bytes: message.payload.largestCount, limit: WebPushEncryption.limit)
    }

    /// What `payload` or `text` of the override is.
    public func payload(of override: JSONValue) -> [String: JSONValue]? { WebPushOverride.payload(of: override) }

    /// Makes VAPID keys, takes them over, and rotates them.
    public func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        guard case .webpush(let webPush) = draft.secret else {
            throw .invalid("platform", "The credential is not one of Web Push.")
        }
        return try WebPushCredentialCheck.check(webPush, url: draft.url, trust: draft.trust)
    }

    /// Seals a message for each target and sends it to the push service of each.
    public func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        guard !push.targets.isEmpty, !Task.isCancelled else { return }
        do {
            let secret = try WebPushSecret(bytes: push.credential.secret)
            await WebPushSending(
                push: push,
                subject: secret.subject,
                keys: try secret.keysByID(),
                tokens: tokens,
                routes: routes,
                settings: settings,
                clock: clock,
                deadline: .now() + settings.sendTimeout,
                defects: defects,
                accounts: accounts,
                report: outcome
            ).run()
        } catch {
            let advice = [error.detail.message, error.detail.hint].compactMap(\.self).joined(separator: " ")
            let refusal = Outcome.misconfigured(.init(reason: "UnusableCredential", advice: advice))
            for index in push.targets.indices { outcome(index, refusal) }
        }
    }

    /// Whether the key signs and the subject is one that all services take. No service can be asked without a subscription.
    public func diagnose(_ credential: OpenedCredential) async -> [Finding] {
        WebPushDiagnosis.findings(credential, now: clock.now())
    }

    /// Every queue that was sent to since the start: what is under way, how long answers took, and the connections to its
    /// push service, which all apps share.
    public func traffic() -> [QueueTraffic] {
        let connections = routes.traffic
        return accounts.all.map { queue, account in
            QueueTraffic(
                queue: queue,
                inFlight: account.inFlight,
                answerTimes: account.answerTimes,
                connections: connections[queue.environment]
            )
        }
    }

    /// Closes all connections; what is in flight has ten seconds. Later pushes are answered with a retry.
    public func shutdown() async { await routes.shutdown() }
}
