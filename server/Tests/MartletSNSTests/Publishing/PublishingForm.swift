@testable import MartletCore
@testable import MartletSNS

/// Forms and scopes of calls that are read without a server.
enum PublishingForm {
    static let topic = "arn:aws:sns:us-east-1:123456789012:news"

    static func scope(_ action: SNSAction = .publish) -> ARNScope {
        ARNScope(region: "us-east-1", account: "123456789012", action: action)
    }

    /// A form of parameters.
    static func of(_ parameters: [(String, String)]) throws -> FormParameters {
        let text = parameters.map { "\($0)=\(SignedQuery.escaped($1.utf8))" }.joined(separator: "&")
        return try FormParameters(query: "", body: Array(text.utf8))
    }

    /// Message attributes as parameters.
    static func attributes(_ attributes: [AttributeCase], prefix: String = "") -> [(String, String)] {
        attributes.enumerated().flatMap { index, attribute in
            let path = "\(prefix)MessageAttributes.entry.\(index + 1)"
            return [("\(path).Name", attribute.name)]
                + [
                    ("DataType", attribute.type), ("StringValue", attribute.text), ("BinaryValue", attribute.bytes),
                ].compactMap { name, value in value.map { ("\(path).Value.\(name)", $0) } }
        }
    }

    /// What reading a request is refused with; `nil` when it is not.
    static func refusal<Value>(_ read: () throws -> Value) -> SNSError? {
        do {
            _ = try read()
            return nil
        } catch { return error as? SNSError }
    }

    /// What publishing with these parameters to a topic is refused with.
    static func refusal(_ parameters: [(String, String)]) -> SNSError? {
        refusal { try PublishRequest(of([("TopicArn", topic)] + parameters), in: scope()) }
    }
}

/// A message attribute as a client sends it.
struct AttributeCase: Sendable {
    var name = "attr1"
    var type: String?
    var text: String?
    var bytes: String?
}
