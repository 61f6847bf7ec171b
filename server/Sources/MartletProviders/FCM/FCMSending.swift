import MartletCore
import MartletTransport
import MartletWire
import NIOCore

/// One push on its way: requests out at the project's pace, outcomes in.
struct FCMSending: Sendable {
    let push: Push
    let route: FCMRoute
    let clock: any WallClock
    let deadline: NIODeadline
    /// How long what is in flight may take after a cancellation.
    let grace: Duration
    let defects: ProviderDefects
    let accounts: QueueAccounts
    let report: @Sendable (Int, Outcome) -> Void

    /// How long a push waits for its turn before its deliveries are planned anew. Ours: a batch that waits longer keeps
    /// others from being sent.
    private static let longestWait: Duration = .seconds(5)

    /// Sends, and returns when every target that was sent has its outcome.
    func run() async {
        var waiting: [Int] = []
        for (index, target) in push.targets.enumerated() {
            if FCMToken.isPlain(target.token) {
                waiting.append(index)
            } else {
                report(index, .rejected(.init(reason: "INVALID_ARGUMENT", meaning: .badToken)))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            var rest = waiting[...]
            while !rest.isEmpty, !Task.isCancelled, push.mayBegin() {
                let token: AccessToken
                do {
                    token = try await route.tokens.token()
                } catch {
                    return refuse(rest, outcome(of: error))
                }
                switch route.pacing.take(rest.count, isUrgent: push.isUrgent) {
                case .go(let count):
                    let run = Array(rest.prefix(count))
                    rest = rest.dropFirst(count)
                    group.addTask { await send(run, with: token) }
                case .wait(let time)
                where time <= Self.longestWait && .now() + .nanoseconds(time.nanoseconds) < deadline:
                    // Ends early only when the push is cancelled, which the loop sees.
                    try? await Task.sleep(for: time)
                case .wait(let time), .stop(let time):
                    // It never leaves, which is no attempt.
                    return refuse(rest, .reroute(reason: "QUOTA_EXCEEDED", after: time))
                }
            }
        }
    }

    private func refuse(_ rest: ArraySlice<Int>, _ outcome: Outcome) {
        for index in rest { report(index, outcome) }
    }

    /// What it means for a push that there is no access token.
    private func outcome(of error: any Error) -> Outcome {
        guard let resting = error as? AccessTokenSource.Resting else {
            return .misconfigured(.init(reason: "UnusableCredential", advice: "Store the service account again."))
        }
        return resting.trouble.outcome(after: max(.zero, resting.until - clock.now()))
    }

    private func send(_ run: [Int], with token: AccessToken) async {
        let template = FCMRequest.template(
            authority: route.address.authority,
            token: token,
            permit: route.permit(for: token)
        )
        let queue = push.credential.credential.queue
        let progress = accounts.begin(run.count, in: queue)
        let sentAt = (wall: clock.now(), steady: ContinuousClock.now)
        await route.pool.send(
            FCMRequest.burst(run.count, project: route.account.projectID, template: template),
            bodies: { [push, clock] in FCMRequest.body(of: push, target: push.targets[run[$0]], at: clock.now()) },
            deadline: deadline,
            grace: grace,
            isUrgent: push.isUrgent,
            mayBegin: push.mayBegin,
            progress: progress
        ) { [self] position, answer, isWithdrawn in
            let context = AnswerContext(token: token, template: template, sentAt: sentAt, isWithdrawn: isWithdrawn)
            if let outcome = outcome(of: answer, to: run[position], context) { report(run[position], outcome) }
        }
        accounts.end(progress, in: queue)
    }

    /// What answers are judged by, the same for a whole run.
    private struct AnswerContext: Sendable {
        var token: AccessToken
        var template: HTTP2RequestTemplate
        var sentAt: (wall: Timestamp, steady: ContinuousClock.Instant)
        var isWithdrawn: Bool
    }

    private func outcome(of answer: HTTP2Answer, to index: Int, _ context: AnswerContext) -> Outcome? {
        switch answer {
        case .response(let response):
            // Most answers are this one; nothing else of it is read.
            if response.status == 200 { return .accepted }
            return outcome(of: FCMAnswer(response, now: clock.now()), to: index, context)
        case .failed(.unprocessed) where context.isWithdrawn: return nil
        case .failed(.unprocessed) where context.template.permit.isWithdrawn:
            // Due at once: the next token is there by then, or the attempt says when it may be.
            return .reroute(reason: "UNAUTHENTICATED")
        case .failed(let failure):
            let hasConnection = route.pool.status.connections.contains { !$0.isSilent }
            return MissingAnswer.outcome(of: failure, hasConnection: hasConnection)
        }
    }

    private func outcome(of answer: FCMAnswer, to index: Int, _ context: AnswerContext) -> Outcome {
        let isAboutToken = answer.status == 401 && answer.errorCode == nil
        let isQuotaOpen = answer.status == 429 && answer.quotaScope == nil
        let verdict = answer.verdict(
            in: FCMAnswerContext(
                credential: push.credential.credential.summary,
                sentAt: context.sentAt.wall,
                mayRenewToken: isAboutToken ? route.tokens.refused(context.token) : true,
                isQuotaOfProject: isQuotaOpen && route.pacing.noteQuota(of: push.targets[index].token)
            )
        )
        defects.note(verdict, of: answer)
        switch verdict.reaction {
        case .none, .defect: break
        case .renewToken:
            if !context.template.permit.isWithdrawn { route.pool.withdraw(template: context.template) }
        case .slowDown(let pause): route.pacing.exceeded(sentAt: context.sentAt.steady, pause: pause)
        case .noteThirdParty: route.pacing.noteThirdParty()
        }
        return verdict.outcome
    }
}

extension ProviderDefects {
    /// Notes what a verdict says beside its outcome.
    fileprivate func note(_ verdict: FCMVerdict, of answer: FCMAnswer) {
        let isDefect = verdict.reaction == .defect
        guard isDefect || verdict.isUnknown else { return }
        let reason = answer.recordedReason
        note(isDefect: isDefect, status: answer.status, reason: reason, isForeign: answer.isForeign)
    }
}

extension FCMAnswer {
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

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
