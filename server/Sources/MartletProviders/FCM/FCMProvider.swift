public import CoreMetrics
import Foundation
public import Logging
public import MartletCore
public import MartletWire
public import NIOCore
import Synchronization

/// Firebase Cloud Messaging behind the provider seam: its HTTP v1 interface, one message a request.
///
/// Rendering and checking are pure; sending uses long-lived HTTP/2 connections that credentials with the same account
/// share, at the pace that Google allows a project.
public final class FCMProvider: Provider {
    let clock: any WallClock
    let settings: FCMSettings
    let routes: Routes<FCMRoute>
    let group: any EventLoopGroup
    let logger: Logger
    private let defects: ProviderDefects
    private let accounts = QueueAccounts()

    /// A provider without connections; the first push opens one. Call ``shutdown()`` before it is released.
    ///
    /// - Parameter tokenStore: where access tokens outlive the process; without one every process asks for its own.
    public init(
        group: any EventLoopGroup,
        clock: any WallClock,
        settings: FCMSettings = FCMSettings(),
        tokenStore: ProviderTokenStore? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger
    ) {
        self.clock = clock
        self.settings = settings
        self.group = group
        self.logger = logger
        let paces = PaceTable(rate: settings.rate, limit: 4 * settings.routes)
        routes = Routes(limit: settings.routes) { (credential) throws(Failure) in
            try ServerAddress.fcm(credential, settings)
        } open: { (opened, address) throws(Failure) in
            try FCMRoute(
                opened,
                address: address,
                settings: settings,
                tokenStore: tokenStore,
                pacing: paces.pacing,
                clock: clock,
                group: group,
                logger: logger
            )
        }
        defects = ProviderDefects(
            service: "FCM",
            platform: .fcm,
            metrics: metrics,
            logger: logger
        )
    }

    /// FCM.
    public var platform: Platform { .fcm }

    /// One: FCM has no other.
    public var environments: [MartletCore.Environment] { [.production] }

    /// As it came.
    public func normalize(_ token: String, field: String) throws(Failure) -> String {
        try FCMToken.normalize(token, field: field)
    }

    /// Renders a submission. What is Apple's own (push type and topic) says nothing here.
    public func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try FCMRenderer.render(submission, context: context)
    }

    /// Names and values of data and notification.
    public func size(of message: Message) -> MessageSize {
        let body = message.payload.filled(badge: .max, deliveryID: PublicID(high: 0, low: 0))
        let request = (try? JSONValue(json: Data(body)))?.objectValue
        let bytes = FCMMessage.countedBytes(of: request?["message"]?.objectValue ?? [:])
        return MessageSize(bytes: bytes, limit: FCMRenderer.limit)
    }

    /// The data of the override's `message`.
    public func payload(of override: JSONValue) -> [String: JSONValue]? { FCMOverride.payload(of: override) }

    /// Checks a service account.
    public func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        try FCMCredentialCheck.check(draft, settings)
    }

    /// Sends to all targets over the project's connections.
    public func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        guard !push.targets.isEmpty, !Task.isCancelled else { return }
        do {
            try await routes.withRoute(for: push.credential, at: clock.now()) { route in
                await FCMSending(
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
        } catch {
            let refusal = UnusableCredential.outcome(of: error)
            for index in push.targets.indices { outcome(index, refusal) }
        }
    }

    /// Every queue that was sent to since the start.
    public func traffic() -> [QueueTraffic] { accounts.traffic(over: routes) }

    /// Closes all connections; what is in flight has ten seconds. Later pushes are answered with a retry.
    public func shutdown() async { await routes.shutdown() }
}

/// The pace of each project that was sent to: a replaced credential keeps its project's.
private final class PaceTable: Sendable {
    private let rate: Int
    private let limit: Int
    private let paces = Mutex<[String: FCMPacing]>([:])

    init(rate: Int, limit: Int) {
        self.rate = rate
        self.limit = limit
    }

    /// The pace of a project at an address.
    @Sendable func pacing(of project: String) -> FCMPacing {
        paces.withLock { paces in
            if let known = paces[project] { return known }
            // Routes hold those in use; a project that comes back after so many others begins slowly, as after silence.
            if paces.count >= limit { paces.removeAll() }
            let made = FCMPacing(rate: rate)
            paces[project] = made
            return made
        }
    }
}
