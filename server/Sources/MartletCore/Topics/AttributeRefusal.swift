import Foundation
import MartletFilter
package import MartletWire

/// Why an attribute cannot have a value.
package struct AttributeRefusal: Error, Hashable, Sendable {
    /// What is wrong, as it follows `Invalid parameter: `, such as `RawMessageDelivery: Invalid value [x]…`.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    /// A value that is none of those that there are.
    package static func choice(_ name: String, _ value: String, mustBe choices: String) -> AttributeRefusal {
        AttributeRefusal("\(name): Invalid value [\(value.excerpt)]. Must be \(choices).")
    }
}

/// The values that several attributes share.
package enum AttributeValue {
    /// `true` or `false` in any case, made lower case.
    package static func flag(_ name: String, _ value: String) throws(AttributeRefusal) -> String {
        let lower = value.lowercased()
        guard lower == "true" || lower == "false" else { throw .choice(name, value, mustBe: "true or false") }
        return lower
    }

    /// The most bytes of an attribute that holds JSON, filter policies aside: 30 KB, Amazon's bound of a topic's policy.
    package static let documentLimit = 30_720

    /// A JSON object of at most ``documentLimit`` bytes.
    package static func object(_ name: String, _ text: String) throws(AttributeRefusal) -> [String: JSONValue] {
        guard text.utf8.count <= documentLimit else {
            throw AttributeRefusal("\(name): must be at most \(documentLimit) bytes long")
        }
        if let fault = JSONSyntax.fault(in: text) {
            throw AttributeRefusal("\(name): failed to parse JSON. \(fault)")
        }
        guard case .object(let members)? = try? JSONValue(json: Data(text.utf8)) else {
            throw AttributeRefusal("\(name): must be a JSON object")
        }
        return members
    }
}

extension JSONValue {
    /// The value as compact JSON with sorted keys.
    package var compact: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "null" }

    /// The members of an object; `nil` for anything else.
    package var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// What an error calls this kind of value.
    package var kind: String {
        switch self {
        case .null: "a null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// The text as an error may repeat it: its first 256 scalars, ours, enough for every name that SNS allows. A character
    /// would have no bound.
    package var excerpt: String {
        utf8.count > 256 ? String(String.UnicodeScalarView(unicodeScalars.prefix(256))) : self
    }
}
