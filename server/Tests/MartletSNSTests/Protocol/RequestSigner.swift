import Foundation
import HTTPTypes
import MartletCore

@testable import MartletSNS

/// Signs requests as a client does, and takes them apart again for tests of what a changed one is answered.
struct RequestSigner {
    var keyID = CapturedCall.keyID
    var secret = CapturedCall.secret
    var region = "eu-central-1"
    var service = "sns"
    var terminator = "aws4_request"
    var time = "20261121T091408Z"
    /// The day in the scope; the time's when `nil`.
    var day: String?

    var method = "POST"
    var target = "/"
    var host = "sns.example.com"
    var body = Array("Action=ListTopics&Version=2010-03-31".utf8)
    var extra: [(String, String)] = []

    private var scope: String { "\(keyID)/\(day ?? String(time.prefix(8)))/\(region)/\(service)/\(terminator)" }

    /// The fields without a signature.
    private var fields: HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = CapturedCall.contentType
        fields[.amzDate] = time
        for (name, value) in extra { fields.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        return fields
    }

    /// A request with these fields that nobody has signed.
    func unsigned() -> SignedRequest {
        SignedRequest(method: method, target: target, host: host, fields: fields, body: body)
    }

    /// The request with an Authorization field.
    func signed(headers: String = "content-type;host;x-amz-date") throws -> SignedRequest {
        var fields = fields
        fields[.authorization] = authorization(headers, String(repeating: "0", count: 64))
        let draft = SignedRequest(method: method, target: target, host: host, fields: fields, body: body)
        fields[.authorization] = authorization(headers, Hex.text(try signature(of: draft)))
        return SignedRequest(method: method, target: target, host: host, fields: fields, body: body)
    }

    /// The request with its signature in the query.
    func presigned(expires: String? = "900", payload: String? = nil) throws -> SignedRequest {
        var items = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", scope), ("X-Amz-Date", time),
            ("X-Amz-SignedHeaders", "host"),
        ]
        if let expires { items.append(("X-Amz-Expires", expires)) }
        if let payload { items.append(("X-Amz-Content-Sha256", payload)) }
        let query = items.map { "\($0)=\(SignedQuery.escaped($1.utf8))" }.joined(separator: "&")
        let start = target + (target.contains("?") ? "&" : "?") + query
        func request(_ signature: String) -> SignedRequest {
            let target = "\(start)&X-Amz-Signature=\(signature)"
            return SignedRequest(method: method, target: target, host: host, fields: [:], body: body)
        }
        return request(Hex.text(try signature(of: request(String(repeating: "0", count: 64)))))
    }

    /// What a request is answered at a time; `nil` when it is accepted.
    static func refusal(_ request: SignedRequest, secret: String, at now: String) throws -> SNSError? {
        do throws(SNSError) {
            guard let claim = try SignatureClaim.of(request) else { return .unsigned }
            let key = SigningKey(secret: secret, scope: claim.scope)
            try claim.verify(request, key: key, now: SigningTime(basic: now)!.timestamp)
            return nil
        } catch { return error }
    }

    /// What a request is answered in the second of its signature.
    func refusal(_ request: SignedRequest) throws -> SNSError? {
        try Self.refusal(request, secret: secret, at: time)
    }

    private func authorization(_ headers: String, _ signature: String) -> String {
        "AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=\(headers), Signature=\(signature)"
    }

    private func signature(of draft: SignedRequest) throws -> [UInt8] {
        let claim = try SignatureClaim.of(draft)!
        let query = try SignedQuery(draft.query)
        let declared = try query.text("X-Amz-Content-Sha256") ?? draft.fields[.amzContentSHA256]
        let text = CanonicalRequest.stringToSign(
            draft,
            claim: claim,
            query: query.canonical,
            payloadHash: declared ?? CanonicalRequest.hash(of: body)
        )
        return SigningKey(secret: secret, scope: claim.scope).signature(of: text)
    }
}
