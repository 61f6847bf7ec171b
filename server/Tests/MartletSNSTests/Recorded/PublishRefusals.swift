import Testing

@testable import MartletCore
@testable import MartletSNS

/// Calls of Publish and PublishBatch that are refused.
struct PublishRefusals: Refusals {
    private let topic: String
    private let fifo: String
    private let goneEndpoint: String
    private let goneTopic = "arn:aws:sns:us-east-1:123456789012:gone"

    init(_ harness: Harness) async throws {
        topic = try await harness.makeTopic("news")
        fifo = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
        let endpoint = try await harness.makeEndpoint(try await harness.makeApplication(), token: Harness.token(1))
        _ = try await harness.call("DeleteEndpoint", [("EndpointArn", endpoint)])
        goneEndpoint = endpoint
    }

    /// The call that brings a recorded refusal about; `nil` for none.
    func call(for row: RecordedError) -> RefusedCall? {
        let parts = row.name.split(separator: "/").map(String.init)
        let (test, step) = (parts[0], parts[1])
        switch test {
        case "test_empty_or_wrong_message_attributes": return attributeCall(step)
        case "test_message_attributes_prefixes":
            let type = step == "publish-error" ? "prefixed.String" : "Stringprefixed"
            return publish([("Message", "m")] + PublishingForm.attributes([AttributeCase(type: type, text: "x")]))
        case "test_publish_batch_exceptions", "test_publish_batch_invalid_entry_id",
            "test_publish_batch_too_long_message", "test_publish_batch_messages_without_topic":
            return batchCall(step)
        case "test_topic_publish_another_region", "test_cross_region_access":
            let region = "eu-central-1"
            return step == "error-batch"
                ? batch([[("Id", "1"), ("Message", "m")]], region: region)
                : RefusedCall("Publish", [("TopicArn", topic), ("Message", "m")], region: region)
        default: return publishCall(test, step)
        }
    }

    private func publish(_ parameters: [(String, String)], to topic: String? = nil) -> RefusedCall {
        RefusedCall("Publish", [("TopicArn", topic ?? self.topic)] + parameters)
    }

    private func batch(
        _ entries: [[(String, String)]],
        to topic: String? = nil,
        region: String = Harness.region
    ) -> RefusedCall {
        let parameters = entries.enumerated().flatMap { index, entry in
            entry.map { ("PublishBatchRequestEntries.member.\(index + 1).\($0.0)", $0.1) }
        }
        return RefusedCall("PublishBatch", [("TopicArn", topic ?? self.topic)] + parameters, region: region)
    }

