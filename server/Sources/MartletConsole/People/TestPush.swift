import MartletCore
import MartletWire

/// A push by which an operator sees whether one device can be reached: once, at once, and not an hour later.
struct TestPush: Sendable {
    var app: App
    var endpoint: PublicID
    var content: Content

    /// For how long an answer is waited for.
    static let timeout: Duration = .seconds(2)
    /// Between two looks. Ours: forty cheap reads at most.
    static let pause: Duration = .milliseconds(50)
    /// After which it is not worth delivering.
    private static let lifetime: Duration = .seconds(60)

    /// What is asked for: a single attempt, so that the provider's first word is the last.
    func submission(now: Timestamp) -> Submission {
        var retry = RetryPolicy.standard
        retry.maxAttempts = 1
        return Submission(
            app: app,
            audience: .endpoints([endpoint]),
            content: content,
            class: .transactional,
            priority: .high,
            collapse: .off,
            dedup: .test(),
            expiry: .at(now + Self.lifetime),
            retry: retry
        )
    }

    /// Whether the one delivery has its recorded state.
    static func hasEnded(_ counts: DeliveryCounts) -> Bool {
        let ended =
            counts.accepted + counts.rejected + counts.suppressed + counts.expired + counts.cancelled + counts.dead
        return counts.pending == 0 && ended > 0
    }
}

/// What is said of a test. A pure value.
struct TestWords: Sendable {
    var texts: Texts

    func values(of line: DeliveryReport, pause: Pause?) -> PageValues {
        [
            "test_result": sentence(line, pause), "test_tone": tone(line.state).rawValue,
            "test_advice": texts.said(pause?.advice ?? ""), "has_advice": pause != nil,
        ]
    }

    /// The answer, with the provider's own word where it said one.
    func sentence(_ line: DeliveryReport, _ pause: Pause?) -> String {
        let provider = line.platform.map { texts["people.provider.\($0.rawValue)"] } ?? texts["people.provider.other"]
        let reason = line.reason.map(texts.reason) ?? texts["people.test.no_reason"]
        switch line.state {
        case .pending where pause != nil:
            return texts["people.test.paused", ["provider": provider, "reason": texts.reason(pause?.reason ?? "")]]
        case .suppressed: return texts["people.test.suppressed", ["reason": WhyWords(texts: texts).reason(line)]]
        case .accepted, .rejected, .pending, .expired, .cancelled, .dead:
            return texts["people.test.\(line.state.rawValue)", ["provider": provider, "reason": reason]]
        }
    }

    private func tone(_ state: DeliveryState) -> Tone { state == .pending ? .warn : WhyWords.tone(state) }
}
