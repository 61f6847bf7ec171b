/// Writes an envelope's JSON with its members in the order of AWS's, a line each.
struct EnvelopeWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes texts and, where there are any, the message attributes.
    mutating func object(_ members: [(String, String)], _ attributes: [Envelope.Attribute]) {
        bytes += "{\n".utf8
        for (index, member) in members.enumerated() {
            bytes += index == 0 ? "  ".utf8 : ",\n  ".utf8
            pair(member.0, member.1)
        }
        if !attributes.isEmpty {
            bytes += ",\n  \"MessageAttributes\" : {\n".utf8
            for (index, attribute) in attributes.enumerated() {
                bytes += index == 0 ? "    ".utf8 : ",\n    ".utf8
                string(attribute.name)
                bytes += " : {".utf8
                pair("Type", attribute.type)
                bytes += ", ".utf8
                pair("Value", attribute.value)
                bytes += "}".utf8
            }
            bytes += "\n  }".utf8
        }
        bytes += "\n}".utf8
    }

    private mutating func pair(_ name: String, _ value: String) {
        string(name)
        bytes += " : ".utf8
        string(value)
    }

    /// A text of JSON (RFC 8259, section 7): escaped is what must be.
    private mutating func string(_ text: String) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
