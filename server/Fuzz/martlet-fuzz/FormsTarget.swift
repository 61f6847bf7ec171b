import MartletCore

@testable import MartletSNS

/// A query in the first line and a body behind it, read as each operation of the SNS API reads its parameters.
enum FormsTarget {
    private static let scope = ARNScope(region: "us-east-1", account: "123456789012", action: .publish)

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        let query = input.line()
        let form: FormParameters
        do throws(SNSError) {
            form = try FormParameters(query: query, body: Array(input.rest))
        } catch {
            answer(error)
            return true
        }
        read { () throws(SNSError) in _ = try form.action() }
        for name in ["TopicArn", "TargetArn", "Message", "Subject"] { text(name, of: form) }
        read { () throws(SNSError) in _ = try form.bool("ReturnSubscriptionArn") }
        read { () throws(SNSError) in _ = try form.strings("TagKeys") }
        read { () throws(SNSError) in
            let map = try form.map("Attributes")
            demand(Set(map.map(\.key)).count == map.count, "a key comes twice")
        }
        read { () throws(SNSError) in
            for tag in try form.structures("Tags") { _ = (try tag.required("Key"), try tag.string("Value")) }
        }
        messages(form)
        read { () throws(SNSError) in
            for entry in try form.structures("PublishBatchRequestEntries") { messages(entry) }
        }
        return true
    }

    /// Names and texts that go on in header fields.
    private static func text(_ name: String, of form: FormParameters) {
        read { () throws(SNSError) in
            guard let text = try form.string(name) else { return }
            read { () throws(SNSError) in
                try HeaderText.check(text, parameter: name)
                demand(!text.utf8.contains { $0 < 0x20 }, "a control character in a header field")
            }
            read { () throws(SNSError) in
                demand(try TopicARN(text, in: scope).description == text, "a topic has another name")
            }
            read { () throws(SNSError) in
                demand(try SubscriptionARN(text, in: scope).description == text, "a subscription has another name")
            }
            read { () throws(SNSError) in
                if case .endpoint(let endpoint) = try TargetARN(text, in: scope) {
                    demand(endpoint.description == text, "an endpoint has another name")
                }
            }
            read { () throws(SNSError) in try ConfirmationToken.check(text) }
        }
    }

    private static func messages(_ form: FormParameters) {
        read { () throws(SNSError) in
            for attribute in try form.structureMap("MessageAttributes") {
                var missing = MissingMembers()
                missing.require("DataType", "StringValue", in: attribute.value)
                try missing.check()
            }
        }
    }

    private static func read(_ body: () throws(SNSError) -> Void) {
        do throws(SNSError) { try body() } catch { answer(error) }
    }

    /// A refusal is short and can be written.
    private static func answer(_ error: SNSError) {
        demand(error.message.utf8.count < 8_192, "a refusal of \(error.message.utf8.count) bytes")
        demand((400..<500).contains(error.code.status), "\(error.code) is no fault of the sender")
        XMLTarget.check(SNSAnswer.failure(error, requestID: "r").body, holds: [error.message])
    }
}
