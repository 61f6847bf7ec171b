/// The parts of `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, in any order.
struct AuthorizationField {
    /// The longest that is looked at: 8 KiB, ours; the SDKs' have about 300 bytes.
    static let longest = 8 * 1024
    static let unsupportedAlgorithm = SNSError.incompleteSignature(
        "The algorithm of the signature is not supported; it must be '\(SignatureClaim.algorithm)'."
    )

    private(set) var credential: String?
    private(set) var signedHeaders: String?
    private(set) var signature: String?

    /// The names of the parts that are not there, in AWS's order.
    var missing: [String] {
        [("Credential", credential), ("Signature", signature), ("SignedHeaders", signedHeaders)]
            .filter { $0.1 == nil }.map(\.0)
    }

    /// Reads the field.
    ///
    /// - Throws: `IncompleteSignature` for another algorithm, for a part that is no pair, and for one that comes twice.
    init(_ text: String) throws(SNSError) {
        guard text.utf8.count <= Self.longest else {
            throw .incompleteSignature("The Authorization header has more than \(Self.longest) bytes.")
        }
        let split = text.firstIndex { $0 == " " || $0 == "\t" } ?? text.endIndex
        let algorithm = text[..<split]
        guard algorithm == SignatureClaim.algorithm else {
            // Another scheme lacks all of it, in AWS's words; another of AWS's algorithms is not supported.
            if algorithm.hasPrefix("AWS4-") { throw Self.unsupportedAlgorithm }
            return
        }
        for part in text[split...].split(separator: ",", omittingEmptySubsequences: false) {
            let part = part.drop { $0 == " " || $0 == "\t" }
            if part.isEmpty { continue }
            guard let equals = part.firstIndex(of: "=") else {
                throw .incompleteSignature(
                    "A part is not a valid key=value pair (missing equal-sign) in Authorization header."
                )
            }
            var value = part[part.index(after: equals)...]
            while value.last == " " || value.last == "\t" { value.removeLast() }
            try set(part[..<equals], String(value))
        }
    }

    private mutating func set(_ name: Substring, _ value: String) throws(SNSError) {
        let path: WritableKeyPath<Self, String?>
        switch name {
        case "Credential": path = \.credential
        case "SignedHeaders": path = \.signedHeaders
        case "Signature": path = \.signature
        default: return
        }
        guard self[keyPath: path] == nil else {
            throw .incompleteSignature("The Authorization header has two of a part.")
        }
        self[keyPath: path] = value
    }
}
