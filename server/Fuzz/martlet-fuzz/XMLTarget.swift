import MartletCore

@testable import MartletSNS

/// Texts, a line each, as elements, lists and maps of an answer.
enum XMLTarget {
    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        var texts: [String] = []
        while !input.rest.isEmpty { texts.append(input.line()) }
        let answer = SNSAnswer.success(.listTopics, requestID: "r") { writer in
            for text in texts { writer.element("Text", text) }
            writer.list("List", texts) { $0.element("Item", $1) }
            writer.map("Map", texts.map { ($0, $0) })
            writer.element("NextToken", optional: texts.first)
        }
        check(answer.body, holds: texts)
        return true
    }

    /// Reads a document again: its elements end as they begin, nothing in it is forbidden, and these texts are there.
    ///
    /// By bytes: a mark above joins what stands before it to one character, be it markup.
    static func check(_ document: [UInt8], holds texts: [String]) {
        var open: [[UInt8]] = []
        var found: Set<[UInt8]> = []
        var rest = document[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "<") {
                let tag = Array(rest.prefix { $0 != UInt8(ascii: ">") }.dropFirst())
                rest = rest.dropFirst(tag.count + 2)
                if tag.first == UInt8(ascii: "/") {
                    demand(open.popLast() == Array(tag.dropFirst()), "an element ends that did not begin")
                    found.insert([])
                } else if tag.last != UInt8(ascii: "/") {
                    open.append(Array(tag.prefix { $0 != UInt8(ascii: " ") }))
                }
            } else {
                let text = rest.prefix { $0 != UInt8(ascii: "<") }
                found.insert(plain(text))
                rest = rest.dropFirst(text.count)
            }
        }
        demand(open.isEmpty, "an element does not end")
        for text in texts { demand(found.contains(Array(allowed(text).utf8)), "a text is not in the document") }
    }

    /// The text that a reader makes of what is written.
    private static func plain(_ written: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(validating: written, as: UTF8.self)
        demand(text.map { allowed($0).utf8.elementsEqual(written) } == true, "a character that must not be there")
        demand(!written.contains { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "\r") }, "what is not escaped")
        var bytes: [UInt8] = []
        var rest = written
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                bytes.append(byte)
                continue
            }
            let name = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count + 1)
            switch String(decoding: name, as: UTF8.self) {
            case "lt": bytes.append(UInt8(ascii: "<"))
            case "gt": bytes.append(UInt8(ascii: ">"))
            case "amp": bytes.append(UInt8(ascii: "&"))
            case "#xD": bytes.append(UInt8(ascii: "\r"))
            default: demand(false, "an entity that there is not")
            }
        }
        return bytes
    }

    /// The text with what XML 1.0 cannot carry replaced.
    private static func allowed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...0x10FFFF: result.append(scalar)
            default: result.append("\u{FFFD}")
            }
        }
        return String(result)
    }
}
