public import Foundation

/// Any JSON value, as it travels between an app, a backend and the server.
///
/// Numbers stay as they were written.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    /// A number that is neither an `Int64` nor written as a `Double` writes it, such as `17055628018016613580` or `1.10`: its
    /// text, which is a number of JSON.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    /// Decodes whatever JSON value stands at the decoder's position.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .decimal(String(value))
        } else if let value = try? container.decode(Double.self) {
            // Where a `Double` is not it.
            if let exact = try? container.decode(Decimal.self), exact.isFinite,
                exact != Decimal(string: value.description)
            {
                self = .decimal(exact.description)
            } else {
                self = .number(value)
            }
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value as the JSON that it stands for.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let text):
            if let value = UInt64(text) {
                try container.encode(value)
            } else {
                try container.encode(Decimal(string: text) ?? Decimal(doubleValue ?? 0))
            }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// Parses one JSON text, as others write it: escapes that name no character are read too, and of
    /// a member that is there twice the last value.
    ///
    /// - Throws: ``JSONReader/SyntaxError`` when the bytes are not JSON, nest deeper than 128 levels, or have more
    ///   than a million values.
    public init(json: Data) throws(JSONReader.SyntaxError) {
        self = try JSONReader.read(
            Array(json),
            characters: .tolerant,
            depthLimit: 128,
            valueLimit: 1_000_000,
            takesDuplicates: true
        )
    }

    /// The value as compact JSON with sorted keys, so that equal values are equal bytes.
    ///
    /// - Throws: ``JSONText/NumberError`` for a number that JSON cannot hold (infinity, NaN).
    public func json() throws(JSONText.NumberError) -> Data {
        var text = JSONText()
        try text.write(self)
        return Data(text.bytes)
    }

    /// The members, when this is an object.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The text, when this is a string.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The exact integer, when this is one, however it is written.
    public var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        // Up to 2^53 a `Double` is exact.
        case .number, .decimal: doubleValue.flatMap { abs($0) <= 0x1p53 ? Int64(exactly: $0) : nil }
        default: nil
        }
    }

    /// The nearest `Double`, when this is a number.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .decimal(let text): Double(text)
        default: nil
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    /// A JSON string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A JSON integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A JSON boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A JSON array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// A JSON object; of a key given twice the last value stands.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
