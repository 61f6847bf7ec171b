import MartletWire
import Testing

@testable import MartletCore

@Suite struct VerdictTests {
    static let now = Timestamp(milliseconds: 1_000_000)

    static func circumstances(
        attempts: Int = 1,
        expiresAt: Timestamp = Timestamp(milliseconds: 10_000_000_000),
        jitter: Double = 1,
        isKnown: Bool = true,
        mayTryOther: Bool = false,
        hasWaited: Bool = false,
        policy: RetryPolicy = .standard,
        isTopicAccepted: Bool = false
    ) -> Verdict.Circumstances {
        Verdict.Circumstances(
            attempts: attempts,
            hasWaited: hasWaited,
            policy: policy,
            expiresAt: expiresAt,
            now: now,
            jitter: jitter,
            environment: .sandbox,
            isEndpointEnvironmentKnown: isKnown,
            mayTryOtherEnvironment: mayTryOther,
            isTopicAccepted: isTopicAccepted
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var outcome: Outcome
        var circumstances = VerdictTests.circumstances()
        var consequence: Verdict.Consequence
        var change: EndpointChange.Kind?
        var testDescription: String { name }
    }

    static func rejection(_ reason: String, _ meaning: Outcome.Meaning) -> Outcome {
        .rejected(Outcome.Rejection(reason: reason, meaning: meaning))
    }

    static func retry(_ kind: Outcome.Retry.Kind, after: Duration? = nil) -> Outcome {
        .retry(Outcome.Retry(reason: "R", kind: kind, after: after))
    }

    static let since = Timestamp(milliseconds: 77)

    /// Tries again at once, once.
    static let hasty = RetryPolicy(
        maxAttempts: 1,
        steadyTries: 2,
        growingTries: 10,
        minimumDelay: .zero,
        maximumDelay: .zero,
        rateLimitedDelay: .zero
    )

    /// Tries again at once, as often as may be.
    static func hurried(rateLimited: Duration = .zero) -> RetryPolicy {
        RetryPolicy(
            maxAttempts: 50,
            steadyTries: 2,
            growingTries: 10,
            minimumDelay: .zero,
            maximumDelay: .zero,
            rateLimitedDelay: rateLimited
        )
    }

    static let rows: [Row] = [
        Row(name: "accepted", outcome: .accepted, consequence: .end(.accepted, reason: nil)),
        Row(
            name: "accepted where the environment was a guess teaches it",
            outcome: .accepted,
            circumstances: circumstances(isKnown: false),
            consequence: .end(.accepted, reason: nil),
            change: .learn(.sandbox)
        ),
        Row(
            name: "our own mistake leaves the endpoint alone",
            outcome: rejection("BadTopic", .nothing),
            consequence: .end(.rejected, reason: "BadTopic")
        ),
        Row(
            name: "a bad token in a guessed environment is tried in the other",
            outcome: rejection("BadDeviceToken", .badToken),
            circumstances: circumstances(isKnown: false, mayTryOther: true),
            consequence: .otherEnvironment
        ),
        Row(
            name: "a bad token with nowhere else to try disables the endpoint",
            outcome: rejection("BadDeviceToken", .badToken),
            consequence: .end(.rejected, reason: "BadDeviceToken"),
            change: .disable(DisableReason(rawValue: "BadDeviceToken"))
        ),
        Row(
            name: "unregistered with a time disables unless registered since",
            outcome: rejection("Unregistered", .unregistered(since: since)),
            consequence: .end(.rejected, reason: "Unregistered"),
            change: .disableUnlessRegistered(since: since, DisableReason(rawValue: "Unregistered"))
        ),
        Row(
            name: "unregistered without a time disables",
            outcome: rejection("Unregistered", .unregistered(since: nil)),
            consequence: .end(.rejected, reason: "Unregistered"),
            change: .disable(DisableReason(rawValue: "Unregistered"))
        ),
        Row(
            name: "an expired token is removed",
            outcome: rejection("ExpiredToken", .expiredToken),
            consequence: .end(.rejected, reason: "ExpiredToken"),
            change: .remove(DisableReason(rawValue: "ExpiredToken"))
        ),
        Row(
            name: "a provider in trouble is tried after the policy's delay",
            outcome: retry(.provider),
            consequence: .retry(at: now + .seconds(10))
        ),
        Row(
            name: "the delay is jittered",
            outcome: retry(.connection),
            circumstances: circumstances(jitter: 1.2),
            consequence: .retry(at: now + .seconds(12))
        ),
        Row(
            name: "too many pushes for the device waits a minute at least",
            outcome: retry(.rateLimited),
            consequence: .retry(at: now + .seconds(60))
        ),
        Row(
            name: "so it does where the provider as a whole has too many",
            outcome: retry(.overloaded, after: .seconds(5)),
            circumstances: circumstances(policy: hurried(rateLimited: .seconds(60))),
            consequence: .retry(at: now + .seconds(60))
        ),
        Row(
            name: "and no word of the provider hurries that",
            outcome: retry(.rateLimited, after: .zero),
            consequence: .retry(at: now + .seconds(60))
        ),
        Row(
            name: "a push service of a device's own that is in trouble is tried again as the sender says",
            outcome: retry(.host),
            circumstances: circumstances(policy: hurried(rateLimited: .seconds(60))),
            consequence: .retry(at: now)
        ),
        Row(
            name: "what a push service of a device's own gets of a push that is soon over",
            outcome: retry(.host),
            circumstances: circumstances(expiresAt: now + .seconds(30), jitter: 1.2),
            consequence: .retry(at: now + .seconds(12))
        ),
        Row(
            name: "jitter makes nothing come too late",
            outcome: retry(.provider),
            circumstances: circumstances(expiresAt: now + .seconds(11), jitter: 1.2),
            consequence: .retry(at: now + .seconds(10))
        ),
        Row(
            name: "a longer Retry-After counts",
            outcome: retry(.provider, after: .seconds(300)),
            consequence: .retry(at: now + .seconds(300))
        ),
        Row(
            name: "a shorter Retry-After does not hurry the policy",
            outcome: retry(.provider, after: .seconds(2)),
            consequence: .retry(at: now + .seconds(10))
        ),
        Row(
            name: "neither jitter nor a sender's policy that hurries shortens what the provider asks for",
            outcome: retry(.provider, after: .seconds(10)),
            circumstances: circumstances(jitter: RetryPolicy.jitter.lowerBound, policy: hurried()),
            consequence: .retry(at: now + .seconds(10))
        ),
        Row(
            name: "a retry that is due at once is due at once",
            outcome: retry(.provider, after: .zero),
            consequence: .retry(at: now)
        ),
        Row(
            name: "what was not processed goes out again at once",
            outcome: .reroute(reason: "Shutdown"),
            consequence: .reroute(at: now)
        ),
        Row(
            name: "what was not processed once more waits for the policy's shortest delay",
            outcome: .reroute(reason: "Shutdown"),
            circumstances: circumstances(attempts: 3, hasWaited: true),
            consequence: .reroute(at: now + .seconds(10))
        ),
        Row(
            name: "and for a second at least",
            outcome: .reroute(reason: "Shutdown"),
            circumstances: circumstances(hasWaited: true, policy: hasty),
            consequence: .reroute(at: now + .seconds(1))
        ),
        Row(
            name: "a retry that is due at once is not, the third time",
            outcome: retry(.provider, after: .zero),
            circumstances: circumstances(attempts: 3),
            consequence: .retry(at: now + .seconds(10))
        ),
        Row(
            name: "used-up attempts are dead",
            outcome: retry(.provider),
            circumstances: circumstances(attempts: 50),
            consequence: .end(.dead, reason: "R")
        ),
        Row(
            name: "a reroute is no attempt, so that none are used up",
            outcome: .reroute(reason: "Shutdown"),
            circumstances: circumstances(attempts: 50),
            consequence: .reroute(at: now)
        ),
        Row(
            name: "what may not be sent yet goes out when it may, and uses up no attempt",
            outcome: .reroute(reason: "QUOTA_EXCEEDED", after: .seconds(40)),
            circumstances: circumstances(attempts: 50, jitter: 0.8, hasWaited: true),
            consequence: .reroute(at: now + .seconds(40))
        ),
        Row(
            name: "what may be sent in a moment waits for a second, whatever the policy",
            outcome: .reroute(reason: "QUOTA_EXCEEDED", after: .milliseconds(2)),
            circumstances: circumstances(hasWaited: true),
            consequence: .reroute(at: now + .seconds(1))
        ),
        Row(
            name: "what may not be sent before its time is over ends with it",
            outcome: .reroute(reason: "QUOTA_EXCEEDED", after: .seconds(40)),
            circumstances: circumstances(expiresAt: now + .seconds(40)),
            consequence: .end(.expired, reason: "QUOTA_EXCEEDED")
        ),
        Row(
            name: "a reroute ends with the delivery's time",
            outcome: .reroute(reason: "Shutdown"),
            circumstances: circumstances(expiresAt: now + .seconds(10), hasWaited: true),
            consequence: .end(.expired, reason: "Shutdown")
        ),
        Row(
            name: "a token of another app's disables nothing where the topic was never accepted",
            outcome: rejection("DeviceTokenNotForTopic", .wrongTopic),
            consequence: .end(.rejected, reason: "DeviceTokenNotForTopic")
        ),
        Row(
            name: "a token of another app's disables its endpoint once the topic was accepted",
            outcome: rejection("DeviceTokenNotForTopic", .wrongTopic),
            circumstances: circumstances(isTopicAccepted: true),
            consequence: .end(.rejected, reason: "DeviceTokenNotForTopic"),
            change: .disable(DisableReason(rawValue: "DeviceTokenNotForTopic"))
        ),
        Row(
            name: "a retry beyond the expiry is expired",
            outcome: retry(.provider),
            circumstances: circumstances(expiresAt: now + .seconds(10)),
            consequence: .end(.expired, reason: "R")
        ),
        Row(
            name: "a misconfigured queue holds the delivery",
            outcome: .misconfigured(Outcome.Misconfiguration(reason: "InvalidProviderToken", advice: "a")),
            consequence: .hold(Outcome.Misconfiguration(reason: "InvalidProviderToken", advice: "a"))
        ),
    ]

    @Test("jitter only adds: every delay that is asked for is the shortest")
    func jitter() {
        #expect(RetryPolicy.jitter.lowerBound == 1)
        #expect(RetryPolicy.jitter.upperBound == 1.2)
    }

    @Test("each answer has its consequence", arguments: rows)
    func decides(row: Row) {
        let verdict = Verdict(row.outcome, row.circumstances)
        #expect(verdict.consequence == row.consequence)
        #expect(verdict.change == row.change)
    }
}
