package import MartletWire

/// Encodes a document to a JSON value in which numbers stay as they were written, which Foundation's encoder cannot write.
package struct DocumentEncoder: Encoder {
    /// What is being made: nothing yet, a value, or what has parts of its own.
    fileprivate final class Node {
        var value: JSONValue?
        var members: [String: Node]?
        var elements: [Node]?

        /// What it came to.
        var json: JSONValue {
            if let members { return .object(members.mapValues(\.json)) }
            if let elements { return .array(elements.map(\.json)) }
            // What encodes nothing at all is an empty object.
            return value ?? .object([:])
        }

        func element() -> Node {
            let node = Node()
            elements?.append(node)
            return node
        }

        func member(_ name: String) -> Node {
            let node = Node()
            members?[name] = node
            return node
        }
    }

    fileprivate let node: Node
    package let codingPath: [any CodingKey]
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a whole document.
    ///
    /// - Throws: what the document's conformance throws.
    package static func encode(_ document: some Encodable) throws -> JSONValue {
        let node = Node()
        try DocumentEncoder(node: node, codingPath: []).encode(document)
        return node.json
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.members = node.members ?? [:]
        return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.elements = node.elements ?? []
        return Elements(node: node, codingPath: codingPath)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension DocumentEncoder: SingleValueEncodingContainer {
    package func encodeNil() { node.value = .null }
    package func encode(_ value: Bool) { node.value = .bool(value) }
    package func encode(_ value: String) { node.value = .string(value) }
    package func encode(_ value: Double) { node.value = .number(value) }
    package func encode(_ value: Float) { node.value = Double(value.description).map(JSONValue.number) }
    package func encode(_ value: Int) { node.value = .integer(Int64(value)) }
    package func encode(_ value: Int8) { node.value = .integer(Int64(value)) }
    package func encode(_ value: Int16) { node.value = .integer(Int64(value)) }
    package func encode(_ value: Int32) { node.value = .integer(Int64(value)) }
    package func encode(_ value: Int64) { node.value = .integer(value) }
    package func encode(_ value: UInt) { encode(UInt64(value)) }
    package func encode(_ value: UInt8) { node.value = .integer(Int64(value)) }
    package func encode(_ value: UInt16) { node.value = .integer(Int64(value)) }
    package func encode(_ value: UInt32) { node.value = .integer(Int64(value)) }

    package func encode(_ value: UInt64) {
        node.value = Int64(exactly: value).map(JSONValue.integer) ?? .decimal(String(value))
    }

    package func encode<Value: Encodable>(_ value: Value) throws {
        if Value.self == JSONValue.self, let json = value as? JSONValue {
            node.value = json
        } else {
            try value.encode(to: self)
        }
    }
}

extension DocumentEncoder {
    fileprivate struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: Node
        let codingPath: [any CodingKey]

        private func member(_ key: any CodingKey) -> DocumentEncoder {
            DocumentEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
        }

        mutating func encodeNil(forKey key: Key) { member(key).encodeNil() }
        mutating func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            member(key).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            member(key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            DocumentEncoder(node: node.member("super"), codingPath: codingPath)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder { member(key) }
    }

    fileprivate struct Elements: UnkeyedEncodingContainer {
        let node: Node
        let codingPath: [any CodingKey]
        var count: Int { node.elements?.count ?? 0 }

        private var element: DocumentEncoder { DocumentEncoder(node: node.element(), codingPath: codingPath) }

        mutating func encodeNil() { element.encodeNil() }
        mutating func encode(_ value: some Encodable) throws { try element.encode(value) }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            element.container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element.unkeyedContainer() }

        mutating func superEncoder() -> any Encoder { element }
    }
}

extension JSONText {
    /// A document as JSON text whose members stand by name.
    ///
    /// - Throws: what the document's conformance throws, and ``JSONText/NumberError``.
    package init(_ document: some Encodable) throws {
        self.init()
        try write(DocumentEncoder.encode(document))
    }
}
