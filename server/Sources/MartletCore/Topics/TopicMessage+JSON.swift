import Foundation
package import MartletWire

extension TopicMessage.Attribute {
    /// A value in the types of Amazon SNS, where a truth value stands in lists alone.
    ///
    /// - Throws: `Failure` for an object, and for a list of anything but text, numbers, truth values and null.
    package init(_ value: JSONValue, field: String) throws(Failure) {
        switch value {
        case .string(let text): self.init(type: "String", value: text)
        case .integer(let number): self.init(type: "Number", value: String(number))
        case .number(let number): self.init(type: "Number", value: "\(number)")
        case .decimal(let text): self.init(type: "Number", value: text)
        case .bool, .null: try self.init(.array([value]), field: field)
        case .array(let elements):
            for element in elements {
                switch element {
                case .array, .object: throw Self.unfit(field)
                case .string, .integer, .number, .decimal, .bool, .null: break
                }
            }
            guard let text = try? value.json() else { throw Self.unfit(field) }
            self.init(type: "String.Array", value: String(decoding: text, as: UTF8.self))
        case .object: throw Self.unfit(field)
        }
    }

    private static func unfit(_ field: String) -> Failure {
        .invalid(field, "An attribute is text, a number, true, false, null, or a list of these.")
    }
}
