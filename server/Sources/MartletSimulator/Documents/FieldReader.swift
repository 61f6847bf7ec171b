/// Reads the members of a JSON object by name; a member that the reader was not told of is an error that names it.
struct FieldReader {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int?

        init(stringValue: String) { self.stringValue = stringValue }
        init(intValue: Int) {
            stringValue = "\(intValue)"
            self.intValue = intValue
        }
    }

    private let container: KeyedDecodingContainer<Name>

    init(_ decoder: any Decoder, allowing names: String...) throws {
        try self.init(decoder, names)
    }

    /// Allows the members that the type writes.
    init<Key: CodingKey & CaseIterable>(_ decoder: any Decoder, of keys: Key.Type) throws {
        try self.init(decoder, keys.allCases.map(\.stringValue))
    }

    private init(_ decoder: any Decoder, _ names: [String]) throws {
        container = try decoder.container(keyedBy: Name.self)
        let unknown = container.allKeys.map(\.stringValue).filter { !names.contains($0) }.sorted()
        if let first = unknown.first {
            throw ControlError.unknownField(path(first), known: names)
        }
    }

    func required<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        try container.decode(type, forKey: Name(stringValue: name))
    }

    func optional<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        try container.decodeIfPresent(type, forKey: Name(stringValue: name))
    }

    /// A whole number within bounds; `nil` when absent.
    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = try optional(name, as: Int.self) else { return nil }
        guard range.contains(value) else {
            throw invalid(name, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// The `code` of RST_STREAM or GOAWAY (RFC 9113 section 7); `nil` when absent.
    func errorCode() throws -> UInt32? {
        try number("code", in: 0...Int(UInt32.max)).map { UInt32($0) }
    }

    /// The error of a member whose value cannot be used.
    func invalid(_ name: String, _ message: String, hint: String? = nil) -> ControlError {
        .invalidField(path(name), "\(name) \(message)", hint: hint)
    }

    private func path(_ name: String) -> String {
        ControlError.path(container.codingPath, then: name)
    }
}
