import MartletCore
import MartletTransport
import MartletWire
import NIOCore

/// One push on its way: requests out, outcomes in.
struct APNsSending: Sendable {
    let push: Push
    let route: APNsRoute
    let clock: any WallClock
    let deadline: NIODeadline
    /// How long what is in flight may take after a cancellation.
    let grace: Duration
    let defects: ProviderDefects
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
            isTopicForeign: isTopicForeign
        )
        await route.pool.send(
            requests,
            bodies: bodies(of: targets),
            deadline: deadline,
            grace: grace,
            isUrgent: push.isUrgent,
            mayBegin: push.mayBegin,
            progress: progress
        ) { [self] position, answer, isWithdrawn in
            let outcome = outcome(of: answer, context: context, isWithdrawn: isWithdrawn)
            if let outcome { report(targets?[position] ?? position, outcome) }
        }
        accounts.end(progress, in: queue)
        return nil
    }

    /// What makes each request's body; `nil` where the payload has no holes, and the template has it.
    ///
    /// - Parameter targets: their indices where not all are sent.
    private func bodies(of targets: [Int]?) -> (@Sendable (Int) -> [UInt8])? {
        guard !push.message.payload.holes.isEmpty else { return nil }
        return { [push] position in push.body(of: push.targets[targets?[position] ?? position]) }
    }

    /// What answers are judged by, the same for the whole burst.
    private struct AnswerContext: Sendable {
        var token: ProviderToken?
        var template: HTTP2RequestTemplate
        var sent: Int
        var isTopicForeign: Bool
    }

    /// Whether the push names a topic that is not its credential's own.
    private var isTopicForeign: Bool {
        APNsRequest.ownTopic(of: push.message, with: push.credential.credential.summary) == nil
    }

    private func outcome(
        of answer: HTTP2Answer,
        context: AnswerContext,
        isWithdrawn: Bool
    ) -> Outcome? {
        switch answer {
        case .response(let response):
            // Most answers are this one; nothing else of it is read.
            if response.status == 200 { return .accepted }
            return outcome(of: response, context: context)
        case .failed(.unprocessed) where isWithdrawn: return nil
        case .failed(.unprocessed) where context.template.permit.isWithdrawn:
            // Due at once: the next token is there by then, or the attempt says when it may be.
            return .reroute(reason: "ExpiredProviderToken")
        case .failed(let failure):
            let hasConnection = route.pool.status.connections.contains { !$0.isSilent }
            return MissingAnswer.outcome(of: failure, hasConnection: hasConnection)
        }
    }

    private func outcome(of response: HTTP2Response, context: AnswerContext) -> Outcome {
        let credential = push.credential.credential
        let now = clock.now()
        let answer = APNsAnswer(response, now: now)
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

extension ProviderDefects {
    /// Notes what a verdict says beside its outcome.
    fileprivate func note(_ verdict: APNsVerdict, of answer: APNsAnswer) {
        let isDefect = verdict.reaction == .defect
        guard isDefect || verdict.isUnknown else { return }
        let reason = answer.recordedReason
        note(isDefect: isDefect, status: answer.status, reason: reason, isForeign: answer.isForeign)
    }
}

extension APNsAnswer {
    /// The header fields that an answer is judged by.
    static let fields = ["date", "retry-after"]

    /// An answer as the transport gives it.
    init(_ response: HTTP2Response, now: Timestamp) {
        self.init(
            status: response.status,
            body: response.body,
            date: response.value(of: "date"),
            retryAfter: response.value(of: "retry-after"),
            now: now
        )
    }
}
