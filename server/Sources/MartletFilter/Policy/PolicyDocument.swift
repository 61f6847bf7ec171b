/// A policy's JSON, written anew without spaces, and where each of its values then stands.
///
/// Amazon SNS does the same before it looks at the meaning: its recorded answers to policies with spaces quote them
/// without, and give the columns of the text so written.
struct PolicyDocument {
    /// A value.
    struct Node {
        var kind: Kind
        /// The text of a string, or of a number as it was given.
        var text: Text
        /// Of an object, the names of the children.
        var names: [Text] = []
        var children: [Int] = []
        /// Where it begins and ends in the compact text, in UTF-16 code units.
        var start = 0
        var end = 0
    }

    enum Kind {
        case object, array, string, number, yes, no, null
    }

    private(set) var nodes: [Node] = []
    private(set) var compact: [UInt8] = []

    /// Reads a whole text. Of a name that is duplicated in an object the last value counts, in the first one's place.
    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        var tokenizer = JSONTokenizer(bytes)
        var places: [PathTree.Step: Int] = [:]
        var open: [Int] = []
        var name: Text = ""
        while true {
            let token = try tokenizer.next()
            switch token {
            case .end:
                write()
                return
            case .name:
                name = try tokenizer.text()
                continue
            case .endObject, .endArray:
                open.removeLast()
                continue
            default: break
            }
            let node = nodes.count
            nodes.append(Node(kind: Self.kind(token), text: try Self.text(token, tokenizer)))
            if let parent = open.last { adopt(node, by: parent, name, &places) }
            if token == .startObject || token == .startArray { open.append(node) }
        }
    }

    private mutating func adopt(_ node: Int, by parent: Int, _ name: Text, _ places: inout [PathTree.Step: Int]) {
        guard nodes[parent].kind == .object else {
            nodes[parent].children.append(node)
            return
        }
        let step = PathTree.Step(parent: Int32(parent), name: name)
        if let place = places[step] {
            nodes[parent].children[place] = node
            return
        }
        places[step] = nodes[parent].children.count
        nodes[parent].names.append(name)
        nodes[parent].children.append(node)
    }

    private static func kind(_ token: JSONTokenizer.Token) -> Kind {
        switch token {
        case .startObject: .object
        case .startArray: .array
        case .string: .string
        case .number: .number
        case .yes: .yes
        case .no: .no
        default: .null
        }
    }

    private static func text(_ token: JSONTokenizer.Token, _ tokenizer: JSONTokenizer) throws(JSONSyntaxError) -> Text {
        switch token {
        case .string: try tokenizer.text()
        case .number: Text(Array(tokenizer.bytes[tokenizer.range]))
        default: ""
        }
    }
}

extension PolicyDocument {
    private mutating func write() {
        var column = 0
        var stack = [(node: 0, next: -1)]
        while let (node, next) = stack.popLast() {
            let kind = nodes[node].kind
            guard kind == .object || kind == .array else {
                nodes[node].start = column
                put(Self.written(nodes[node]), &column)
                nodes[node].end = column
                continue
            }
            if next < 0 {
                nodes[node].start = column
                put([kind == .object ? 0x7B : 0x5B], &column)
            }
            let child = next + 1
            guard child < nodes[node].children.count else {
                put([kind == .object ? 0x7D : 0x5D], &column)
                nodes[node].end = column
                continue
            }
            if child > 0 { put([0x2C], &column) }
            if kind == .object { put(Self.quoted(nodes[node].names[child]) + [0x3A], &column) }
            stack.append((node, child))
            stack.append((nodes[node].children[child], -1))
        }
    }

    private mutating func put(_ bytes: [UInt8], _ column: inout Int) {
        compact += bytes
        column += Text.units(bytes)
    }

    private static func written(_ node: Node) -> [UInt8] {
        switch node.kind {
        case .string: quoted(node.text)
        case .number: JavaNumber.text(of: node.text).bytes
        case .yes: Array("true".utf8)
        case .no: Array("false".utf8)
        default: Array("null".utf8)
        }
    }

    /// A string in quotes, with the escapes that Jackson writes.
    static func quoted(_ text: Text) -> [UInt8] {
        var quoted: [UInt8] = [0x22]
        for byte in text.bytes {
            switch byte {
            case 0x22, 0x5C: quoted += [0x5C, byte]
            case 0x08: quoted += [0x5C, UInt8(ascii: "b")]
            case 0x09: quoted += [0x5C, UInt8(ascii: "t")]
            case 0x0A: quoted += [0x5C, UInt8(ascii: "n")]
            case 0x0C: quoted += [0x5C, UInt8(ascii: "f")]
            case 0x0D: quoted += [0x5C, UInt8(ascii: "r")]
            case ..<0x20: quoted += Array(unicodeEscape(byte).utf8)
            default: quoted.append(byte)
            }
        }
        quoted.append(0x22)
        return quoted
    }

    private static func unicodeEscape(_ byte: UInt8) -> String {
        "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// What Jackson puts in front of a place: the text itself, at most its first 500 characters.
    var source: String {
        var units = 0
        var end = 0
        for byte in compact {
            if byte & 0xC0 != 0x80 {
                let width = byte >= 0xF0 ? 2 : 1
                if units + width > Self.sourceLimit { break }
                units += width
            }
            end += 1
        }
        var shown = ""
        for scalar in String(decoding: compact[..<end], as: UTF8.self).unicodeScalars {
            // The controls above ASCII, which JSON lets stand as they are.
            if (0x7F...0x9F).contains(scalar.value) {
                shown += "\\u00" + String(scalar.value, radix: 16, uppercase: true)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        let rest = Text.units(compact) - Self.sourceLimit
        return "(String)\"\(shown)\"" + (rest > 0 ? "[truncated \(rest) chars]" : "")
    }

    /// Jackson's `ErrorReportConfiguration.DEFAULT_MAX_RAW_CONTENT_LENGTH`.
    private static let sourceLimit = 500
}
