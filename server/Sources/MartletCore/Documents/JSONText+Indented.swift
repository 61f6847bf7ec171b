package import MartletWire

extension JSONText {
    /// A document as JSON text for people, two spaces deeper on each level, whose members stand by name.
    ///
    /// - Throws: what the document's conformance throws, and ``JSONText/NumberError``.
    package init(indented document: some Encodable) throws {
        self.init()
        try write(DocumentEncoder.encode(document), indentation: "\n")
    }

    /// - Parameter indentation: the line break and the spaces before what closes the value.
    private mutating func write(_ value: JSONValue, indentation: String) throws(NumberError) {
        let inner = indentation + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                write(raw: (index == 0 ? "[" : ",") + inner)
                try write(element, indentation: inner)
            }
            write(raw: indentation + "]")
        case .object(let members) where !members.isEmpty:
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                write(raw: (index == 0 ? "{" : ",") + inner)
                write(member.key)
                write(raw: " : ")
                try write(member.value, indentation: inner)
            }
            write(raw: indentation + "}")
        default: try write(value)
        }
    }
}
