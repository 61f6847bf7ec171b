/// A field of which absent, `null` and a value mean three things: leave it, clear it, set it.
public enum NullablePatch<Value> {
    /// The field is absent: what is there stays.
    case unset
    /// The field is `null`: what is there goes.
    case null
    /// The field has this value.
    case value(Value)

    /// The value, where there is one.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension NullablePatch: Sendable where Value: Sendable {}
extension NullablePatch: Equatable where Value: Equatable {}
extension NullablePatch: Hashable where Value: Hashable {}

extension NullablePatch: Decodable where Value: Decodable {
    /// Decodes `null` or a value; an absent field is seen by the container's overload below.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension NullablePatch: Encodable where Value: Encodable {
    /// Encodes `null` or the value; an absent field is left out by the container's overload below.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .value(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// What synthesized decoding calls for a ``NullablePatch`` property.
    func decode<Value: Decodable>(_ type: NullablePatch<Value>.Type, forKey key: Key) throws -> NullablePatch<Value> {
        guard contains(key) else { return .unset }
        return try decodeNil(forKey: key) ? .null : .value(decode(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// What synthesized encoding calls for a ``NullablePatch`` property.
    mutating func encode<Value: Encodable>(_ nullable: NullablePatch<Value>, forKey key: Key) throws {
        switch nullable {
        case .unset: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}
