import Foundation
import HTTPTypes
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("A presigned request")
struct PresignedTests {
    private var signer: RequestSigner {
        var signer = RequestSigner()
        signer.method = "GET"
        signer.target = "/?Version=2010-03-31&Message=a%20b%2Bc&Action=Publish&A=2&A=1&Empty&Sub=%C3%A9"
        signer.body = []
        return signer
    }

    @Test("is accepted and read, with its parameters in any order")
    func accepts() throws {
        let request = try signer.presigned()
        #expect(try signer.refusal(request) == nil)
        var parts = request.query.split(separator: "&")
        parts.swapAt(0, parts.count - 1)
        let moved = SignedRequest(
            method: "GET",
            target: "/?" + parts.joined(separator: "&"),
            host: request.host,
            fields: [:],
            body: []
        )
        #expect(try signer.refusal(moved) == nil)
        let doubled = request.query.replacing("&A=2&A=1", with: "")
        #expect(try FormParameters(query: doubled, body: []).string("Message") == "a b+c")
    }

    @Test(
        "does not match with another parameter",
        arguments: [
            ("Publish", "DeleteTopic"), ("A=1", "A=3"), ("a%20b", "a%2520b"), ("&Empty", ""), ("900", "901"),
        ]
    )
    func refusesChanges(old: String, new: String) throws {
        let request = try signer.presigned()
        let query = request.query.replacing(old, with: new)
        #expect(query != request.query)
        let other = SignedRequest(method: "GET", target: "/?" + query, host: request.host, fields: [:], body: [])
        #expect(try signer.refusal(other) == .signatureMismatch)
    }

    @Test("takes a plus and an escaped space for the same, as its parameters do, and not an escaped plus")
    func spaces() throws {
        let request = try signer.presigned()
        for (text, expected) in [("a+b", nil), ("a%2Bb", SNSError.signatureMismatch)] {
            let query = request.query.replacing("a%20b", with: text)
            let other = SignedRequest(method: "GET", target: "/?" + query, host: request.host, fields: [:], body: [])
            #expect(try signer.refusal(other) == expected)
        }
    }

    @Test(
        "holds for as long as it says, a week at most",
        arguments: [
            ("900", "20261121T092908Z", nil), ("900", "20261121T092909Z", SNSErrorCode.signatureDoesNotMatch),
            ("1", "20261121T091409Z", nil), ("1", "20261121T091410Z", .signatureDoesNotMatch),
            ("604800", "20261128T091408Z", nil), ("604801", "20261121T091408Z", .incompleteSignature),
            ("0", "20261121T091408Z", .incompleteSignature), ("-5", "20261121T091408Z", .incompleteSignature),
            ("1e3", "20261121T091408Z", .incompleteSignature), ("", "20261121T091408Z", .incompleteSignature),
            (nil, "20261121T091908Z", nil), (nil, "20261121T091909Z", .signatureDoesNotMatch),
        ]
    )
    func holds(expires: String?, now: String, code: SNSErrorCode?) throws {
        var draft = signer
        // What the signer would not sign is signed as something else: the number is refused before the signature.
        let isReadable = expires.map { (1...604_800).contains(Int($0) ?? 0) } ?? true
        let request = try draft.presigned(expires: isReadable ? expires : "900")
        let query =
            isReadable ? request.query : request.query.replacing("Expires=900", with: "Expires=\(expires ?? "")")
        draft.target = "/?" + query
        #expect(try RequestSigner.refusal(draft.unsignedQuery(), secret: draft.secret, at: now)?.code == code)
    }

    @Test("says what it expired after")
    func words() throws {
        let refusal = try RequestSigner.refusal(
            signer.presigned(expires: "90"),
            secret: CapturedCall.secret,
            at: "20261121T091539Z"
        )
        let text = "20261121T091408Z is now earlier than 20261121T091409Z (20261121T091539Z - 90 sec.)"
        #expect(refusal?.message == "Signature expired: \(text)")
    }

    @Test("is taken apart at the same bytes as its parameters, whatever marks stand above them")
    func marks() throws {
        // U+0301 joins the character before it.
        let query = try SignedQuery("A=1&\u{301}B=\u{301}2&C=\u{301}")
        let form = try FormParameters(query: "A=1&\u{301}B=\u{301}2&C=\u{301}", body: [])
        #expect(query.items.map { String(decoding: $0.name, as: UTF8.self) } == ["A", "\u{301}B", "C"])
        #expect(query.canonical == "%CC%81B=%CC%812&A=1&C=%CC%81")
        #expect(try form.string("A") == "1" && form.string("C") == "\u{301}")
        let request = SignedRequest(method: "GET", target: "/a?\u{301}", host: "h", fields: [:], body: [])
        #expect(request.path == "/a" && request.query == "\u{301}")
    }

    @Test("covers its body")
    func payload() throws {
        var open = signer
        open.method = "POST"
        let bound = try open.presigned()
        let changed = SignedRequest(
            method: "POST",
            target: "/?" + bound.query,
            host: bound.host,
            fields: [:],
            body: [1]
        )
        #expect(try open.refusal(changed) == .signatureMismatch)
    }

    @Test(
        "needs all its parts, each once",
        arguments: [
            "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders", "X-Amz-Signature",
        ]
    )
    func parts(name: String) throws {
        let request = try signer.presigned()
        let without = request.query.replacing("\(name)=", with: "Other=")
        for query in [without, request.query + "&\(name)=x"] {
            let other = SignedRequest(method: "GET", target: "/?" + query, host: request.host, fields: [:], body: [])
            #expect(try signer.refusal(other)?.code == .incompleteSignature)
        }
    }

    @Test("with an Authorization field as well is refused")
    func both() throws {
        let request = try signer.presigned()
        let fields = try signer.signed().fields
        let other = SignedRequest(
            method: "GET",
            target: "/?" + request.query,
            host: request.host,
            fields: fields,
            body: []
        )
        #expect(try signer.refusal(other)?.code == .incompleteSignature)
    }
}

extension RequestSigner {
    /// A request that has all it has in its target.
    func unsignedQuery() -> SignedRequest {
        SignedRequest(method: method, target: target, host: host, fields: [:], body: body)
    }
}
