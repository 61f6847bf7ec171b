import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import Synchronization

/// One push on its way: requests out, outcomes in.
struct APNsSending: Sendable {
    let push: Push
    let route: APNsRoute
    let clock: any WallClock
    let deadline: NIODeadline
    /// How long what is in flight may take after a cancellation.
    let grace: Duration
    let defects: APNsDefects
    let accounts: QueueAccounts
    let report: @Sendable (Int, Outcome) -> Void

    /// Sends, and returns when every target that was sent has its outcome.
    ///
    /// - Returns: the outcome of all targets, when nothing could be sent.
    func run() async -> Outcome? {
        var token: ProviderToken?
        if let tokens = route.tokens {
            let now = clock.now()
            do {
                token = try await tokens.token(at: now)
            } catch let rest as ProviderTokenSource.Resting {
                let reason = "TooManyProviderTokenUpdates"
                return .retry(.init(reason: reason, kind: .provider, after: max(.zero, rest.until - now)))
            } catch {
                return .misconfigured(.init(reason: "UnusableCredential", advice: "Store the signing key again."))
            }
        }
        let template = APNsRequest.template(
            push.message,
            topic: push.credential.credential.summary.topic,
            authority: route.address.authority,
            token: token,
            permit: route.permit(for: token)
        )
        let (requests, targets, refused) = APNsRequest.burst(of: push.targets, template: template)
        for index in refused { report(index, .rejected(.init(reason: "BadDeviceToken", meaning: .badToken))) }
        guard requests.count > 0 else { return nil }
        let queue = push.credential.credential.queue
        let progress = accounts.begin(requests.count, in: queue)
        let context = AnswerContext(
            token: token,
            template: template,
            sent: route.currentGeneration,
            isTopicForeign: isTopicForeign,
            progress: progress
        )
        await send(requests, targets: targets, context: context)
        accounts.end(progress, in: queue)
        return nil
    }

    /// What answers are judged by, the same for the whole burst.
    private struct AnswerContext: Sendable {
        var token: ProviderToken?
        var template: HTTP2RequestTemplate
        var sent: Int
        var isTopicForeign: Bool
        var progress: PushProgress
    }

    /// Whether the push names a topic that is not its credential's own.
    private var isTopicForeign: Bool {
        APNsRequest.ownTopic(of: push.message, with: push.credential.credential.summary) == nil
    }

    private func send(_ requests: HTTP2Burst.Builder, targets: [Int]?, context: AnswerContext) async {
        let isWithdrawn = Atomic(false)
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let burst = requests.build(deadline: deadline) { [self] position, answer in
            let index = targets?[position] ?? position
            if let outcome = outcome(of: answer, context: context, isWithdrawn: isWithdrawn) { report(index, outcome) }
            if context.progress.finish() { waiter.withLock { $0.take() }?.resume() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.withLock { $0 = continuation }
                route.pool.send(burst)
                // A task cancelled before it came here has called its handler before the requests were there.
                if isWithdrawn.load(ordering: .acquiring) { route.pool.withdraw(burst) }
            }
        } onCancel: {
            isWithdrawn.store(true, ordering: .releasing)
            route.pool.withdraw(burst)
            // Not a child: the task that would be its parent has been cancelled. It ends with the grace period.
            Task { [grace, route] in
                try? await Task.sleep(for: grace)
                route.pool.cancel(burst)
            }
        }
    }

    private func outcome(
        of answer: HTTP2Answer,
        context: AnswerContext,
        isWithdrawn: borrowing Atomic<Bool>
    ) -> Outcome? {
        switch answer {
        case .response(let response):
            context.progress.note(answerTime: response.duration.nanoseconds)
            // Most answers are this one; nothing else of it is read.
            if response.status == 200 { return .accepted }
            return outcome(of: response, context: context)
        case .failed(.unprocessed) where isWithdrawn.load(ordering: .acquiring): return nil
        case .failed(.unprocessed) where context.template.permit.isWithdrawn:
            // Due at once: the next token is there by then, or the attempt says when it may be.
            return .reroute(reason: "ExpiredProviderToken")
        case .failed(let failure):
            let hasConnection = route.pool.status.connections.contains { !$0.isSilent }
            return APNsFailure.outcome(of: failure, hasConnection: hasConnection)
        }
    }

    private func outcome(of response: HTTP2Response, context: AnswerContext) -> Outcome {
        let credential = push.credential.credential
        let now = clock.now()
        let answer = APNsAnswer(response)
        let verdict = answer.verdict(
            in: APNsAnswerContext(
                credential: credential.summary,
                environment: credential.environment,
                isTopicForeign: context.isTopicForeign,
                tokenIssuedAt: context.token?.issuedAt,
                now: now
            )
        )
        defects.note(verdict, of: answer)
        route.react(
            to: verdict.reaction,
            token: context.token,
            template: context.template,
            sent: context.sent,
            now: now
        )
        return verdict.outcome
    }
}

extension APNsAnswer {
    /// The header fields that an answer is judged by.
    static let fields = ["date", "retry-after"]

    /// An answer as the transport gives it.
    init(_ response: HTTP2Response) {
        self.init(
            status: response.status,
            body: response.body,
            date: response.value(of: "date"),
            retryAfter: response.value(of: "retry-after")
        )
    }
}

/// What it means that there is no answer.
enum APNsFailure {
    /// The outcome; a request that no peer has disowned is not due at once without any connection that answers, because
    /// the next connection would fail as well.
    static func outcome(of failure: HTTP2Failure, hasConnection: Bool) -> Outcome {
        switch failure {
        case .unprocessed(let reason, let isDisowned) where isDisowned || hasConnection:
            .reroute(reason: bounded(reason))
        case .unprocessed(let reason, _): .retry(.init(reason: bounded(reason), kind: .connection))
        case .lost(let reason): .retry(.init(reason: bounded(reason), kind: .connection))
        case .deadline: .retry(.init(reason: "NoAnswerInTime", kind: .connection))
        case .reset(let code): .retry(.init(reason: "StreamReset \(code)", kind: .connection))
        case .limit(let limit): .retry(.init(reason: bounded(limit), kind: .connection))
        }
    }

    /// 200 bytes say why; reasons are stored with deliveries.
    private static func bounded(_ reason: String) -> String { String(decoding: reason.utf8.prefix(200), as: UTF8.self) }
}
