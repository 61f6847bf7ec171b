/// Fields of a protocol buffer, read and written without its description.
enum ProtoField: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes([UInt8])

    /// The fields by number, in their order; `nil` when the bytes are none.
    static func read(_ bytes: some Collection<UInt8>) -> [(number: Int, value: ProtoField)]? {
        var rest = Array(bytes)[...]
        var fields: [(Int, ProtoField)] = []
        while !rest.isEmpty {
            guard let key = readVarint(&rest) else { return nil }
            let number = Int(truncatingIfNeeded: key >> 3)
            switch key & 7 {
            case 0:
                guard let value = readVarint(&rest) else { return nil }
                fields.append((number, .varint(value)))
            case 1:
                guard rest.count >= 8 else { return nil }
                fields.append((number, .fixed64(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })))
                rest = rest.dropFirst(8)
            case 2:
                guard let count = readVarint(&rest), count <= rest.count else { return nil }
                fields.append((number, .bytes(Array(rest.prefix(Int(count))))))
                rest = rest.dropFirst(Int(count))
            case 5:
                guard rest.count >= 4 else { return nil }
                rest = rest.dropFirst(4)
            default: return nil
            }
        }
        return fields
    }

    /// A varint of at most ten bytes, taken from the front; `nil` when it is not whole.
    static func readVarint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for (place, byte) in rest.prefix(10).enumerated() {
            value |= UInt64(byte & 0x7F) << UInt64(7 * place)
            if byte < 0x80 {
                rest = rest.dropFirst(place + 1)
                return value
            }
        }
        return nil
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (value, bytes) = (value, [UInt8]())
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }

    /// The field's bytes with its number.
    func encoded(as number: Int) -> [UInt8] {
        switch self {
        case .varint(let value): Self.varint(UInt64(number) << 3) + Self.varint(value)
        case .fixed64(let value):
            Self.varint(UInt64(number) << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        case .bytes(let bytes): Self.varint(UInt64(number) << 3 | 2) + Self.varint(UInt64(bytes.count)) + bytes
        }
    }

    static func text(_ text: String) -> ProtoField { .bytes(Array(text.utf8)) }
}
