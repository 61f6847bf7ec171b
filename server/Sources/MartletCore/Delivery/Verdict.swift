/// What follows from a provider's answer. A pure value.
struct Verdict: Sendable, Hashable {
    /// What becomes of the delivery.
    var consequence: Consequence
    /// What the answer says about the endpoint.
    var change: EndpointChange.Kind?

    enum Consequence: Sendable, Hashable {
        /// It has ended.
        case end(Fact.State, reason: String?)
        /// It is tried again then.
        case retry(at: Timestamp)
        /// It is tried once in the provider's other environment, at once.
        case otherEnvironment
        /// It waits until an operator has mended the lane.
        case hold(Outcome.Misconfiguration)
    }

    /// What the decision depends on beside the answer.
    struct Circumstances: Sendable, Hashable {
        /// Attempts made, this one included.
        var attempts: Int
        /// How often and when to try again.
        var policy: RetryPolicy
        /// When nothing is tried any more.
        var expiresAt: Timestamp
        /// The present moment.
        var now: Timestamp
        /// What delays are multiplied by, of ``RetryPolicy/jitter``.
        var jitter: Double
        /// The environment that the answer came from.
        var environment: Environment
        /// Whether the endpoint's environment was known before.
        var isEndpointEnvironmentKnown: Bool
        /// Whether the delivery may still be tried in the other environment: this one was a guess, and the app has a
        /// credential there.
        var mayTryOtherEnvironment: Bool
    }

    /// How many attempts may be followed by another one at once. Ours: one for a new token and one for another
    /// connection; a server that refuses after that is in trouble and gets the policy's delays.
    static let attemptsAtOnce = 2

    init(_ outcome: Outcome, _ circumstances: Circumstances) {
        switch outcome {
        case .accepted:
            let lesson = EndpointChange.Kind.learn(circumstances.environment)
            self.init(.end(.accepted, reason: nil), circumstances.isEndpointEnvironmentKnown ? nil : lesson)
        case .rejected(let rejection):
            self.init(rejection, circumstances)
        case .retry(let retry):
            self.init(Verdict.again(reason: retry.reason, retry: retry, circumstances), nil)
        case .reroute(let reason):
            self.init(Verdict.again(reason: reason, retry: nil, circumstances), nil)
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
        case .badToken where circumstances.mayTryOtherEnvironment: self.init(.otherEnvironment, nil)
        case .badToken, .wrongTopic, .unregistered(since: nil): self.init(ended, .disable(reason))
        case .unregistered(let since?): self.init(ended, .disableUnlessRegistered(since: since, reason))
        case .expiredToken: self.init(ended, .remove(reason))
        }
    }

    /// A retry, or the end where the attempts are used up or the next one would come too late.
    private static func again(
        reason: String,
        retry: Outcome.Retry?,
        _ circumstances: Circumstances
    ) -> Consequence {
        guard let planned = circumstances.policy.delay(after: circumstances.attempts) else {
            return .end(.dead, reason: reason)
        }
        let least = retry?.kind == .rateLimited ? circumstances.policy.rateLimitedDelay : .zero
        // A provider's own word is not shortened by jitter; our plan is.
        let ours = max(planned, least) * circumstances.jitter
        let asked = retry.map(\.after) ?? .zero
        let isAtOnce = asked == .zero && circumstances.attempts <= Verdict.attemptsAtOnce
        let delay = isAtOnce ? .zero : max(asked ?? .zero, ours)
        let moment = circumstances.now + delay
        return moment < circumstances.expiresAt ? .retry(at: moment) : .end(.expired, reason: reason)
    }
}
