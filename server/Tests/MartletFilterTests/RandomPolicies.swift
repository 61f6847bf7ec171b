/// Random numbers of a seed (SplitMix64), so that a failure can be run again.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Makes policies and messages out of few words, so that they often meet.
struct PolicyMaker {
    var numbers: SeededNumbers
    let isBody: Bool

    init(seed: UInt64, isBody: Bool) {
        numbers = SeededNumbers(seed: seed)
        self.isBody = isBody
    }

    static let texts = [
        "", "a", "ab", "abc", "b", "ba", "A", "aB", "10.0.0.1", "10.0.0.9", "10.1.0.1", "::1", "2001:db8::1",
        "2001:DB8:0::1", "é", "a*b", "a\u{1F600}",
    ]
    static let values = ["0", "1", "-1", "1.5", "1e2", "100", "99.9999999", "1e30", "-1e30", "0.0000001"]
    static let keys = ["k", "l", "m", "n"]

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

    mutating func text() -> String { "\"\(pick(Self.texts))\"" }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func scalar() -> String {
        switch below(8) {
        case 0...3: text()
        case 4...5: pick(Self.values)
        default: pick(["true", "false", "null"])
        }
    }

    mutating func pattern() -> String {
        switch below(16) {
        case 0...3: return scalar()
        case 4: return #"{"prefix":\#(text())}"#
        case 5: return #"{"suffix":\#(text())}"#
        case 6: return #"{"equals-ignore-case":\#(text())}"#
        case 7: return #"{"wildcard":"\#(pick(["*", "a*", "*b", "a*b", "*b*", "ab", "*a*c"]))"}"#
        case 8: return #"{"anything-but":\#(pick([text(), pick(Self.values), #"["a","b"]"#, "[1,100]"]))}"#
        case 9: return #"{"anything-but":{"prefix":"\#(pick(["a", "ab", "10."]))"}}"#
        case 10: return #"{"anything-but":{"wildcard":"\#(pick(["a*", "*c"]))"}}"#
        case 11: return #"{"exists":\#(pick(["true", "false"]))}"#
        case 12: return #"{"cidr":"\#(pick(["10.0.0.0/8", "10.0.0.0/29", "2001:db8::/32", "::/0", "10.0.0.1/31"]))"}"#
        case 13: return #"{"numeric":["\#(pick(["=", "<", "<=", ">", ">="]))",\#(pick(Self.values))]}"#
        default:
            let low = below(5) - 2
            return #"{"numeric":["\#(pick([">", ">="]))",\#(low),"\#(pick(["<", "<="]))",\#(low + 1 + below(100))]}"#
        }
    }

    mutating func object(_ level: Int) -> String {
        var members: [String] = []
        for key in Self.keys.shuffled(using: &numbers).prefix(1 + below(level == 0 ? 3 : 2)) {
            if isBody, level < 2, below(4) == 0 {
                members.append(#""\#(key)":\#(object(level + 1))"#)
            } else {
                let dotted = isBody && below(6) == 0 ? "\(key).\(pick(Self.keys))" : key
                let patterns = (0..<1 + below(2)).map { _ in pattern() }.joined(separator: ",")
                members.append(#""\#(dotted)":[\#(patterns)]"#)
            }
        }
        if below(6) == 0, level < 2 {
            members.append(#""$or":[\#(object(level + 1)),\#(object(level + 1))]"#)
        }
        return "{\(members.joined(separator: ","))}"
    }

    mutating func value(_ level: Int) -> String {
        switch below(level < 3 ? 8 : 5) {
        case 0...4: return scalar()
        case 5: return "[\((0..<below(4)).map { _ in value(level + 1) }.joined(separator: ","))]"
        default: return body(level + 1)
        }
    }

    mutating func body(_ level: Int = 0) -> String {
        let members = Self.keys.shuffled(using: &numbers).prefix(below(5)).map { key -> String in
            let dotted = below(6) == 0 ? "\(key).\(pick(Self.keys))" : key
            return #""\#(dotted)":\#(value(level))"#
        }
        return "{\(members.joined(separator: ","))}"
    }
}
