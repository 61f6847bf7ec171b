import MartletWire

/// Decodes a document from a JSON value that its schema has already accepted.
///
/// The value is read once, checked, and decoded from memory; a second parse of the body is saved.
struct DocumentDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a whole document.
    ///
    /// - Throws: `DecodingError` where the schema and the type disagree, which is a defect.
    static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        try DocumentDecoder(value: value, codingPath: []).decode(type)
    }

    /// Decodes the JSON text of somebody else, of which a part is looked at.
    ///
    /// - Throws: `Failure` where it is no JSON, `DecodingError` where it is another.
    static func decode<Value: Decodable>(_ type: Value.Type, json: [UInt8]) throws -> Value {
        try decode(type, from: JSONReader.read(json, characters: .tolerant))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSONValue.self, let value = value as? Value { return value }
        return try Value(from: self)
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "another JSON type"))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(MemberContainer(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return ElementContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DocumentDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch(type) }
        return flag
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        let exact: Value? =
            switch value {
            case .integer(let number): Value(exactly: number)
            case .number(let number): Value(exactly: number)
            default: nil
            }
        guard let exact else { throw mismatch(type) }
        return exact
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}
