package import MartletCore
import MartletTransport
import MartletWire
import NIOCore

extension FCMProvider {
    /// How long a push waits for its turn before its deliveries are planned anew. Ours: a batch that waits longer keeps
    /// others from being sent.
    private static let longestWait: Duration = .seconds(5)

    /// Sends at the project's pace, in one run or several.
    package func run(_ sending: PushSending, over route: FCMRoute) async -> Outcome? {
        let push = sending.push
        var waiting: [Int] = []
        for (index, target) in push.targets.enumerated() {
            if FCMToken.isPlain(target.token) {
                waiting.append(index)
            } else {
                sending.report(index, .rejected(.init(reason: "INVALID_ARGUMENT", meaning: .badToken)))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            var rest = waiting[...]
            while !rest.isEmpty, !Task.isCancelled, push.mayBegin() {
                let token: AccessToken
                do {
                    token = try await route.tokens.token()
                } catch {
                    return sending.report(outcome(of: error), for: rest)
                }
                switch route.pacing.take(rest.count, isUrgent: push.isUrgent) {
                case .go(let count):
                    let run = Array(rest.prefix(count))
                    rest = rest.dropFirst(count)
                    group.addTask { [self] in await send(run, of: sending, with: token, over: route) }
                case .wait(let time)
                where time <= Self.longestWait && .now() + .nanoseconds(time.nanoseconds) < sending.deadline:
                    // Ends early only when the push is cancelled, which the loop sees.
                    try? await Task.sleep(for: time)
                case .wait(let time), .stop(let time):
                    // It never leaves, which is no attempt.
                    return sending.report(.reroute(reason: "QUOTA_EXCEEDED", after: time), for: rest)
                }
            }
        }
        return nil
    }

    /// What it means for a push that there is no access token.
    private func outcome(of error: any Error) -> Outcome {
        guard let resting = error as? AccessTokenSource.Resting else {
            return UnusableCredential.outcome("Store the service account again.")
        }
        return resting.problem.outcome(after: max(.zero, resting.until - clock.now()))
    }

    /// Of one target: a further one might have to wait for its turn.
    package func burst(of sending: PushSending, over route: FCMRoute) -> MeaningfulBurst? {
        guard sending.push.targets.count == 1, FCMToken.isPlain(sending.push.targets[0].token),
            let token = route.tokens.current(),
            case .go = route.pacing.take(1, isUrgent: sending.push.isUrgent)
        else { return nil }
        return burst(of: [0], of: sending, with: token, over: route)
    }

    private func send(_ run: [Int], of sending: PushSending, with token: AccessToken, over route: FCMRoute) async {
        let (burst, meaning) = burst(of: run, of: sending, with: token, over: route)
        await sending.send(burst, over: route.pool, in: sending.queue, outcome: meaning)
    }

    private func burst(
        of run: [Int],
        of sending: PushSending,
        with token: AccessToken,
        over route: FCMRoute
    ) -> MeaningfulBurst {
        let permit = route.permits.permit(for: token)
        let template = FCMRequest.template(authority: route.address.authority, token: token, permit: permit)
        let sent = Sent(push: sending.push, token: token, template: template, at: clock.now(), steadily: .now)
        let burst = PushBurst(
            requests: FCMRequest.burst(run.count, project: route.account.projectID, template: template),
            targets: run,
            bodies: { [push = sending.push, clock] position in
                FCMRequest.body(of: push, target: push.targets[run[position]], at: clock.now())
            },
            missing: MissingAnswer(permit: (permit, "UNAUTHENTICATED"))
        )
        return (
            burst,
            { [self] target, response in
                // Most answers are this one; nothing else of it is read.
                if response.status == 200 { return .accepted }
                return outcome(of: FCMAnswer(response, now: clock.now()), from: target, to: sent, over: route)
            }
        )
    }

    /// What answers are judged by, the same for a whole run.
    private struct Sent: Sendable {
        var push: Push
        var token: AccessToken
        var template: HTTP2RequestTemplate
        var at: Timestamp
        var steadily: ContinuousClock.Instant
    }

    private func outcome(of answer: FCMAnswer, from target: Int, to sent: Sent, over route: FCMRoute) -> Outcome {
        let isAboutToken = answer.status == 401 && answer.errorCode == nil
        let isQuotaOpen = answer.status == 429 && answer.quotaScope == nil
        let verdict = answer.verdict(
            in: FCMAnswerContext(
                credential: sent.push.credential.credential.summary,
                sentAt: sent.at,
                mayRenewToken: isAboutToken ? route.tokens.refused(sent.token) : true,
                isQuotaOfProject: isQuotaOpen && route.pacing.noteQuota(of: sent.push.targets[target].token)
            )
        )
        context.defects.note(answer, isDefect: verdict.reaction == .defect, isUnknown: verdict.isUnknown)
        switch verdict.reaction {
        case .none, .defect: break
        case .renewToken:
            if !sent.template.permit.isWithdrawn { route.pool.withdraw(template: sent.template) }
        case .slowDown(let pause): route.pacing.exceeded(sentAt: sent.steadily, pause: pause)
        case .noteThirdParty: route.pacing.noteThirdParty()
        }
        return verdict.outcome
    }
}
