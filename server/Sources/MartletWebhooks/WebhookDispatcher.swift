package import CoreMetrics
package import Logging
package import MartletCore
import MartletPipeline
package import MartletStore
import MartletWire
package import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Writes the call of a webhook URL, as the protocol that it subscribed through wants it.
package typealias WebhookRequestBuilding =
    @Sendable (WebhookDelivery, WebhookDocument, WebhookURL, DeliveryPolicy) async throws -> WebhookRequest

/// Closes a connection, once its handshake is over, when its certificate does not name the host.
package typealias CertificateNameCheck = @Sendable (HostName, any Channel) -> EventLoopFuture<Void>

/// Keeps messages for webhook URLs moving: reads their recipients, calls them, tries again, until it is cancelled.
///
/// Any number of processes may run one over the same store; leases keep them apart.
package struct WebhookDispatcher: Sendable {
    /// The bounds of one dispatcher.
    struct Limits: Sendable {
        /// Calls under way in all. Ours: at 256 KiB a message they hold 16 MiB of messages at most.
        var calls = 64
        /// Calls of one host under way, or of all hosts that did not answer; the rest is left to others.
        var callsPerHost = 8
        /// How many subscriptions are looked at for one part of a message's recipients.
        var page = 500
        /// When to look for work when nobody is notified: what another process wrote is found then.
        var poll: Duration = .seconds(1)
        /// How long calls that are under way may take when the server stops.
        var grace: Duration = .seconds(5)
    }

    let store: Store
    let clock: any WallClock
    let wakeUps: WakeUps
    let vault: Vault
    let request: WebhookRequestBuilding
    let checkName: CertificateNameCheck
    let privateHosts: PrivateHostPolicy
    let metrics: WebhookMetrics
    let logger: Logger
    var limits = Limits()
    /// All addresses of a name.
    var resolve: @Sendable (String) async throws -> [IPAddress]
    /// What to trust in place of the system's certificates.
    var tls: TLSConfiguration?
    /// For how long others take this process for alive; nothing is leased or called without it.
    var presence: LeaseTerm?
    private let throttle = SubscriptionThrottle()
    private let process = Lease.newNumber()
    /// Notified when deliveries may be leased: some were written, or a call is over.
    private let wake = WakeUps()

    /// A dispatcher over a store.
    ///
    /// - Parameters:
    ///   - privateHosts: the hosts of the inside that may be called.
    ///   - presence: ``Dispatcher/presence`` of the dispatcher of pushes beside it.
    package init(
        store: Store,
        vault: Vault,
        clock: any WallClock,
        wakeUps: WakeUps,
        request: @escaping WebhookRequestBuilding,
        checkName: @escaping CertificateNameCheck,
        privateHosts: PrivateHostPolicy,
        metrics: any MetricsFactory,
        presence: LeaseTerm? = nil,
        logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.wakeUps = wakeUps
        self.request = request
        self.checkName = checkName
        self.privateHosts = privateHosts
        self.metrics = WebhookMetrics(factory: metrics)
        self.presence = presence
        self.logger = logger
        self.vault = vault
        let resolver = NameResolver(bound: limits.calls)
        resolve = { try await resolver.addresses(of: $0) }
    }

    /// Works until the task is cancelled. Then it takes no new work, gives calls that are under way a moment to end,
    /// records what they came to, and returns; what was not over is due again at once.
    package func run() async {
        let clients = WebhookClients(group: MultiThreadedEventLoopGroup.singleton, tls: tls, checkName: checkName)
        let sender = sender(over: clients)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await readRecipients() }
            group.addTask { await call(with: sender) }
        }
        clients.close()
    }

    /// What makes the calls.
    func sender(over clients: WebhookClients) -> WebhookSender {
        let names = DNSCache(clock: clock, resolve: resolve)
        return WebhookSender(
            privateHosts: privateHosts,
            clients: clients,
            resolve: { try await names.addresses(of: $0) },
            clock: clock
        )
    }

    /// Reads the recipients of messages into deliveries, a part of each message in turn. A message that makes trouble is
    /// passed over until the next round.
    private func readRecipients() async {
        var last: RowID<WebhookMessage>?
        var (count, hasRead) = (wakeUps.count(of: .webhooks), false)
        while !Task.isCancelled {
            do {
                last = try await store.fanOutWebhooks(after: last, limit: limits.page)
                if last != nil { hasRead = true }
            } catch let failure as WebhookFanOutFailure {
                report(failure.cause, "reading the recipients of a message failed and is tried again")
                last = failure.row
            } catch {
                report(error, "reading the recipients of messages failed and is tried again")
                (last, hasRead) = (nil, false)
            }
            wake.notify(.webhooks)
            guard last == nil else { continue }
            if !hasRead { await wait(for: wakeUps, after: count, until: clock.now() + limits.poll) }
            (count, hasRead) = (wakeUps.count(of: .webhooks), false)
        }
    }

    private func call(with sender: WebhookSender) async {
        let permits = Mutex(Permits<String>(total: limits.calls, perQueue: limits.callsPerHost))
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let count = wake.count(of: .webhooks)
                guard isPresent else {
                    await wait(for: wake, after: count, until: clock.now() + limits.poll)
                    continue
                }
                let (lease, start) = (Lease.new(process: process), ContinuousClock.now)
                var next: Timestamp?
                do {
                    let leased = try await store.leaseWebhooks(permits.withLock { $0 }, lease: lease)
                    noteGivenUp(leased)
                    for delivery in leased.deliveries {
                        permits.withLock { $0.acquire(1, in: delivery.permitHolder) }
                        group.addTask { @Sendable in
                            await work(on: delivery, lease, since: start, sender)
                            permits.withLock { $0.release(1, in: delivery.permitHolder) }
                            wake.notify(.webhooks)
                        }
                    }
                    if !leased.deliveries.isEmpty { continue }
                    next = leased.next
                } catch {
                    report(error, "reading due messages failed and is tried again")
                }
                let poll = clock.now() + limits.poll
                await wait(for: wake, after: count, until: min(poll, next ?? poll))
            }
        }
    }

    private func wait(for wakeUps: WakeUps, after count: UInt64, until deadline: Timestamp) async {
        await wakeUps.wait(for: .webhooks, after: count, until: deadline, clock: clock)
    }

    private var isPresent: Bool { !(presence?.isOver ?? false) }

    /// Makes one attempt, which outlives the cancellation of this task for a moment.
    ///
    /// - Parameter start: when the call began that leased it.
    func work(
        on delivery: WebhookDelivery,
        _ lease: Lease,
        since start: ContinuousClock.Instant,
        _ sender: WebhookSender
    ) async {
        let term = LeaseTerm(of: WebhookDelivery.lease, since: start)
        let attempt = Task { await self.attempt(delivery, term, sender) }
        let (outcome, sign) = await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            Task {
                try? await clock.sleep(for: limits.grace)
                attempt.cancel()
            }
        }
        do {
            try await SettlementRetries.run(on: clock) {
                try await store.settle(delivery, outcome, sign, lease: lease)
            } failed: { error in
                report(error, "recording what became of a message failed and is tried again")
            }
            metrics.count(outcome)
        } catch {
            // The lease ends by itself; then it is tried once more.
            report(error, "recording what became of a message failed")
        }
        if case .dead(let reason) = outcome {
            logger.warning(
                "a message for a webhook URL was given up",
                metadata: [
                    "subscription": "\(delivery.subscription.id)", "message": "\(delivery.message)",
                    "host": "\(delivery.queue)", "reason": "\(reason)",
                ]
            )
        }
    }

    private func attempt(
        _ delivery: WebhookDelivery,
        _ term: LeaseTerm,
        _ sender: WebhookSender
    ) async -> (WebhookOutcome, WebhookHost.Sign) {
        guard let document = try? WebhookDocument(stored: delivery.document) else {
            return (.dead(reason: "The message cannot be read."), .none)
        }
        let policy = DeliveryPolicy(
            subscription: delivery.subscription.attributes["DeliveryPolicy"],
            topic: document.deliveryPolicy
        )
        let start = clock.now()
        if let rate = policy.receivesPerSecond, document.confirmation == nil,
            let turn = throttle.turn(of: delivery, perSecond: rate, now: start)
        {
            return (.deferred(until: turn), .none)
        }
        let answer: WebhookAnswer
        do {
            guard let url = WebhookURL(try WebhookAddress.opened(delivery.subscription.address, vault)) else {
                return (.dead(reason: "The address is no http or https URL."), .none)
            }
            answer = await sender.send(try await request(delivery, document, url, policy)) {
                !term.isOver && isPresent
            }
        } catch {
            report(error, "a message for a webhook URL cannot be written and is tried again")
            // An attempt like others, so that it comes to an end.
            answer = .failed("The message could not be written.")
        }
        let now = clock.now()
        let outcome = answer.outcome(afterAttempts: delivery.attempts + 1, policy, now: now)
        return (outcome, answer.sign(since: start, now: now))
    }

    private func noteGivenUp(_ leased: LeasedWebhooks) {
        guard leased.expired + leased.crashed > 0 else { return }
        metrics.count(leased)
        logger.warning(
            "messages for webhook URLs were given up because they waited too long, or were under way in too many crashes",
            metadata: ["expired": "\(leased.expired)", "crashed": "\(leased.crashed)"]
        )
    }

    private func report(_ error: any Error, _ message: Logger.Message) {
        guard !(error is CancellationError) else { return }
        logger.error(message, metadata: ["error": "\(error)"])
    }
}
