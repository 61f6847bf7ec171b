import Foundation

/// A JSON value with its members in the order of the text, read once from bytes (RFC 8259).
///
/// Written for services whose answers name the place of a member, and because a general reader costs more than the rest
/// of an answer.
indirect enum JSONTree: Equatable, Sendable {
    case null
    case bool(Bool)
    /// As it stands in the text.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable, Sendable {
        var name: String
        var value: JSONTree
    }

    /// `nil` when the bytes are not one JSON object.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.withUnsafeBytes({ JSONGrammar.isObject($0) }) else { return nil }
        var reader = Reader(bytes: bytes)
        self = reader.value()
    }

    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var isTrue: Bool { self == .bool(true) }

    /// The value as JSON again, for messages that tell it back.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): APNsAnswer.quoted(text)
        case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { APNsAnswer.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// The same as a document.
    var document: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text):
            Int64(text).map(JSONValue.integer) ?? JSONValue(Double(text) ?? 0, exactly: Decimal(string: text))
        case .string(let text): .string(text)
        case .array(let values): .array(values.map(\.document))
        case .object(let members):
            .object(Dictionary(members.map { ($0.name, $0.value.document) }) { _, last in last })
        }
    }
}

extension JSONTree {
    /// Reads bytes that are known to be JSON.
    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        private mutating func skipSpace() {
            while bytes[index] == 0x20 || (9...13).contains(bytes[index]) { index += 1 }
        }

        /// Takes the byte when it comes next, white space aside.
        private mutating func take(_ byte: UInt8) -> Bool {
            skipSpace()
            guard bytes[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func value() -> JSONTree {
            skipSpace()
            switch bytes[index] {
            case UInt8(ascii: "{"): return object()
            case UInt8(ascii: "["): return array()
            case UInt8(ascii: "\""): return .string(string())
            case UInt8(ascii: "t"):
                index += 4
                return .bool(true)
            case UInt8(ascii: "f"):
                index += 5
                return .bool(false)
            case UInt8(ascii: "n"):
                index += 4
                return .null
            default: return number()
            }
        }

        private mutating func object() -> JSONTree {
            index += 1
            var members: [Member] = []
            while !take(UInt8(ascii: "}")) {
                _ = take(UInt8(ascii: ","))
                skipSpace()
                let name = string()
                _ = take(UInt8(ascii: ":"))
                members.append(Member(name: name, value: value()))
            }
            return .object(members)
        }

        private mutating func array() -> JSONTree {
            index += 1
            var values: [JSONTree] = []
            while !take(UInt8(ascii: "]")) {
                _ = take(UInt8(ascii: ","))
                values.append(value())
            }
            return .array(values)
        }

        private mutating func number() -> JSONTree {
            let start = index
            while index < bytes.count, bytes[index].isDigit || "+-.eE".utf8.contains(bytes[index]) { index += 1 }
            return .number(String(decoding: bytes[start..<index], as: UTF8.self))
        }

        private mutating func string() -> String {
            index += 1
            let start = index
            var hasEscape = false
            while bytes[index] != UInt8(ascii: "\"") {
                if bytes[index] == UInt8(ascii: "\\") {
                    hasEscape = true
                    index += 1
                }
                index += 1
            }
            defer { index += 1 }
            guard hasEscape else { return String(decoding: bytes[start..<index], as: UTF8.self) }
            // Rare: escapes are left to the general reader. What it refuses is half of a surrogate pair.
            let quoted = Data(bytes[start - 1...index])
            return (try? JSONDecoder().decode(String.self, from: quoted)) ?? "\u{FFFD}"
        }
    }
}
