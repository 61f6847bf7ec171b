/// What follows from a provider's answer. A pure value.
package struct Verdict: Sendable, Hashable {
    /// What happens to the delivery.
    package var consequence: Consequence
    /// What the answer says about the endpoint.
    package var change: EndpointChange.Kind?

    package enum Consequence: Sendable, Hashable {
        /// It has ended.
        case end(DeliveryResult.State, reason: String?)
        /// It is tried again then.
        case retry(at: Timestamp)
        /// It was not tried, and is then.
        case reroute(at: Timestamp)
        /// It is tried once in the provider's other environment, at once.
        case otherEnvironment
        /// It waits until an operator has mended the queue.
        case hold(Outcome.Misconfiguration)
    }

    /// What the decision depends on beside the answer.
    package struct Circumstances: Sendable, Hashable {
        /// Attempts made, this one included.
        package var attempts: Int
        /// Whether it waited before: it was tried or rerouted already.
        package var hasWaited: Bool
        /// How often and when to try again.
        package var policy: RetryPolicy
        /// When nothing is tried any more.
        package var expiresAt: Timestamp
        /// The present moment.
        package var now: Timestamp
        /// What delays are multiplied by, of ``RetryPolicy/jitter``.
        package var jitter: Double
        /// The environment that the answer came from.
        package var environment: Environment
        /// Whether the endpoint's environment was known before.
        package var isEndpointEnvironmentKnown: Bool
        /// Whether the delivery may still be tried in the other environment: this one was a guess, and the app has a
        /// credential there.
        package var mayTryOtherEnvironment: Bool
        /// Whether the provider has ever taken a push to this topic with this credential.
        package var isTopicAccepted: Bool

        package init(
            attempts: Int,
            hasWaited: Bool,
            policy: RetryPolicy,
            expiresAt: Timestamp,
            now: Timestamp,
            jitter: Double,
            environment: Environment,
            isEndpointEnvironmentKnown: Bool,
            mayTryOtherEnvironment: Bool,
            isTopicAccepted: Bool
        ) {
            self.attempts = attempts
            self.hasWaited = hasWaited
            self.policy = policy
            self.expiresAt = expiresAt
            self.now = now
            self.jitter = jitter
            self.environment = environment
            self.isEndpointEnvironmentKnown = isEndpointEnvironmentKnown
            self.mayTryOtherEnvironment = mayTryOtherEnvironment
            self.isTopicAccepted = isTopicAccepted
        }
    }

    /// How many attempts may be followed by another one at once. Ours: one for a new token and one for another
    /// connection; a server that refuses after that is in trouble and gets the policy's delays.
    package static let attemptsAtOnce = 2

    /// The least pause between two reroutes of a delivery, where the policy's own is shorter. 1 s, ours: only time bounds
    /// them, and a server that disowns everything must not be asked as fast as it can answer.
    package static let reroutePause: Duration = .seconds(1)

    package init(_ outcome: Outcome, _ circumstances: Circumstances) {
        switch outcome {
        case .accepted:
            let lesson = EndpointChange.Kind.learn(circumstances.environment)
            self.init(.end(.accepted, reason: nil), circumstances.isEndpointEnvironmentKnown ? nil : lesson)
        case .rejected(let rejection):
            self.init(rejection, circumstances)
        case .retry(let retry):
            self.init(Verdict.again(retry, circumstances), nil)
        case .reroute(let reason, let wait):
            self.init(Verdict.elsewhere(reason: reason, after: wait, circumstances), nil)
        case .misconfigured(let misconfiguration):
            self.init(.hold(misconfiguration), nil)
        }
    }

    private init(_ consequence: Consequence, _ change: EndpointChange.Kind?) {
        self.consequence = consequence
        self.change = change
    }

    private init(_ rejection: Outcome.Rejection, _ circumstances: Circumstances) {
        let ended = Consequence.end(.rejected, reason: rejection.reason)
        let reason = DisableReason(rawValue: rejection.reason)
        switch rejection.meaning {
        case .nothing: self.init(ended, nil)
        case .wrongTopic where !circumstances.isTopicAccepted: self.init(ended, nil)
        case .badToken where circumstances.mayTryOtherEnvironment: self.init(.otherEnvironment, nil)
        case .badToken, .wrongTopic, .unregistered(since: nil): self.init(ended, .disable(reason))
        case .unregistered(let since?): self.init(ended, .disableUnlessRegistered(since: since, reason))
        case .expiredToken: self.init(ended, .remove(reason))
        }
    }

    /// A retry, or the end where the attempts are used up or the next one would come too late.
    private static func again(_ retry: Outcome.Retry, _ circumstances: Circumstances) -> Consequence {
        guard let planned = circumstances.policy.delay(after: circumstances.attempts) else {
            return .end(.dead, reason: retry.reason)
        }
        let isTooMany = retry.kind == .rateLimited || retry.kind == .overloaded
        let ours = isTooMany ? max(planned, circumstances.policy.rateLimitedDelay) : planned
        let asked = retry.after ?? .zero
        let isAtOnce = retry.after == .zero && !isTooMany && circumstances.attempts <= Verdict.attemptsAtOnce
        // The longest of the three counts. Jitter makes nothing come too late that would come in time without it.
        let delays: [Duration] = isAtOnce ? [.zero] : [max(asked, ours * circumstances.jitter), max(asked, ours)]
        let moment = delays.lazy.map { circumstances.now + $0 }.first { $0 < circumstances.expiresAt }
        return moment.map { .retry(at: $0) } ?? .end(.expired, reason: retry.reason)
    }

    /// Another way for what was not processed: when it may be sent again; where nothing is in the way at once, then with
    /// pauses; for as long as there is time.
    private static func elsewhere(reason: String, after wait: Duration, _ circumstances: Circumstances) -> Consequence {
        let pause = max(circumstances.policy.minimumDelay, reroutePause) * circumstances.jitter
        let atOnce = circumstances.hasWaited ? pause : .zero
        let moment = circumstances.now + (wait > .zero ? max(wait, reroutePause) : atOnce)
        return moment < circumstances.expiresAt ? .reroute(at: moment) : .end(.expired, reason: reason)
    }
}
