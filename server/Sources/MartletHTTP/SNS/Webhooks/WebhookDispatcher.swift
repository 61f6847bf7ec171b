public import Logging
public import MartletCore
import MartletWire
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Keeps messages for web addresses moving: reads their recipients, calls them, tries again, until it is cancelled.
///
/// Any number of processes may run one over the same store; leases keep them apart.
public struct WebhookDispatcher: Sendable {
    /// The bounds of one dispatcher.
    struct Limits: Sendable {
        /// Calls under way in all. Ours: at 256 KiB a message they hold 16 MiB of messages at most.
        var calls = 64
        /// Calls of one host under way; the rest is left to others.
        var callsPerHost = 8
        /// How many subscriptions are looked at for one part of a message's recipients.
        var page = 500
        /// When to look for work when nothing rings: what another process wrote is found then.
        var poll: Duration = .seconds(1)
        /// How long calls that are under way may take when the server stops.
        var grace: Duration = .seconds(5)
    }

    let store: any Store
    let clock: any WallClock
    let bell: WorkBell
    let press: EnvelopePress
    let privateHosts: PrivateHostPolicy
    let metrics: WebhookMetrics
    let logger: Logger
    var limits = Limits()
    /// All addresses of a name.
    var resolve: @Sendable (String) async throws -> [IPAddress]
    /// What to trust in place of the system's certificates.
    var tls: TLSConfiguration?
    private let throttle = SubscriptionThrottle()
    /// Rings when deliveries may be leased: some were written, or a call is over.
    private let wake = WorkBell()

    /// A dispatcher over a store.
    init(
        store: any Store,
        vault: Vault,
        clock: any WallClock,
        bell: WorkBell,
        certificate: SigningCertificate,
        settings: SNSSettings,
        metrics: WebhookMetrics,
        logger: Logger
    ) {
        self.store = store
        self.clock = clock
        self.bell = bell
        self.metrics = metrics
        self.logger = logger
        privateHosts = settings.privateHosts
        press = EnvelopePress(certificate: certificate, vault: vault, publicURL: settings.publicURL)
        let resolver = NameResolver(bound: limits.calls)
        resolve = { try await resolver.addresses(of: $0) }
    }

    /// Works until the task is cancelled. Then it takes no new work, gives calls that are under way a moment to end,
    /// records what they came to, and returns; what was not over is due again at once.
    public func run() async {
        let clients = WebhookClients(group: MultiThreadedEventLoopGroup.singleton, tls: tls)
        let sender = sender(over: clients)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await readRecipients() }
            group.addTask { await call(with: sender) }
        }
        clients.close()
    }

    /// What makes the calls.
    func sender(over clients: WebhookClients) -> WebhookSender {
        let names = NameMemory(clock: clock, resolve: resolve)
        return WebhookSender(
            privateHosts: privateHosts,
            clients: clients,
            resolve: { try await names.addresses(of: $0) },
            clock: clock
        )
    }

    /// Reads the recipients of messages into deliveries, a part of each message in turn.
    private func readRecipients() async {
        var last: RowID<WebhookMessage>?
        while !Task.isCancelled {
            let rings = bell.rings(.webhooks)
            do {
                let row = try await store.fanOutWebhooks(after: last, limit: limits.page)
                let isDone = row == nil && last == nil
                last = row
                wake.ring(.webhooks)
                if !isDone { continue }
            } catch {
                report(error, "reading the recipients of messages failed and is tried again")
            }
            await wait(for: bell, after: rings, until: clock.now() + limits.poll)
        }
    }

    private func call(with sender: WebhookSender) async {
        let slots = CallSlots(total: limits.calls)
        var after = ""
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let rings = wake.rings(.webhooks)
                let lease = Lease(holder: Int64.random(in: 1...Int64.max))
                var next: Timestamp?
                do {
                    let room = slots.room(perQueue: limits.callsPerHost, after: after)
                    let leased = room.total > 0 ? try await store.leaseWebhooks(room, lease: lease) : LeasedWebhooks()
                    for delivery in leased.deliveries {
                        slots.take(delivery.queue)
                        after = delivery.queue
                        group.addTask {
                            await work(on: delivery, lease, sender)
                            slots.give(delivery.queue)
                            wake.ring(.webhooks)
                        }
                    }
                    if !leased.deliveries.isEmpty { continue }
                    next = leased.next
                } catch {
                    report(error, "reading due messages failed and is tried again")
                }
                let poll = clock.now() + limits.poll
                await wait(for: wake, after: rings, until: min(poll, next ?? poll))
            }
        }
    }

    private func wait(for bell: WorkBell, after rings: UInt64, until deadline: Timestamp) async {
        await bell.wait(for: .webhooks, after: rings, until: deadline, clock: clock)
    }

    /// Makes one attempt, which outlives the cancellation of this task for a moment.
    func work(on delivery: WebhookDelivery, _ lease: Lease, _ sender: WebhookSender) async {
        let attempt = Task { await self.attempt(delivery, sender) }
        let outcome = await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            Task {
                try? await clock.sleep(until: clock.now() + limits.grace)
                attempt.cancel()
            }
        }
        do {
            try await store.settle(delivery, outcome, lease: lease)
            metrics.count(outcome)
        } catch {
            // The lease ends by itself; then it is tried once more.
            report(error, "recording what became of a message failed")
        }
        if case .dead(let reason) = outcome {
            logger.warning(
                "a message for a web address was given up",
                metadata: [
                    "subscription": "\(delivery.subscription.id)", "message": "\(delivery.message)",
                    "host": "\(delivery.queue)", "reason": "\(reason)",
                ]
            )
        }
    }

    private func attempt(_ delivery: WebhookDelivery, _ sender: WebhookSender) async -> WebhookOutcome {
        guard let document = try? WebhookDocument(stored: delivery.document) else {
            return .dead(reason: "The message cannot be read.")
        }
        guard let url = WebhookURL(delivery.subscription.address) else {
            return .dead(reason: "The address is no http or https URL.")
        }
        let policy = DeliveryPolicy(
            subscription: delivery.subscription.attributes["DeliveryPolicy"],
            topic: document.deliveryPolicy
        )
        let now = clock.now()
        if let rate = policy.receivesPerSecond, document.confirmation == nil,
            let turn = throttle.turn(of: delivery, perSecond: rate, now: now)
        {
            return .deferred(until: turn)
        }
        let request: WebhookRequest
        do {
            request = try await press.request(for: delivery, document, to: url, policy)
        } catch {
            report(error, "a message for a web address cannot be written and is tried again")
            return .deferred(until: now + .seconds(20))
        }
        let answer = await sender.send(request)
        return answer.outcome(afterAttempts: delivery.attempts + 1, policy, now: clock.now())
    }

    private func report(_ error: any Error, _ message: Logger.Message) {
        guard !(error is CancellationError) else { return }
        logger.error(message, metadata: ["error": "\(error)"])
    }
}

/// How many calls are under way, of each queue and in all.
private final class CallSlots: Sendable {
    private let taken = Mutex<[String: Int]>([:])
    private let total: Int

    init(total: Int) { self.total = total }

    /// How many more may be made.
    func room(perQueue: Int, after: String) -> WebhookRoom {
        let taken = taken.withLock { $0 }
        return WebhookRoom(
            total: max(0, total - taken.values.reduce(0, +)),
            perQueue: perQueue,
            taken: taken,
            after: after
        )
    }

    func take(_ queue: String) { taken.withLock { $0[queue, default: 0] += 1 } }

    func give(_ queue: String) {
        taken.withLock { taken in taken[queue] = taken[queue].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
