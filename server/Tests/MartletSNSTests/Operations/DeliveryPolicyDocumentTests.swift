import Foundation
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Which delivery policy is in force")
struct DeliveryPolicyDocumentTests {
    @Test("a subscription's is laid over its topic's, and that over the defaults")
    func layers() throws {
        let topic = """
            {"http":{"defaultHealthyRetryPolicy":{"numRetries":9,"minDelayTarget":5},\
            "defaultThrottlePolicy":{"maxReceivesPerSecond":2},"defaultRequestPolicy":null}}
            """
        let own = #"{"healthyRetryPolicy":{"minDelayTarget":6,"backoffFunction":null}}"#
        let effective = try value(DeliveryPolicyDocument.effective(subscription: own, topic: topic))
        let retries = effective["healthyRetryPolicy"]?.members
        #expect(retries?["numRetries"] == .integer(9))
        #expect(retries?["minDelayTarget"] == .integer(6))
        #expect(retries?["maxDelayTarget"] == .integer(20))
        #expect(retries?["backoffFunction"] == .string("linear"))
        #expect(effective["throttlePolicy"] == .object(["maxReceivesPerSecond": .integer(2)]))
        #expect(effective["requestPolicy"] == .object(["headerContentType": .string("text/plain; charset=UTF-8")]))
        #expect(effective["sicklyRetryPolicy"] == .null)
    }

    @Test("a topic that forbids it has its own in force")
    func forbidden() throws {
        let topic = #"{"http":{"disableSubscriptionOverrides":true,"defaultHealthyRetryPolicy":{"numRetries":9}}}"#
        let own = #"{"healthyRetryPolicy":{"numRetries":1},"throttlePolicy":{"maxReceivesPerSecond":1}}"#
        let effective = try value(DeliveryPolicyDocument.effective(subscription: own, topic: topic))
        #expect(effective["healthyRetryPolicy"]?.members?["numRetries"] == .integer(9))
        #expect(effective["throttlePolicy"] == .null)
    }

    @Test(
        "stages that do not fit together are refused",
        arguments: [
            (
                #"{"healthyRetryPolicy":{"minDelayTarget":9,"maxDelayTarget":8}}"#,
                "greater than or equal to minDelayTarget"
            ),
            (#"{"healthyRetryPolicy":{"numRetries":2,"numNoDelayRetries":3}}"#, "greater than or equal to the total"),
            (#"{"healthyRetryPolicy":{"backoffFunction":"random"}}"#, "must be one of"),
            (#"{"healthyRetryPolicy":{"numRetries":1.5}}"#, "type mismatch, expecting integer, received a number"),
            (#"{"healthyRetryPolicy":[]}"#, "type mismatch, expecting object, received an array"),
            (#"{"guaranteed":"yes"}"#, "type mismatch, expecting boolean, received a string"),
            (#"{"healthyRetryPolicy":{"numRetries":3"#, "failed to parse JSON. "),
            (#"{"healthyRetryPolicy":{"more":1}}"#, "Unexpected JSON member: healthyRetryPolicy.more"),
        ]
    )
    func refused(policy: String, reason: String) {
        #expect {
            try DeliveryPolicyDocument.subscription.check(policy)
        } throws: { error in
            guard let refusal = error as? AttributeRefusal else { return false }
            return refusal.reason.hasPrefix("DeliveryPolicy: ") && refusal.reason.contains(reason)
        }
    }

    private func value(_ text: String) throws -> [String: JSONValue] {
        try #require(try JSONValue(json: Data(text.utf8)).members)
    }
}
