/// A key of the terminal.
enum PhoneKey: Equatable, Sendable {
    case text(Character)
    case up, down, left, right, tab, enter, backspace, escape, interrupted

    /// Ctrl-C, as a byte.
    static let interrupt: UInt8 = 0x03

    /// The keys in what a terminal sent; sequences that are not known are passed over.
    static func read(_ bytes: [UInt8]) -> [PhoneKey] {
        var keys: [PhoneKey] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == 0x1B {
                keys += escape(&rest)
                continue
            }
            let text = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
            if text.isEmpty {
                rest.removeFirst()
                if let key = controls[byte] { keys.append(key) }
            } else {
                keys += String(decoding: text, as: UTF8.self).map { .text($0) }
                rest = rest.dropFirst(text.count)
            }
        }
        return keys
    }

    private static let controls: [UInt8: PhoneKey] = [
        interrupt: .interrupted, 0x04: .interrupted, 0x08: .backspace, 0x09: .tab, 0x0A: .enter, 0x0D: .enter,
        0x7F: .backspace,
    ]
    private static let arrows: [UInt8: PhoneKey] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x5A: .left]

    /// ECMA-48: ESC [ with parameters and a final byte, or ESC O with one byte; ESC alone is the key.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> [PhoneKey] {
        rest.removeFirst()
        guard let kind = rest.first, kind == 0x5B || kind == 0x4F else { return [.escape] }
        rest.removeFirst()
        rest = rest.drop { (0x20...0x3F).contains($0) }
        guard let final = rest.popFirst() else { return [] }
        return arrows[final].map { [$0] } ?? []
    }
}
