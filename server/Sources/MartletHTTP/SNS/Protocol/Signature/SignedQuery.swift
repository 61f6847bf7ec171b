/// The query of a request, in which a presigned one has its signature.
struct SignedQuery {
    /// A parameter of the query: its bytes without escapes.
    struct Item {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// What the signature of a presigned request is called in its query.
    static let signatureName = "X-Amz-Signature"
    /// As many as a form may have.
    private static let mostItems = FormParser.mostParameters

    let items: [Item]
    private let raw: [(name: String, value: String)]

    /// Reads a query.
    ///
    /// - Throws: `MalformedInput` for a `%` without two hexadecimal digits, or too many parameters.
    init(_ text: String) throws(SNSError) {
        // By bytes, as the form is read: a mark above a separator makes another character of it.
        let parts = text.utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= Self.mostItems else {
            throw .malformedInput("The request has more than \(Self.mostItems) parameters.")
        }
        var items: [Item] = []
        var raw: [(name: String, value: String)] = []
        for part in parts {
            let split = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let (name, value) = (Array(part[..<split]), Array(part[split...].dropFirst()))
            guard let nameBytes = FormDecoding.decoded(name[...], plusIsSpace: true),
                let valueBytes = FormDecoding.decoded(value[...], plusIsSpace: true)
            else { throw .malformedInput("The query is not in the form application/x-www-form-urlencoded.") }
            items.append(Item(name: nameBytes, value: valueBytes))
            raw.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        self.items = items
        self.raw = raw
    }

    /// The text of a parameter, whose name is ASCII.
    ///
    /// - Throws: `IncompleteSignature` when it comes twice or is not UTF-8.
    func text(_ name: String) throws(SNSError) -> String? {
        var found: String?
        for item in items where item.name.elementsEqual(name.utf8) {
            guard found == nil, let text = String(validating: item.value, as: UTF8.self) else {
                throw .incompleteSignature("The query-string parameter '\(name)' must be given once, as UTF-8.")
            }
            found = text
        }
        return found
    }

    /// The parameters in order, all but the signature, every byte escaped that is not unreserved in RFC 3986.
    var canonical: String {
        let pairs = items.filter { !$0.name.elementsEqual(Self.signatureName.utf8) }
            .map { (name: Self.escaped($0.name), value: Self.escaped($0.value)) }
        return Self.joined(pairs)
    }

    /// The parameters in order, all but the signature, escaped as they came: what clients sign that take the URL for
    /// escaped already, as botocore does and curl did.
    var asSent: String {
        Self.joined(raw.filter { $0.name != Self.signatureName })
    }

    private static func joined(_ pairs: [(name: String, value: String)]) -> String {
        pairs.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }.joined(
            separator: "&"
        )
    }

    /// Bytes with every one escaped that is not unreserved in RFC 3986, section 2.3.
    ///
    /// - Parameter keepsSlash: whether `/` stays, as in a path.
    static func escaped(_ bytes: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.append(byte)
            case UInt8(ascii: "/") where keepsSlash: text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
