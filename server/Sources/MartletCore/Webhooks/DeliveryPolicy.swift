import Foundation
import MartletWire

/// How a webhook URL is tried again, and how often it is called: the policy in force for one subscription.
package struct DeliveryPolicy: Hashable, Sendable {
    /// How the delays grow between the first retries and the last ones.
    package enum Backoff: String, Hashable, Sendable {
        case linear, arithmetic, geometric, exponential
    }

    /// All retries, 0 to 100; those of the other phases are among them.
    package var retries = 3
    /// Retries at once, the first ones.
    package var withoutDelay = 0
    /// Retries after the shortest delay, before the delays grow.
    package var withMinimumDelay = 0
    /// Retries after the longest delay, the last ones.
    package var withMaximumDelay = 0
    /// The shortest delay, in seconds.
    package var minimumDelay = 20
    /// The longest delay, in seconds.
    package var maximumDelay = 20
    /// How the delays grow.
    package var backoff = Backoff.linear
    /// How many messages a second it gets at most; `nil` is as many as there are.
    package var receivesPerSecond: Int?
    /// What the body is called.
    package var contentType = DeliveryPolicy.standardContentType

    /// The most time that all retries together may take: an hour (Amazon SNS, message delivery retries). Those that
    /// would come later are not made.
    package static let longest: Duration = .seconds(3_600)

    /// What an envelope and a raw message are called where nobody says otherwise.
    package static let standardContentType = "text/plain; charset=UTF-8"

    /// The policy where nobody set one: three retries, each after 20 seconds.
    package init() {}

    /// The policy in force.
    ///
    /// - Parameters:
    ///   - subscription: the `DeliveryPolicy` of the subscription, if it has one.
    ///   - topic: that of the topic.
    package init(subscription: String?, topic: String?) {
        let text = DeliveryPolicyDocument.effective(subscription: subscription, topic: topic)
        guard let value = try? JSONValue(json: Data(text.utf8)), let members = value.members else { return }
        let retry = members["healthyRetryPolicy"]?.members ?? [:]
        retries = Self.number(retry["numRetries"], in: 0...100) ?? retries
        withoutDelay = Self.number(retry["numNoDelayRetries"], in: 0...100) ?? 0
        withMinimumDelay = Self.number(retry["numMinDelayRetries"], in: 0...100) ?? 0
        withMaximumDelay = Self.number(retry["numMaxDelayRetries"], in: 0...100) ?? 0
        minimumDelay = Self.number(retry["minDelayTarget"], in: 0...3_600) ?? minimumDelay
        maximumDelay = max(minimumDelay, Self.number(retry["maxDelayTarget"], in: 0...3_600) ?? maximumDelay)
        if case .string(let name)? = retry["backoffFunction"] { backoff = Backoff(rawValue: name) ?? backoff }
        receivesPerSecond = Self.number(
            members["throttlePolicy"]?.members?["maxReceivesPerSecond"],
            in: 1...Int(Int32.max)
        )
        if case .string(let type)? = members["requestPolicy"]?.members?["headerContentType"], HeaderText.isSafe(type) {
            contentType = type
        }
    }

    /// The delay before each retry.
    package var delays: [Duration] {
        let growing = max(0, retries - withoutDelay - withMinimumDelay - withMaximumDelay)
        var delays = Array(repeating: 0.0, count: withoutDelay)
        delays += Array(repeating: Double(minimumDelay), count: withMinimumDelay)
        delays += (0..<growing).map { delay($0, of: growing) }
        delays += Array(repeating: Double(maximumDelay), count: withMaximumDelay)
        var total = Duration.zero
        return delays.prefix(retries).map { Duration.milliseconds(Int64(($0 * 1_000).rounded())) }
            .prefix { delay in
                total += delay
                return total <= Self.longest
            }
    }

    /// The delay before the next attempt, when so many were made; `nil` when there is none.
    package func delay(afterAttempts attempts: Int) -> Duration? {
        let delays = delays
        return attempts >= 1 && attempts <= delays.count ? delays[attempts - 1] : nil
    }

    /// One of the growing delays, in seconds: the first is the shortest and the last the longest. The names are
    /// Amazon's; what they stand for between is ours.
    private func delay(_ index: Int, of count: Int) -> Double {
        let (least, most) = (Double(minimumDelay), Double(maximumDelay))
        guard count > 1 else { return least }
        let (step, last) = (Double(index), Double(count - 1))
        switch backoff {
        case .linear: return least + (most - least) * step / last
        // Each delay grows by more than the one before it: 1, 2, 3 parts.
        case .arithmetic: return least + (most - least) * step * (step + 1) / (last * (last + 1))
        // Each delay is the one before it times the same number.
        case .geometric: return least > 0 ? least * pow(most / least, step / last) : step == last ? most : 0
        // What is added doubles.
        case .exponential: return least + (most - least) * (exp2(step) - 1) / (exp2(last) - 1)
        }
    }

    private static func number(_ value: JSONValue?, in range: ClosedRange<Int>) -> Int? {
        guard let number = value?.integerValue else { return nil }
        return min(max(Int(number), range.lowerBound), range.upperBound)
    }
}
