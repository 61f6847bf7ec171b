public import CoreMetrics
public import Logging
public import MartletCore
public import MartletWire
public import NIOCore

/// Apple Push Notification service behind the provider seam.
///
/// Rendering and checking are pure; sending uses long-lived HTTP/2 connections that credentials with the same key share.
public final class APNsProvider: Provider {
    let clock: any WallClock
    let settings: APNsSettings
    let routes: Routes<APNsRoute>
    let defects: ProviderDefects
    let accounts = QueueAccounts()
    let group: any EventLoopGroup
    let logger: Logger

    /// A provider without connections; the first push opens one. Call ``shutdown()`` before it is released.
    ///
    /// - Parameter tokenStore: where provider tokens outlive the process; without one every start mints anew, which Apple
    ///   refuses when it comes too often.
    public init(
        group: any EventLoopGroup,
        clock: any WallClock,
        settings: APNsSettings = APNsSettings(),
        tokenStore: ProviderTokenStore? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger
    ) {
        self.clock = clock
        self.settings = settings
        self.group = group
        self.logger = logger
        routes = Routes(limit: settings.routes, address: ServerAddress.apns) { (opened, address) throws(Failure) in
            try APNsRoute(
                opened,
                address: address,
                settings: settings,
                tokenStore: tokenStore,
                group: group,
                logger: logger
            )
        }
        defects = ProviderDefects(
            service: "APNs",
            platform: .apns,
            metrics: metrics,
            logger: logger
        )
    }

    /// APNs.
    public var platform: Platform { .apns }

    /// Production first, because most devices run store builds.
    public var environments: [MartletCore.Environment] { [.production, .sandbox] }

    /// Hexadecimal digits, in lower case.
    public func normalize(_ token: String, field: String) throws(Failure) -> String {
        try APNsToken.normalize(token, field: field)
    }

    /// Renders a submission: see ``APNsPushType`` for what each push type asks for.
    ///
    /// The header fields go to APNs as they stand, but for `topic-suffix`: what stands there follows the topic of the
    /// credential that the message is sent with, unless the message has an `apns-topic` of its own.
    public func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try APNsRenderer.render(submission, context: context)
    }

    /// The payload, against the push type's limit.
    public func size(of message: Message) -> MessageSize {
        let type = message.headers[APNsHeader.pushType].flatMap(APNsPushType.init) ?? .alert
        return MessageSize(bytes: message.payload.largestCount, limit: type.rules.payloadLimit)
    }

    /// What `payload` or `text` of the override is.
    public func payload(of override: JSONValue) -> [String: JSONValue]? { APNsOverride.payload(of: override) }

    /// The credential's topic with the push type's suffix; `nil` where the message names another one.
    public func topic(of message: Message, with credential: CredentialSummary) -> String? {
        APNsRequest.ownTopic(of: message, with: credential)
    }

    /// Checks a `.p8` key, a `.p12` file or a PEM pair.
    public func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        try APNsCredentialCheck.check(draft, now: clock.now())
    }

    /// Sends to all targets over the credential's connections.
    public func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        guard !push.targets.isEmpty, !Task.isCancelled else { return }
        let now = clock.now()
        if let refusal = APNsPreflight.refusal(of: push, at: now) {
            for index in push.targets.indices { outcome(index, refusal) }
            return
        }
        do {
            let sending: Outcome? = try await routes.withRoute(for: push.credential, at: now) { route in
                await APNsSending(
                    push: push,
                    route: route,
                    clock: clock,
                    deadline: .now() + settings.sendTimeout,
                    grace: settings.cancellationGrace,
                    defects: defects,
                    accounts: accounts,
                    report: outcome
                ).run()
            }
            if let sending { for index in push.targets.indices { outcome(index, sending) } }
        } catch {
            let refusal = UnusableCredential.outcome(of: error)
            for index in push.targets.indices { outcome(index, refusal) }
        }
    }

    /// Every queue that was sent to since the start: what is under way, how long answers took, and its connections.
    public func traffic() -> [QueueTraffic] { accounts.traffic(over: routes) }

    /// Closes all connections; what is in flight has ten seconds. Later pushes are answered with a retry.
    public func shutdown() async { await routes.shutdown() }
}
