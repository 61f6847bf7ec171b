/// What PostgreSQL wants to have said otherwise.
enum PostgresDialect {
    /// A script's text with numbered parameters: `?` becomes the next number, `?2` becomes `$2`. What stands in quotes and
    /// in comments stays; hints are comments, but for that of locks.
    static func text(_ sql: String) -> String {
        let sql = sql.replacing(#/\/\*\+ SKIP LOCKED (\w+) \*\//#) { "FOR UPDATE OF \($0.output.1) SKIP LOCKED" }
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var quote: UInt8?
        var next = 1
        var bytes = Array(sql.utf8)[...]
        while let byte = bytes.popFirst() {
            if let open = quote {
                if byte == open { quote = nil }
                text.append(byte)
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                text.append(byte)
            } else if byte == UInt8(ascii: "?") {
                let digits = bytes.prefix { (0x30...0x39).contains($0) }
                bytes = bytes.dropFirst(digits.count)
                text.append(UInt8(ascii: "$"))
                text += digits.isEmpty ? Array(String(next).utf8) : Array(digits)
                next += 1
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
