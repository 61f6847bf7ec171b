/// Writes elements, without spaces between them.
///
/// What XML 1.0 cannot carry (section 2.2: control characters but tab, line feed and carriage return; U+FFFE and U+FFFF)
/// becomes U+FFFD. It is not refused, because what is stored must stay readable whoever wrote it.
struct XMLWriter: Sendable {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// An element with a text in it.
    ///
    /// - Parameter name: a name of the API; it is written as it is.
    mutating func element(_ name: String, _ text: String) {
        open(name)
        append(text)
        close(name)
    }

    /// An element with a text in it, or none when there is no text, as for `NextToken` on the last page.
    mutating func element(_ name: String, optional text: String?) {
        if let text { element(name, text) }
    }

    /// `true` or `false`.
    mutating func element(_ name: String, _ flag: Bool) { element(name, flag ? "true" : "false") }

    /// An element with others in it; an empty one when nothing is written.
    mutating func element(_ name: String, attributes: String = "", _ content: (inout XMLWriter) -> Void) {
        open(name + attributes)
        let start = bytes.count
        content(&self)
        if bytes.count == start {
            bytes.removeLast()
            bytes += "/>".utf8
        } else {
            close(name)
        }
    }

    /// A list, which is there even when it is empty: clients fail on a list that is absent.
    mutating func list<Item>(_ name: String, _ items: [Item], _ content: (inout XMLWriter, Item) -> Void) {
        element(name) { writer in
            for item in items { writer.element("member") { content(&$0, item) } }
        }
    }

    /// A map of texts, in this order.
    mutating func map(_ name: String, _ entries: [(key: String, value: String)]) {
        element(name) { writer in
            for entry in entries {
                writer.element("entry") { writer in
                    writer.element("key", entry.key)
                    writer.element("value", entry.value)
                }
            }
        }
    }

    private mutating func open(_ name: String) {
        bytes.append(UInt8(ascii: "<"))
        bytes += name.utf8
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func close(_ name: String) {
        bytes += "</".utf8
        bytes += name.utf8
        bytes.append(UInt8(ascii: ">"))
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            bytes.reserveCapacity(bytes.count + utf8.count)
            for (index, byte) in utf8.enumerated() {
                switch byte {
                case UInt8(ascii: "&"): bytes += "&amp;".utf8
                case UInt8(ascii: "<"): bytes += "&lt;".utf8
                case UInt8(ascii: ">"): bytes += "&gt;".utf8
                // A reader makes a line feed of a literal one (section 2.11).
                case UInt8(ascii: "\r"): bytes += "&#xD;".utf8
                case UInt8(ascii: "\t"), UInt8(ascii: "\n"): bytes.append(byte)
                case 0..<0x20: bytes += "\u{FFFD}".utf8
                // The last byte of EF BF BE and EF BF BF, U+FFFE and U+FFFF, made BD.
                case 0xBE, 0xBF:
                    let isNoCharacter = index >= 2 && utf8[index - 1] == 0xBF && utf8[index - 2] == 0xEF
                    bytes.append(isNoCharacter ? 0xBD : byte)
                default: bytes.append(byte)
                }
            }
        }
    }
}
