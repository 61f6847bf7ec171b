package import MartletCore
import MartletTransport
import MartletWire

extension APNsProvider {
    /// What is decided about a push before anything is sent.
    package func refusal(of push: Push, at now: Timestamp) -> Outcome? {
        let summary = push.credential.credential.summary
        if let end = summary.expiresAt, end <= now {
            return .misconfigured(
                .init(
                    reason: "CertificateExpired",
                    advice: """
                        The certificate for \(summary.topic) expired on \(APNsCredentialCheck.day(end)). Make a new \
                        one in the developer account and store it.
                        """
                )
            )
        }
        let type = push.message.headers[APNsHeader.pushType].flatMap(APNsPushType.init)
        switch (type?.rules.authentication, summary.kind) {
        case (.tokenOnly, .certificate): return .rejected(.init(reason: "PushTypeNeedsProviderToken"))
        case (.certificateOnly, .token): return .rejected(.init(reason: "PushTypeNeedsCertificate"))
        default: return nil
        }
    }

    package func run(_ sending: PushSending, over route: APNsRoute) async -> Outcome? {
        var token: ProviderToken?
        if let tokens = route.tokens {
            let now = clock.now()
            do {
                token = try await tokens.token(at: now)
            } catch let rest as ProviderTokenSource.Resting {
                let reason = "TooManyProviderTokenUpdates"
                return .retry(.init(reason: reason, kind: .provider, after: max(.zero, rest.until - now)))
            } catch {
                return UnusableCredential.outcome("Store the signing key again.")
            }
        }
        guard let (burst, meaning) = burst(of: sending, with: token, over: route) else { return nil }
        await sending.send(burst, over: route.pool, in: sending.queue, outcome: meaning)
        return nil
    }

    package func burst(of sending: PushSending, over route: APNsRoute) -> MeaningfulBurst? {
        guard let tokens = route.tokens else { return burst(of: sending, with: nil, over: route) }
        guard let token = tokens.current(at: clock.now()) else { return nil }
        return burst(of: sending, with: token, over: route)
    }

    /// What can be sent; reports of the rest that it is refused. `nil` where that is all.
    private func burst(
        of sending: PushSending,
        with token: ProviderToken?,
        over route: APNsRoute
    ) -> MeaningfulBurst? {
        let push = sending.push
        let permit = route.permit(for: token)
        let template = APNsRequest.template(
            push.message,
            topic: push.credential.credential.summary.topic,
            authority: route.address.authority,
            token: token,
            permit: permit
        )
        let (requests, targets, refused) = APNsRequest.burst(of: push.targets, template: template)
        sending.report(.rejected(.init(reason: "BadDeviceToken", meaning: .badToken)), for: refused)
        guard requests.count > 0 else { return nil }
        let missing = MissingAnswer(permit: (permit, "ExpiredProviderToken"))
        var burst = PushBurst(requests: requests, targets: targets, missing: missing)
        // Where the payload has no holes, the template has the body.
        if !push.message.payload.holes.isEmpty {
            burst.bodies = { position in push.body(of: push.targets[targets?[position] ?? position]) }
        }
        let sent = Sent(
            credential: push.credential.credential,
            token: token,
            template: template,
            generation: route.currentGeneration,
            isTopicForeign: topic(of: push.message, with: push.credential.credential.summary) == nil
        )
        return (
            burst,
            { [self] _, response in
                // Most answers are this one; nothing else of it is read.
                response.status == 200 ? .accepted : outcome(of: response, to: sent, over: route)
            }
        )
    }

    /// What answers are judged by, the same for the whole burst.
    private struct Sent: Sendable {
        var credential: Credential
        var token: ProviderToken?
        var template: HTTP2RequestTemplate
        /// What ``APNsRoute/currentGeneration`` was.
        var generation: Int
        /// Whether the push names a topic that is not its credential's own.
        var isTopicForeign: Bool
    }

    private func outcome(of response: HTTP2Response, to sent: Sent, over route: APNsRoute) -> Outcome {
        let now = clock.now()
        let answer = APNsAnswer(response, now: now)
        let verdict = answer.verdict(
            in: APNsAnswerContext(
                credential: sent.credential.summary,
                environment: sent.credential.environment,
                isTopicForeign: sent.isTopicForeign,
                tokenIssuedAt: sent.token?.issuedAt,
                now: now
            )
        )
        context.defects.note(answer, isDefect: verdict.reaction == .defect, isUnknown: verdict.isUnknown)
        route.react(
            to: verdict.reaction,
            token: sent.token,
            template: sent.template,
            sent: sent.generation,
            now: now
        )
        return verdict.outcome
    }
}
