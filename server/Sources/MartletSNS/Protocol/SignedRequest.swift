import Crypto
import Foundation
import HTTPTypes
import MartletCore

/// A request as it was sent, of which a signature speaks: nothing in it is decoded or put in order.
struct SignedRequest: Sendable {
    let method: String
    /// What stands before the `?`, escaped as it came.
    let path: String
    /// What stands behind the `?`, escaped as it came; empty when there is none.
    let query: String
    /// What the client took for the server's name, with the port unless it is the default: `Host` of HTTP/1.1,
    /// `:authority` of HTTP/2. A proxy before the server has to keep it.
    let host: String
    let fields: HTTPFields
    let body: [UInt8]

    /// A request in its parts.
    init(method: String, target: String, host: String, fields: HTTPFields, body: [UInt8]) {
        let split = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        self.method = method
        path = String(target[..<split])
        query = String(decoding: target.utf8[split...].dropFirst(), as: UTF8.self)
        self.host = host
        self.fields = fields
        self.body = body
    }

    /// A request by its head and its whole body.
    init(_ head: HTTPRequest, body: [UInt8]) {
        let host = head.authority ?? HTTPField.Name("Host").flatMap { head.headerFields[$0] } ?? ""
        self.init(
            method: head.method.rawValue,
            target: head.path ?? "/",
            host: host,
            fields: head.headerFields,
            body: body
        )
    }
}

extension SignedRequest {
    /// Whether it claims temporary credentials, of which this server has none.
    ///
    /// - Throws: `MalformedInput` for a query that is none.
    func hasSessionToken() throws(SNSError) -> Bool {
        let name = HTTPField.Name.amzSecurityToken
        if fields[name] != nil { return true }
        return try SignedQuery(query).text(name.rawName) != nil
    }
}

extension HTTPField.Name {
    /// When a request was signed.
    static let amzDate = HTTPField.Name("X-Amz-Date")!  // a token, see RFC 9110, section 5.6.2
    /// The hash of the body, where a client sends it; for SNS few do.
    static let amzContentSHA256 = HTTPField.Name("X-Amz-Content-Sha256")!  // a token as well
    /// What temporary credentials have beside a key.
    static let amzSecurityToken = HTTPField.Name("X-Amz-Security-Token")!  // and this
}

/// A request in the one form of Signature Version 4: what both sides hash.
enum CanonicalRequest {
    /// What is signed: the algorithm, the time, the scope and the hash of the request.
    ///
    /// - Parameters:
    ///   - signedHeaders: the names as the signature lists them.
    ///   - query: the query in order and escaped.
    ///   - payloadHash: of the body.
    static func stringToSign(
        _ request: SignedRequest,
        claim: SignatureClaim,
        query: String,
        payloadHash: String
    ) -> String {
        var lines = [request.method, path(request.path), query]
        lines += claim.signedHeaders.map { "\($0):\(value($0, of: request))" }
        lines += ["", claim.signedHeaders.joined(separator: ";"), payloadHash]
        let hash = Hex.text(SHA256.hash(data: Data(lines.joined(separator: "\n").utf8)))
        return "\(SignatureClaim.algorithm)\n\(claim.time)\n\(claim.scope.text)\n\(hash)"
    }

    /// The hash of a body.
    static func hash(of body: [UInt8]) -> String { Hex.text(SHA256.hash(data: body)) }

    /// The path without `.`, `..` and empty segments, escaped once more, as every service but S3 has it.
    static func path(_ path: String) -> String {
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false)
        for segment in all {
            switch segment {
            case "", ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let endsOpen = !segments.isEmpty && (all.last.map { ["", ".", ".."].contains($0) } ?? false)
        let clean = "/" + segments.joined(separator: "/") + (endsOpen ? "/" : "")
        return SignedQuery.escaped(clean.utf8, keepsSlash: true)
    }

    /// A field's values, trimmed, each run of spaces as one, with commas between.
    private static func value(_ name: String, of request: SignedRequest) -> String {
        if name == "host" { return folded(request.host) }
        guard let name = HTTPField.Name(name) else { return "" }
        return request.fields[values: name].map(folded).joined(separator: ",")
    }

    private static func folded(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}

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
