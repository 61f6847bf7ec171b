import Foundation
import MartletFilter
import Testing

/// A recorded answer: whether a message passes a policy.
struct MatchVector: Decodable, CustomTestStringConvertible {
    struct Attribute: Decodable {
        var type: String
        var value: String?

        enum CodingKeys: String, CodingKey {
            case type = "DataType"
            case value = "StringValue"
        }
    }

    var scope: String
    var policy: String
    var attributes: [String: Attribute]?
    var body: String?
    var expected: Bool

    var testDescription: String { String("\(policy) \(attributes.map { "\($0)" } ?? body ?? "")".prefix(200)) }

    /// The message, read.
    var message: FilterMessage {
        FilterMessage(
            attributes: (attributes ?? [:]).map {
                FilterAttribute(name: $0.key, dataType: $0.value.type, value: $0.value.value)
            },
            body: body.map { Array($0.utf8) }
        )
    }

    /// The policy, compiled.
    func compiled() throws -> FilterPolicy { try FilterPolicy(policy, scope: FilterScope(parsing: scope)) }
}

/// A recorded answer: whether a policy is taken, and what is said to it if not.
struct ValidationVector: Decodable, CustomTestStringConvertible {
    var scope: String
    var policy: String
    var call: String
    var valid: Bool
    /// Absent where only the refusal is known.
    var message: String?

    var testDescription: String { String(policy.prefix(200)) }
}

/// The recorded answers, a JSON line each.
enum Vectors {
    static let matches: [MatchVector] = read("matches")
    static let validations: [ValidationVector] = read("validations")

    private static func read<Vector: Decodable>(_ name: String) -> [Vector] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).jsonl")
        let decoder = JSONDecoder()
        guard let data = try? Data(contentsOf: file) else { return [] }
        return data.split(separator: 0x0A).compactMap { try? decoder.decode(Vector.self, from: Data($0)) }
    }
}
