import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Who changes something by an access key is in the audit log")
struct ChangeRecordTests {
    /// Operations that change something and are recorded.
    private static let recorded: Set<SNSAction> = [
        .createPlatformApplication, .setPlatformApplicationAttributes, .deletePlatformApplication,
        .setEndpointAttributes, .deleteEndpoint, .createTopic, .deleteTopic, .setTopicAttributes, .tagResource,
        .untagResource, .addPermission, .removePermission, .subscribe, .confirmSubscription, .unsubscribe,
        .setSubscriptionAttributes, .publish, .publishBatch,
    ]

    @Test("each operation reads, is recorded, or registers a phone, or there is none of the name")
    func complete() {
        for action in SNSAction.allCases where !Self.recorded.contains(action) {
            let name = action.rawValue
            let isReading = ["Get", "List", "Check"].contains { name.hasPrefix($0) }
            let isAbsent = ["SMS", "PhoneNumber", "DataProtection"].contains { name.contains($0) }
            #expect(isReading || isAbsent || action == .createPlatformEndpoint, "\(name) records nothing")
        }
    }

    @Test("topics: made once, changed, tagged, permitted, and deleted")
    func topics() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            _ = try await harness.makeTopic("news")
            #expect(try await harness.set("DisplayName", "News", of: arn).status == 200)
            let tag = [("ResourceArn", arn), ("Tags.member.1.Key", "team"), ("Tags.member.1.Value", "web")]
            _ = try await harness.call("TagResource", tag)
            _ = try await harness.call("UntagResource", [("ResourceArn", arn), ("TagKeys.member.1", "team")])
            let permission = [
                ("TopicArn", arn), ("Label", "one"), ("AWSAccountId.member.1", Harness.account),
                ("ActionName.member.1", "Publish"),
            ]
            _ = try await harness.call("AddPermission", permission)
            _ = try await harness.call("RemovePermission", [("TopicArn", arn), ("Label", "one")])
            _ = try await harness.call("DeleteTopic", [("TopicArn", arn)])
            _ = try await harness.call("DeleteTopic", [("TopicArn", arn)])
            let entries = try await Self.entries(harness)
            let updates = Array(repeating: "topic.update", count: 5)
            #expect(entries.map(\.action.rawValue) == ["topic.create"] + updates + ["topic.delete"])
            #expect(Set(entries.map(\.actor.id)) == [harness.key.id] && Set(entries.map(\.actor.kind)) == [.key])
            #expect(entries[1].before?["attributes"] == [:])
            #expect(entries[1].after?["attributes"] == ["DisplayName": "News"])
            #expect(entries[2].after?["tags"] == ["team": "web"])
        }
    }

    @Test("platform applications and endpoints, without what they authenticate with")
    func applications() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeApplication()
            let set = [("PlatformApplicationArn", arn)] + Harness.map(Harness.apple)
            #expect(try await harness.call("SetPlatformApplicationAttributes", set).status == 200)
            let token = Harness.token(7)
            let endpoint = try await harness.makeEndpoint(arn, token: token, userData: "zebra")
            let off = [("EndpointArn", endpoint)] + Harness.map([("Enabled", "false")])
            #expect(try await harness.call("SetEndpointAttributes", off).status == 200)
            _ = try await harness.call("DeleteEndpoint", [("EndpointArn", endpoint)])
            _ = try await harness.call("DeletePlatformApplication", [("PlatformApplicationArn", arn)])
            let entries = try await Self.entries(harness)
            let applications = ["create", "update"].map { "platform_application.\($0)" }
            #expect(
                entries.map(\.action.rawValue)
                    == applications + ["device.update", "device.delete", "platform_application.delete"]
            )
            #expect(entries[1].after?["has_new_credential"] == true)
            #expect(entries[2].before?["is_enabled"] == true && entries[2].after?["is_enabled"] == false)
            let secrets: [Substring] = [
                token[...], "zebra", try #require(Harness.signingKey.split(separator: "\n").dropFirst().first),
            ]
            for entry in entries {
                let text = try [entry.before, entry.after].compactMap { try $0?.json() }
                    .map { String(decoding: $0, as: UTF8.self) }.joined()
                for secret in secrets { #expect(!text.contains(secret), "\(entry.action.rawValue)") }
            }
        }
    }

    @Test("subscriptions; messages to topics, once each and without the text; not messages to one endpoint")
    func subscriptionsAndMessages() async throws {
        try await Harness.run { harness in
            let application = try await harness.makeApplication()
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(8))
            let topic = try await harness.makeTopic("news")
            let subscription = try await harness.subscribe(topic, endpoint)
            _ = try await harness.set("RawMessageDelivery", "false", of: subscription)
            let before = try await Self.entries(harness).count
            let published = try await harness.call("Publish", [("TopicArn", topic), ("Message", "zebra")])
            #expect(try await harness.call("Publish", [("TargetArn", endpoint), ("Message", "zebra")]).status == 200)
            let sent = try await Self.entries(harness).dropFirst(before)
            #expect(sent.map(\.action.rawValue) == ["notification.send"])
            #expect(sent.first?.subject.id == published["MessageId"])
            #expect(sent.first?.after == ["audience": "topic", "topic": "news", "apps": ["shop"]])
            #expect(sent.first?.app != nil)
            _ = try await harness.call("Unsubscribe", [("SubscriptionArn", subscription)])
            #expect(try await Self.entries(harness).last?.action.rawValue == "subscription.delete")
        }
    }

    /// What was recorded, oldest first.
    private static func entries(_ harness: Harness) async throws -> [AuditEntry] {
        try await harness.store.auditEntries(AuditFilter(), PageRequest()).items.reversed()
    }
}

extension JSONValue {
    /// A member of an object, `nil` where there is none.
    fileprivate subscript(name: String) -> JSONValue? { objectValue?[name] }
}
