import Testing

/// What calls need to be refused for the right reason: topics and subscriptions to name.
struct TopicRefusals: Refusals {
    var topic = ""
    var fifo = ""
    /// One that was deleted.
    var goneTopic = ""
    /// An http subscription that is not confirmed, and has `RawMessageDelivery`.
    var subscription = ""
    /// One to the FIFO topic.
    var fifoSubscription = ""
    /// One that ended.
    var goneSubscription = ""

    static let address = "https://hooks.example.com/a"

    init(_ harness: Harness) async throws {
        topic = try await harness.makeTopic("news")
        fifo = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
        goneTopic = try await harness.makeTopic("gone")
        _ = try await harness.call("DeleteTopic", [("TopicArn", goneTopic)])
        let raw = [("RawMessageDelivery", "true")]
        subscription = try await harness.subscribe(topic, Self.address, attributes: raw)
        fifoSubscription = try await harness.subscribe(fifo, Self.address)
        goneSubscription = try await harness.subscribe(topic, "https://hooks.example.com/gone")
        _ = try await harness.call("Unsubscribe", [("SubscriptionArn", goneSubscription)])
        _ = try await harness.call("AddPermission", permission(label: "known", action: "Publish"))
        // A policy that is given to it is of the body.
        _ = try await harness.set("FilterPolicyScope", "MessageBody", of: fifoSubscription)
    }

    /// The call that brings a recorded refusal about; `nil` for none.
    func call(for row: RecordedError) -> RefusedCall? {
        if let policy = row.policy, let scope = row.scope {
            return filterCall(policy, scope: scope, isSubscribe: row.call == "Subscribe")
        }
        let parts = row.name.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let (test, step) = (parts[0], parts[1])
        return topicCall(test, step) ?? subscribeCall(test, step) ?? subscriptionCall(test, step)
    }

    /// Looks whether topics and subscriptions are as they were.
    func check(_ harness: Harness) async throws {
        #expect(try await harness.call("ListTopics").all("TopicArn") == [topic, fifo])
        #expect(try await harness.call("ListSubscriptions").all("SubscriptionArn").count == 2)
    }

    private func permission(label: String, action: String, on topic: String? = nil) -> [(String, String)] {
        [
            ("TopicArn", topic ?? self.topic), ("Label", label), ("AWSAccountId.member.1", "111122223333"),
            ("ActionName.member.1", action),
        ]
    }

    private func filterCall(_ policy: String, scope: String, isSubscribe: Bool) -> RefusedCall {
        guard isSubscribe else {
            // The scope is asked for before, and the policy that has it comes then.
            return set("FilterPolicy", policy, on: scope == "MessageBody" ? fifoSubscription : subscription)
        }
        let attributes = [("FilterPolicy", policy), ("FilterPolicyScope", scope)]
        return subscribe("https", "https://hooks.example.com/filtered", attributes)
    }

    private func create(_ name: String, _ attributes: [(String, String)] = []) -> RefusedCall {
        RefusedCall("CreateTopic", [("Name", name)] + Harness.map(attributes))
    }

    private func subscribe(
        _ transport: String,
        _ endpoint: String,
        _ attributes: [(String, String)] = [],
        topic: String? = nil,
        region: String = Harness.region
    ) -> RefusedCall {
        let parameters = [("TopicArn", topic ?? self.topic), ("Protocol", transport), ("Endpoint", endpoint)]
        return RefusedCall("Subscribe", parameters + Harness.map(attributes), region: region)
    }

    private func set(_ name: String, _ value: String, on subscription: String? = nil) -> RefusedCall {
        let parameters = [("SubscriptionArn", subscription ?? self.subscription), ("AttributeName", name)]
        return RefusedCall("SetSubscriptionAttributes", parameters + [("AttributeValue", value)])
    }

