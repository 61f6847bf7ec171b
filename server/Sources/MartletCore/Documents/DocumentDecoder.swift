package import MartletWire

/// Decodes a document from a JSON value that its schema has already accepted.
///
/// The value is read once, checked, and decoded from memory; a second parse of the body is saved.
package struct DocumentDecoder: Decoder {
    let value: JSONValue
    private let parents: [any CodingKey]
    private let key: (any CodingKey)?
    /// Put together when it is asked for, as it is of what cannot be read.
    package var codingPath: [any CodingKey] { key.map { parents + [$0] } ?? parents }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(value: JSONValue, parents: [any CodingKey] = [], key: (any CodingKey)? = nil) {
        (self.value, self.parents, self.key) = (value, parents, key)
    }

    /// Decodes a whole document.
    ///
    /// - Throws: `DecodingError` where the schema and the type disagree, which is a defect.
    package static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        try DocumentDecoder(value: value).decode(type)
    }

    /// Decodes the JSON text of somebody else, of which a part is looked at.
    ///
    /// - Throws: ``JSONReader/SyntaxError`` where it is no JSON, `DecodingError` where it is another.
    package static func decode<Value: Decodable>(_ type: Value.Type, json: [UInt8]) throws -> Value {
        try decode(type, from: JSONReader.read(json, characters: .tolerant))
    }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSONValue.self, let value = value as? Value { return value }
        return try Value(from: self)
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "another JSON type"))
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(MemberContainer(members: members, codingPath: codingPath))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return ElementContainer(elements: elements, codingPath: codingPath)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DocumentDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { value == .null }

    package func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch(type) }
        return flag
    }

    package func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text
    }

    package func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.doubleValue else { throw mismatch(type) }
        return number
    }

    package func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        if let exact = value.integerValue.flatMap({ Value(exactly: $0) }) { return exact }
        // What an `Int64` cannot hold.
        guard case .decimal(let text) = value, let exact = Value(text) else { throw mismatch(type) }
        return exact
    }

    package func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    package func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    package func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    package func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    package func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    package func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    package func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    package func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    package func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    package func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}
