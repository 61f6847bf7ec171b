import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Members that are missing")
struct MissingMembersTests {
    private func words(_ path: String) -> String {
        "Value null at '\(path)' failed to satisfy constraint: Member must not be null"
    }

    @Test("are named in AWS's words")
    func one() throws {
        let form = try form("Name=n&Platform=APNS")
        let refusal = try refusal {
            var missing = MissingMembers()
            missing.require("Name", "Platform", "Attributes", in: form)
            try missing.check()
        }
        #expect(refusal == SNSError(.validationError, "1 validation error detected: \(words("attributes"))"))
        #expect(refusal?.code.status == 400)
    }

    @Test("are named all at once")
    func several() throws {
        let form = try form("Protocol=http")
        let refusal = try refusal {
            var missing = MissingMembers()
            missing.require("TopicArn", "Protocol", "Endpoint", in: form)
            try missing.check()
        }
        let text = "2 validation errors detected: \(words("topicArn")); \(words("endpoint"))"
        #expect(refusal?.message == text)
    }

    @Test("of message attributes are named by the attribute, in a batch by the entry")
    func nested() throws {
        let attribute = "MessageAttributes.entry.1.Name=attr1&MessageAttributes.entry.1.Value.StringValue=v"
        let entry = "PublishBatchRequestEntries.member.1."
        let batch = attribute.replacing("MessageAttributes", with: "\(entry)MessageAttributes") + "&\(entry)Id=1"
        let single = try form(attribute).structureMap("MessageAttributes")
        let entries = try form(batch).structures("PublishBatchRequestEntries")
        let inBatch = try entries[0].structureMap("MessageAttributes")
        for (structure, path) in [
            (single[0].value, "messageAttributes.attr1.member.dataType"),
            (inBatch[0].value, "publishBatchRequestEntries.1.member.messageAttributes.attr1.member.dataType"),
        ] {
            let refusal = try refusal { _ = try structure.required("DataType") }
            #expect(refusal?.message == "1 validation error detected: \(words(path))")
        }
    }

    @Test("are counted beyond those that are named")
    func many() throws {
        var missing = MissingMembers()
        let form = try form("")
        for index in 0..<5_000 { missing.require("A\(index)", in: form) }
        let refusal = try refusal { try missing.check() }
        #expect(refusal?.message.hasPrefix("5000 validation errors detected: ") == true)
        #expect(refusal.map { $0.message.utf8.count < 10_000 } == true)
    }

    @Test("are none when they are empty")
    func empty() throws {
        var missing = MissingMembers()
        missing.require("TopicArn", "Message", in: try form("TopicArn=&Message="))
        try missing.check()
    }
}
