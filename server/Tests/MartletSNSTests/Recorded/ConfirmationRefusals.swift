import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

/// Confirmations that are refused: of a subscription that waits, by its owner or by whoever has the link.
struct ConfirmationRefusals: Refusals {
    private let topic: String
    /// What confirms the subscription that waits.
    private let token: String
    private let goneTopic = "arn:aws:sns:us-east-1:123456789012:gone"

    init(_ harness: Harness) async throws {
        topic = try await harness.makeTopic("news")
        let arn = try await harness.subscribe(topic, "https://hooks.example.com/a")
        let id = try #require(PublicID(arn.split(separator: ":").last ?? ""))
        token = try ConfirmationToken(of: id, at: harness.clock.now()).text(harness.vault)
    }

    func call(for row: RecordedError) -> RefusedCall? {
        let parts = row.name.split(separator: "/", maxSplits: 1).map(String.init)
        // As long as Amazon's, and nobody's.
        let foreign = String(repeating: "51b2ff3edb475b7d", count: 18)
        switch (parts[0], parts[1]) {
        case (_, "topic-not-exists"): return confirm(goneTopic, foreign)
        case (_, "invalid-token"): return confirm(topic, "randomtoken")
        case (_, "token-not-exists"): return confirm(topic, foreign)
        case (_, "broken-topic-arn-confirm/ErrorResponse"): return confirm("arn", token, isLink: true)
        case (_, "broken-token-confirm/ErrorResponse"): return confirm(topic, "abc123", isLink: true)
        case (_, "different-region-arn-confirm/ErrorResponse"):
            return confirm(topic.replacing("us-east-1", with: "us-west-1"), token, isLink: true)
        default: return nil
        }
    }

    func check(_ harness: Harness) async throws {
        #expect(try await harness.call("ListSubscriptions").all("SubscriptionArn") == ["PendingConfirmation"])
        // What was refused was refused for what was wrong with it.
        let good = try await harness.call("ConfirmSubscription", confirm(topic, token).parameters)
        #expect(good.status == 200, "\(good.body)")
    }

    private func confirm(_ topic: String, _ token: String, isLink: Bool = false) -> RefusedCall {
        RefusedCall("ConfirmSubscription", [("TopicArn", topic), ("Token", token)], isLink: isLink)
    }
}
