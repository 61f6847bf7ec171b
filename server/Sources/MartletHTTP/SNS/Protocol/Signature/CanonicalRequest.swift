import Crypto
import Foundation
import HTTPTypes

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