    private func topicCall(_ test: String, _ step: String) -> RefusedCall? {
        let other = "eu-central-1"
        let attributes = [("TopicArn", topic), ("AttributeName", "DisplayName"), ("AttributeValue", "x")]
        switch (test, step) {
        case (_, "get-attrs-nonexistent-topic"), ("test_create_topic_test_arn", _):
            return RefusedCall("GetTopicAttributes", [("TopicArn", goneTopic)])
        case (_, "get-attrs-malformed-topic"): return RefusedCall("GetTopicAttributes", [("TopicArn", "news")])
        case ("test_tags", _):
            let tags = (1...2).flatMap { [("Tags.member.\($0).Key", "k"), ("Tags.member.\($0).Value", "v\($0)")] }
            return RefusedCall("TagResource", [("ResourceArn", topic)] + tags)
        case ("test_create_duplicate_topic_with_more_tags", _):
            let tag = [("Tags.member.1.Key", "k"), ("Tags.member.1.Value", "v")]
            return RefusedCall("CreateTopic", [("Name", "news")] + tag)
        case ("test_cross_region_access", "set-topic-attrs"):
            return RefusedCall("SetTopicAttributes", attributes, region: other)
        case ("test_cross_region_access", "get-topic-attrs"):
            return RefusedCall("GetTopicAttributes", [("TopicArn", topic)], region: other)
        case ("test_cross_region_access", "list-subs"):
            return RefusedCall("ListSubscriptionsByTopic", [("TopicArn", topic)], region: other)
        case ("test_cross_region_access", "delete-topic"):
            return RefusedCall("DeleteTopic", [("TopicArn", topic)], region: other)
        case ("test_create_topic_name_constraints", _): return nameCall(step)
        case ("test_topic_get_attributes_with_fifo_false", _):
            let fifo = [("AttributeName", "FifoTopic"), ("AttributeValue", "false")]
            return RefusedCall("SetTopicAttributes", [("TopicArn", topic)] + fifo)
        case ("test_create_topic_different_attrs", "create-topic-new-attrs-fifo"):
            return create("news", [("FifoTopic", "true")])
        case ("test_create_topic_different_attrs", "create-topic-new-and-same-attrs"):
            return create("news", [("DisplayName", ""), ("SignatureVersion", "2")])
        case ("test_create_topic_different_attrs", _): return create("news", [("DisplayName", "other")])
        case (_, "duplicate-label"): return RefusedCall("AddPermission", permission(label: "known", action: "Publish"))
        case ("test_add_permission_errors", "topic-not-found"):
            return RefusedCall("AddPermission", permission(label: "new", action: "Publish", on: goneTopic))
        case (_, "invalid-action"): return RefusedCall("AddPermission", permission(label: "new", action: "Nothing"))
        case ("test_remove_permission_errors", _):
            return RefusedCall("RemovePermission", [("TopicArn", goneTopic), ("Label", "known")])
        default: return nil
        }
    }

    private func nameCall(_ step: String) -> RefusedCall? {
        switch step {
        case "name-too-short": return create("")
        case "name-too-long": return create(String(repeating: "a", count: 257))
        case "name-contains-fifo": return create("late.fifo")
        case "fifo-name-not-contains-fifo": return create("late", [("FifoTopic", "true")])
        default:
            let characters = ["@", "#", "!", " ", "/", ".", "é", "\u{1F600}"]
            guard let index = step.split(separator: "-").last.flatMap({ Int($0) }), characters.indices.contains(index)
            else { return nil }
            return create("topic\(characters[index])name")
        }
    }