    private func publishCall(_ test: String, _ step: String) -> RefusedCall? {
        let long = String(repeating: "a", count: PublishedMessage.limit)
        switch (test, step) {
        case (_, "invalid-topic-arn"): return publish([("Message", "m")], to: "randomstring")
        case (_, "invalid-topic-arn-1"): return publish([("Message", "m")], to: "randomstring:1")
        case (_, "empty-topic"): return publish([("Message", "m")], to: "")
        case ("test_unknown_topic_publish", _): return publish([("Message", "m")], to: goneTopic)
        case (_, "non-existent-endpoint"):
            return RefusedCall("Publish", [("TargetArn", goneEndpoint), ("Message", "m")])
        case (_, "response-with-empty-subject"): return publish([("Message", "m"), ("Subject", "")])
        case (_, "empty-msg-error"): return publish([("Message", "")])
        case ("test_publish_too_long_message", "error"): return publish([("Message", long + "a")])
        case ("test_publish_too_long_message", "error-with-attrs"):
            return publish([("Message", long)] + PublishingForm.attributes([AttributeCase(type: "String", text: "x")]))
        case (_, "missing-default-key"): return publish(json(#"{"sqs":"m"}"#))
        case (_, "invalid-json"): return publish(json(#"{"default":"m""#))
        case (_, "key-is-not-string"): return publish(json(#"{"default":{"a":"b"}}"#))
        case (_, "no-msg-group-id"): return publish([("Message", "m")], to: fifo)
        case (_, "no-dedup-policy"): return publish([("Message", "m"), ("MessageGroupId", "g")], to: fifo)
        case (_, "no-msg-dedup-regular-topic"): return publish([("Message", "m"), ("MessageDeduplicationId", "1")])
        case (_, "invalid-number"): return RefusedCall("Publish", [("PhoneNumber", "+1a234"), ("Message", "m")])
        case (_, "wrong-format"):
            return RefusedCall("Publish", [("PhoneNumber", "NAA+15551234567"), ("Message", "m")])
        default: return nil
        }
    }

    private func json(_ message: String) -> [(String, String)] { [("Message", message), ("MessageStructure", "json")] }

    private func batchCall(_ step: String) -> RefusedCall? {
        let entry = [("Id", "1"), ("Message", "m")]
        let half = String(repeating: "a", count: PublishedMessage.limit / 2)
        func ids(_ ids: [String]) -> RefusedCall { batch(ids.map { [("Id", $0), ("Message", "m")] }) }
        switch step {
        case "publish-batch-no-topic": return batch([entry], to: goneTopic)
        case "no-group-id": return batch([entry], to: fifo)
        case "no-dedup-id": return batch([entry + [("MessageGroupId", "g")]], to: fifo)
        case "too-many-msg": return ids((1...11).map { "\($0)" })
        case "same-msg-id": return ids(["1", "1"])
        case "no-default-key-json": return batch([[("Id", "1")] + json(#"{"sqs":"m"}"#)])
        case "error-no-attrs":
            return batch([half, half + "a"].enumerated().map { [("Id", "\($0)"), ("Message", $1)] })
        case "error-with-attrs":
            let attribute = PublishingForm.attributes([AttributeCase(type: "String", text: "x")])
            return batch([half, half].enumerated().map { [("Id", "\($0)"), ("Message", $1)] + attribute })
        case "invalid-char-dot": return ids(["message.id"])
        case "invalid-char-special": return ids(["msg@123#test"])
        case "id-too-long-81": return ids([String(repeating: "a", count: 81)])
        case "id-too-long-91": return ids(["my" + String(repeating: "really", count: 13) + "longid"])
        default: return nil
        }
    }

    private func attributeCall(_ step: String) -> RefusedCall? {
        let isBatch = step.hasPrefix("batch-")
        let attribute: AttributeCase
        switch isBatch ? String(step.dropFirst(6)) : step {
        case "missing_string_attr": attribute = AttributeCase(type: "String", text: "")
        case "fully_missing_string_attr": attribute = AttributeCase(type: "String")
        case "fully_missing_data_type": attribute = AttributeCase(text: "x")
        case "missing_binary_attr": attribute = AttributeCase(type: "Binary", bytes: "")
        case "str_attr_binary_value": attribute = AttributeCase(type: "String", bytes: "AAE=")
        case "int_attr_binary_value": attribute = AttributeCase(type: "Number", bytes: "AAE=")
        case "binary_attr_string_value": attribute = AttributeCase(type: "Binary", text: "x")
        case "invalid_attr_string_value": attribute = AttributeCase(type: "InvalidType", text: "x")
        case "too_long_name":
            attribute = AttributeCase(name: String(repeating: "a", count: 257), type: "String", text: "x")
        case "invalid_name": attribute = AttributeCase(name: "a^b", type: "String", text: "x")
        case "invalid_name_2": attribute = AttributeCase(name: ".a", type: "String", text: "x")
        case "invalid_name_3": attribute = AttributeCase(name: "a.", type: "String", text: "x")
        case "invalid_name_4": attribute = AttributeCase(name: "a..b", type: "String", text: "x")
        default: return nil
        }
        let parameters = [("Message", "m")] + PublishingForm.attributes([attribute])
        return isBatch ? batch([[("Id", "1")] + parameters]) : publish(parameters)
    }
}
