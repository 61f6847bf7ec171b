import MartletWire
import Testing

@testable import MartletCore

@Suite("What an access key may do")
struct AccessPermissionTests {
    private static let arn = "arn:aws:sns:us-east-1:123456789012:"

    @Test(
        "is said by actions and a name, in both of which a star is any run of characters",
        arguments: [
            ("publish:\(arn)news", "Publish", "news", true), ("publish:\(arn)news", "Publish", "news2", false),
            ("publish:\(arn)news", "Publish", "new", false), ("publish:\(arn)news", "Publish", "NEWS", false),
            ("publish:\(arn)news", "PublishBatch", "news", false),
            ("PUBLISH*:\(arn)news", "PublishBatch", "news", true),
            ("get*,list*:\(arn)*", "ListTopics", "*", true), ("get*,list*:\(arn)*", "SetTopicAttributes", "a", false),
            ("*:*", "DeleteTopic", "anything", true), ("*:\(arn)shop-*-eu", "Publish", "shop-a-b-eu", true),
            ("*:\(arn)shop-*-eu", "Publish", "shop-a-eu-us", false), ("*:\(arn)*a*a*", "Publish", "banana", true),
            ("*:\(arn)*a*a*a*a", "Publish", "banana", false), ("*topic*:arn:*:news", "DeleteTopic", "news", true),
            ("publish:arn:aws:sns:*:123456789012:news", "Publish", "news", true),
            ("publish:arn:aws:sns:*:000000000000:news", "Publish", "news", false),
            ("sns:Publish:\(arn)news", "Publish", "news", true), ("sns:Publish:\(arn)news", "Subscribe", "news", false),
            ("get*,SNS:list*:*", "ListTopics", "*", true), ("sns:*:*", "DeleteTopic", "anything", true),
        ]
    )
    func allows(rule: String, action: String, name: String, expected: Bool) throws {
        let permission = try AccessPermission(rule)
        #expect(permission.allows(action, on: Self.arn + name) == expected)
        #expect(permission.text == rule)
    }

    @Test(
        "is no rule without an action, without a name, or with a name of something else",
        arguments: [
            "", ":", "publish", "publish:", ":*", ",:*", "publish,:*", "publish subscribe:*", "publish: *",
            "publish:news", "publish:arn", "publish:arn:aws", "publish:arn:aws:sqs:*", "publish:arn:aws:sns:ä",
            "sns:publish", "sns::*", "sns:sns:publish:*", "sqs:publish:arn:aws:sns:*",
            "publish:\(String(repeating: "*", count: 600))",
        ]
    )
    func refuses(rule: String) {
        let failure = #expect(throws: Failure.self) { try AccessPermission(rule) }
        #expect(failure?.code == .invalidValue && failure?.detail.field == "allow")
    }

    @Test("is found out soon, whatever stands in it")
    func isBounded() throws {
        let rule = "*:arn:*" + String(repeating: "a*", count: 240) + "b"
        let permission = try AccessPermission(rule)
        #expect(!permission.allows("Publish", on: "arn:" + String(repeating: "a", count: 2_048)))
    }
}