    private func subscribeCall(_ test: String, _ step: String) -> RefusedCall? {
        let other = "eu-central-1"
        switch (test, step) {
        case ("test_subscribe_with_invalid_protocol", _): return subscribe("test-protocol", "x")
        case (_, "subscribe-wrong-attr"):
            return subscribe("https", Self.address, [("RawMessageDelivery", "wrongvalue")])
        case ("test_subscribe_to_sqs_with_queue_url", _), ("test_subscribe_sqs_queue_url", _):
            return subscribe("sqs", "https://sqs.us-east-1.amazonaws.com/111122223333/q")
        case ("test_subscribe_unknown_sqs_queue", _): return subscribe("sqs", "unknown")
        case (_, "not-fifo-topic"): return subscribe("sqs", "arn:aws:sqs:us-east-1:111122223333:q.fifo")
        case ("test_publish_wrong_phone_format", "wrong-endpoint"): return subscribe("sms", "NAA+15551234567")
        case ("test_subscribe_bad_sms", _): return subscribe("sms", "invalid-number")
        case ("test_subscribe_invalid_sms", _):
            return subscribe("sms", String(step.dropFirst("subscribe-bad-sms-".count)))
        case ("test_subscribe_idempotency", _):
            return subscribe("https", Self.address, [("RawMessageDelivery", "false")])
        case (_, "invalid-subscribe-arn-1"): return subscribe("https", Self.address, topic: "news")
        case (_, "invalid-subscribe-arn-2"):
            return subscribe("https", Self.address, topic: "arn:aws:sns:us-east-1:news")
        case (_, "non-existent-topic"), ("test_subscribe_unknown_topic", _):
            return subscribe("https", Self.address, topic: goneTopic)
        case (_, "cross-region-subscribe"), (_, "subscribe-cross-region"):
            return subscribe("https", Self.address, region: other)
        case ("test_subscribe_invalid_filter_policy", _):
            return subscribe("https", "https://hooks.example.com/filtered", [("FilterPolicy", "invalid")])
        default: return nil
        }
    }

    private func subscriptionCall(_ test: String, _ step: String) -> RefusedCall? {
        switch (test, step) {
        case (_, "get-attrs-nonexistent-sub"), (_, "get-sub-attrs-nonexistent"):
            return RefusedCall("GetSubscriptionAttributes", [("SubscriptionArn", goneSubscription)])
        case (_, "sub-not-found"): return set("RawMessageDelivery", "true", on: goneSubscription)
        case (_, "fake-attribute"): return set("FakeAttribute", "x")
        case (_, "raw-message-wrong-value"): return set("RawMessageDelivery", "test-ValUe")
        case (_, "raw-message-empty-value"): return set("RawMessageDelivery", "")
        case (_, "fake-arn-redrive-policy"): return set("RedrivePolicy", #"{"deadLetterTargetArn":"fake-arn"}"#)
        case (_, "invalid-json-redrive-policy"): return set("RedrivePolicy", "{invalidjson}")
        case (_, "invalid-json-filter-policy"): return set("FilterPolicy", "{invalidjson}")
        case (_, "regular-queue-for-dlq-of-fifo-topic"):
            let target = #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:111122223333:q"}"#
            return set("RedrivePolicy", target, on: fifoSubscription)
        case (_, "invalid-unsubscribe-arn-1"), ("test_unsubscribe_from_deleted_topic", _):
            return RefusedCall("Unsubscribe", [("SubscriptionArn", "random-string")])
        case (_, "invalid-unsubscribe-arn-2"):
            return RefusedCall("Unsubscribe", [("SubscriptionArn", "arn:aws:sns:us-east-1:random")])
        case (_, "invalid-unsubscribe-arn-3"):
            // A topic's name, of another account.
            return RefusedCall("Unsubscribe", [("SubscriptionArn", "arn:aws:sns:us-east-1:111111111111:random")])
        case (_, "invalid-unsubscribe-arn-4"): return RefusedCall("Unsubscribe", [("SubscriptionArn", "")])
        case (_, "sub-attrs-filter-scope-error"): return set("FilterPolicyScope", "RandomValue")
        case (_, "sub-filter-policy-max-attr-keys"):
            let keys = (1...6).map { "\"key_\($0)\":[\"value\"]" }.joined(separator: ",")
            return set("FilterPolicy", "{\(keys)}")
        default: return nil
        }
    }
}
