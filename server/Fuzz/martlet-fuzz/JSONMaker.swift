import MartletWire

/// Makes JSON values of the fuzzer's bytes, so that none of them is spent on brackets and commas.
struct JSONMaker {
    private(set) var input: FuzzInput

    init(_ input: FuzzInput) { self.input = input }

    /// Names and words that the payload builder knows.
    private static let words = [
        "aps", "alert", "title", "subtitle", "body", "badge", "sound", "name", "critical", "volume", "thread-id",
        "category", "content-available", "mutable-content", "target-content-id", "interruption-level", "passive",
        "time-sensitive", "relevance-score", "filter-criteria", "stale-date", "content-state", "timestamp", "event",
        "start", "update", "end", "dismissal-date", "attributes-type", "attributes", "input-push-token",
        "input-push-channel", "content-changed", "launch-image", "title-loc-key", "title-loc-args",
        "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args", "payload", "mdm", "message_id", "deep_link",
        "image_url", "default", "é", "e\u{301}", "\u{0}", "A", "a",
    ]

    /// The depth that REST documents may have is 64; a quarter of it makes shorter inputs.
    private static let depthLimit = 16

    mutating func byte() -> UInt8? { input.byte() }

    /// A text: a known word, or bytes of which those that are not UTF-8 are replaced.
    mutating func text() -> String {
        guard let length = input.byte() else { return "" }
        if length >= 0x80 { return JSONMaker.words[Int(length & 0x7F) % JSONMaker.words.count] }
        // Now and then one that no limit of a field has capacity for.
        if length == 0x7F { return String(repeating: "😀", count: Int(input.byte() ?? 0) * 8) }
        return String(decoding: input.take(Int(length)), as: UTF8.self)
    }

    /// A text or nothing.
    mutating func optionalText() -> String? { (input.byte() ?? 0) & 1 == 0 ? nil : text() }

    /// Any value.
    mutating func value(depth: Int = 0) -> JSONValue {
        guard depth < JSONMaker.depthLimit, let kind = input.byte() else { return .null }
        switch kind & 7 {
        case 0: return .null
        case 1: return .bool(kind & 8 != 0)
        case 2: return .integer(Int64(kind >> 3))
        case 3: return .integer(Int64(bitPattern: word()))
        case 4: return .number(Double(bitPattern: word()))
        case 5: return .string(text())
        case 6: return .array((0..<Int(kind >> 5)).map { _ in value(depth: depth + 1) })
        default: return .object(members(Int(kind >> 4), depth: depth + 1))
        }
    }

    /// An object of at most so many members.
    mutating func members(_ count: Int, depth: Int = 0) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for _ in 0..<count where !input.rest.isEmpty { members[text()] = value(depth: depth) }
        return members
    }

    private mutating func word() -> UInt64 { input.take(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension JSONValue {
    /// The same value, whose objects were filled in another order.
    var rebuilt: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.rebuilt))
        case .object(let members): .object(members.rebuilt)
        default: self
        }
    }
}

extension [String: JSONValue] {
    /// The same members, added in another order and to a larger table.
    var rebuilt: Self {
        var copy = Self(minimumCapacity: count * 8)
        for (name, value) in reversed() { copy[name] = value.rebuilt }
        return copy
    }
}
