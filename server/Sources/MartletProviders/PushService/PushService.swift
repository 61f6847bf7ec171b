package import CoreMetrics
package import Logging
package import MartletCore
import MartletTransport
package import MartletWire
package import NIOCore

/// A provider whose pushes go out over connections of its own: it says how one push is sent, and the rest is here.
package protocol PushService: Provider {
    associatedtype Settings: PushSettings

    /// What is reached.
    static var platform: Platform { get }
    /// Its name, for the log.
    static var name: String { get }

    var settings: Settings { get }

    /// What it works with.
    var context: ProviderContext { get }

    /// Sends, and returns when every target that was sent has its outcome.
    ///
    /// - Returns: the outcome of all targets, when nothing could be sent.
    /// - Throws: `Failure` when the credential cannot be used.
    func run(_ sending: PushSending) async throws(Failure) -> Outcome?

    /// Closes all connections; what is in flight has ten seconds. Later pushes are answered with a retry.
    func shutdown() async
}

extension PushService {
    package var platform: Platform { Self.platform }
    var clock: any WallClock { context.clock }

    /// Sends to all targets over the service's connections.
    package func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        guard !push.targets.isEmpty, !Task.isCancelled else { return }
        let sending = self.sending(push, outcome)
        do {
            if let all = try await run(sending) { sending.report(all, for: push.targets.indices) }
        } catch {
            sending.report(UnusableCredential.outcome(of: error), for: push.targets.indices)
        }
    }

    fileprivate func sending(_ push: Push, _ outcome: @escaping @Sendable (Int, Outcome) -> Void) -> PushSending {
        PushSending(
            push: push,
            context: context,
            deadline: .now() + settings.sendTimeout,
            grace: settings.cancellationGrace,
            report: outcome
        )
    }
}

/// A service at which a credential has connections of its own, which it shares with those of the same secret.
package protocol RoutedService: PushService where Settings: DefaultSettings {
    associatedtype Route: ProviderRoute

    var routes: Routes<Route> { get }

    /// A service without connections; the first push opens one.
    init(settings: Settings, context: ProviderContext)

    /// Why none of a push can be sent, whatever the service says; `nil` when it can.
    func refusal(of push: Push, at now: Timestamp) -> Outcome?

    /// ``PushService/run(_:)`` over the credential's route.
    func run(_ sending: PushSending, over route: Route) async -> Outcome?

    /// What of a push goes out over the credential's route, and what its answers mean, where nothing has to be waited for
    /// first.
    func burst(of sending: PushSending, over route: Route) -> MeaningfulBurst?

    /// What is found about a credential and its route, the worst not first.
    func findings(_ credential: OpenedCredential, over route: Route) async -> [Finding]
}

extension RoutedService {
    /// A service without connections; the first push opens one. Call ``PushService/shutdown()`` before it is released.
    ///
    /// - Parameter tokenStore: where tokens outlive the process; without one every start makes anew, which Apple refuses
    ///   when it comes too often, and every process asks Google for its own.
    package init(
        group: any EventLoopGroup,
        clock: any WallClock,
        settings: Settings = Settings(),
        tokenStore: ProviderTokenStore? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory,
        logger: Logger
    ) {
        let defects = ProviderDefects(service: Self.name, platform: Self.platform, metrics: metrics, logger: logger)
        self.init(
            settings: settings,
            context: ProviderContext(
                group: group,
                clock: clock,
                tokenStore: tokenStore,
                defects: defects,
                logger: logger
            )
        )
    }

    /// Nothing, where a service says all by itself.
    package func refusal(of push: Push, at now: Timestamp) -> Outcome? { nil }

    package func run(_ sending: PushSending) async throws(Failure) -> Outcome? {
        let now = clock.now()
        if let refusal = refusal(of: sending.push, at: now) { return refusal }
        return try await routes.withRoute(for: sending.push.credential, at: now) { await run(sending, over: $0) }
    }

    package func begin(
        _ push: Push,
        outcome: @escaping @Sendable (Int, Outcome) -> Void,
        ended: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
        let now = clock.now()
        guard refusal(of: push, at: now) == nil, let (id, route) = try? routes.lend(push.credential, at: now) else {
            return nil
        }
        let sending = self.sending(push, outcome)
        guard let (burst, meaning) = burst(of: sending, over: route) else {
            routes.giveBack(id)
            return nil
        }
        return sending.begin(burst, over: route.pool, in: sending.queue, outcome: meaning) { [routes] in
            routes.giveBack(id)
            ended()
        }
    }

    package func diagnose(_ credential: OpenedCredential) async -> [Finding] {
        do {
            return try await routes.withRoute(for: credential, at: clock.now()) { await findings(credential, over: $0) }
        } catch {
            let subject = "\(credential.credential.queue.word) credential"
            return [Finding(.problem, subject, error.detail.message, advice: error.detail.hint)]
        }
    }

    /// Every queue that was sent to since the start: what is under way, how long answers took, and its connections.
    package func traffic() -> [QueueTraffic] { context.accounts.traffic(over: routes) }

    package func shutdown() async { await routes.shutdown() }
}

/// Settings that all have a default.
package protocol DefaultSettings: PushSettings {
    init()
}

/// How long a service's connections wait for what, and where they may go.
package protocol PushSettings: Sendable {
    var connectTimeout: TimeAmount { get }
    var requestTimeout: TimeAmount { get }
    var sendTimeout: TimeAmount { get }
    var cancellationGrace: Duration { get }
    var privateHosts: PrivateHostPolicy { get }
}

/// What every provider works with: event loops, clock, the tokens that outlive the process, and its accounts.
package struct ProviderContext: Sendable {
    let group: any EventLoopGroup
    let clock: any WallClock
    /// Where tokens outlive the process; without one every process has its own.
    let tokenStore: ProviderTokenStore?
    let defects: ProviderDefects
    let accounts = QueueAccounts()
    let logger: Logger
}

/// A credential that cannot be used.
enum UnusableCredential {
    /// What it means for the deliveries that wait for it.
    static func outcome(of failure: Failure) -> Outcome {
        if failure.code == .overloaded {
            return .retry(.init(reason: "ShuttingDown", kind: .connection, after: .zero))
        }
        return outcome([failure.detail.message, failure.detail.hint].compactMap(\.self).joined(separator: " "))
    }

    /// The outcome with this advice.
    static func outcome(_ advice: String) -> Outcome {
        .misconfigured(.init(reason: "UnusableCredential", advice: advice))
    }
}
