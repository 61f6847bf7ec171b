import Foundation
import HTTPTypes
import MartletCore
import Testing

@testable import MartletSNS

@Suite("A signature")
struct SignatureTests {
    @Test(
        "of a call that boto3 or the command line made is accepted, and of another body is not",
        arguments: CapturedCall.all
    )
    func acceptsCaptured(_ call: CapturedCall) throws {
        let scope = "\(CapturedCall.keyID)/20261121/us-east-1/sns/aws4_request"
        let fields: HTTPFields = [
            .contentType: CapturedCall.contentType, .amzDate: call.date,
            .authorization: """
            AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=content-type;host;x-amz-date, Signature=\(call.signature)
            """,
        ]
        for (body, expected) in [(call.body, nil), (call.body + "&X=1", SNSError.signatureMismatch)] {
            let head = HTTPRequest(
                method: .post,
                scheme: "http",
                authority: CapturedCall.host,
                path: "/",
                headerFields: fields
            )
            let request = SignedRequest(head, body: Array(body.utf8))
            let claim = try #require(try SignatureClaim.of(request))
            #expect(claim.scope.accessKeyID == CapturedCall.keyID && claim.scope.region == "us-east-1")
            #expect(try RequestSigner.refusal(request, secret: call.secret, at: call.date) == expected)
            #expect(try RequestSigner.refusal(request, secret: "other", at: call.date) == .signatureMismatch)
        }
    }

    @Test("is accepted whatever fields the client signs, and however they are spaced")
    func acceptsFields() throws {
        var signer = RequestSigner()
        signer.extra = [
            ("amz-sdk-request", "attempt=1;  max=3"), ("x-list", " a"), ("x-list", "b\t c "), ("content-length", "36"),
        ]
        let request = try signer.signed(headers: "amz-sdk-request;content-length;host;x-absent;x-amz-date;x-list")
        #expect(try signer.refusal(request) == nil)
        var folded = request.fields
        folded[HTTPField.Name("amz-sdk-request")!] = "attempt=1; max=3"
        let other = SignedRequest(
            method: "POST",
            target: "/",
            host: request.host,
            fields: folded,
            body: request.body
        )
        #expect(try signer.refusal(other) == nil)
    }

    @Test("of a request that was changed on the way does not match", arguments: Change.allCases)
    func refusesChanges(_ change: Change) throws {
        var signer = RequestSigner()
        signer.target = "/?A=1&B=2"
        let request = try signer.signed()
        #expect(try signer.refusal(request) == nil)
        #expect(try signer.refusal(change.applied(to: request)) == .signatureMismatch)
    }

    enum Change: CaseIterable {
        case method, path, query, host, contentType, body, signature

        func applied(to request: SignedRequest) -> SignedRequest {
            var fields = request.fields
            if self == .contentType { fields[.contentType] = "text/plain" }
            if self == .signature {
                fields[.authorization] = fields[.authorization]! + "0"
            }
            return SignedRequest(
                method: self == .method ? "PUT" : request.method,
                target: (self == .path ? "/x" : "/") + (self == .query ? "?A=1&B=3" : "?A=1&B=2"),
                host: self == .host ? "sns.example.com:8080" : request.host,
                fields: fields,
                body: self == .body ? request.body + [0] : request.body
            )
        }
    }

    @Test(
        "holds for five minutes before and after",
        arguments: [
            ("20261121T091408Z", nil), ("20261121T091908Z", nil), ("20261121T090908Z", nil),
            (
                "20261121T091909Z",
                "Signature expired: 20261121T091408Z is now earlier than 20261121T091409Z (20261121T091909Z - 5 min.)"
            ),
            (
                "20261121T090907Z",
                "Signature not yet current: 20261121T091408Z is still later than 20261121T091407Z (20261121T090907Z + 5 min.)"
            ),
        ]
    )
    func expires(now: String, text: String?) throws {
        let refusal = try RequestSigner.refusal(RequestSigner().signed(), secret: CapturedCall.secret, at: now)
        #expect(refusal == text.map { SNSError(.signatureDoesNotMatch, $0) })
    }

    @Test("over midnight has the day of its own time")
    func midnight() throws {
        var signer = RequestSigner()
        signer.time = "20261231T235959Z"
        let now = "20270101T000200Z"
        #expect(try RequestSigner.refusal(signer.signed(), secret: signer.secret, at: now) == nil)
        signer.day = "20270101"
        #expect(
            try RequestSigner.refusal(signer.signed(), secret: signer.secret, at: now)
                == .wrongScope(
                    """
                    Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: \
                    '20270101' != '20261231', from '20261231T235959Z'.
                    """
                )
        )
    }

    @Test("is for any region, for SNS alone, with AWS's last word")
    func scope() throws {
        var signer = RequestSigner()
        for region in ["us-east-1", "eu-central-1", "local", "us-gov-west-1"] {
            signer.region = region
            #expect(try signer.refusal(signer.signed()) == nil)
        }
        signer.service = "sqs"
        #expect(
            try signer.refusal(signer.signed()) == .wrongScope("Credential should be scoped to correct service: 'sns'.")
        )
        signer.terminator = "aws5"
        #expect(try signer.refusal(signer.signed())?.code == .signatureDoesNotMatch)
    }

    @Test("takes the Date field when there is no X-Amz-Date")
    func dateField() throws {
        let signer = RequestSigner()
        let signed = try signer.signed(headers: "host")
        var fields = signed.fields
        fields[.amzDate] = nil
        fields[.date] = "Sat, 21 Nov 2026 09:14:08 GMT"
        let request = SignedRequest(method: "POST", target: "/", host: signed.host, fields: fields, body: signed.body)
        #expect(try signer.refusal(request) == nil)
        fields[.date] = nil
        let none = SignedRequest(method: "POST", target: "/", host: signed.host, fields: fields, body: signed.body)
        #expect(
            try signer.refusal(none)
                == .incompleteSignature(
                    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header."
                )
        )
    }

    @Test("says of the body what is true")
    func payload() throws {
        var signer = RequestSigner()
        let hash = CanonicalRequest.hash(of: signer.body)
        let headers = "host;x-amz-content-sha256;x-amz-date"
        signer.extra = [("x-amz-content-sha256", hash)]
        #expect(try signer.refusal(signer.signed(headers: headers)) == nil)
        signer.extra = [("x-amz-content-sha256", CanonicalRequest.hash(of: []))]
        #expect(try signer.refusal(signer.signed(headers: headers)) == .signatureMismatch)
        for nothing in ["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"] {
            signer.extra = [("x-amz-content-sha256", nothing)]
            #expect(try signer.refusal(signer.signed(headers: headers))?.code == .incompleteSignature)
        }
    }

    @Test("key is of one day and one region")
    func keys() throws {
        let request = try RequestSigner().signed()
        let claim = try #require(try SignatureClaim.of(request))
        for (day, region) in [("20261122", "eu-central-1"), ("20261121", "eu-central-2")] {
            let key = SigningKey(secret: CapturedCall.secret, day: day, region: region)
            #expect(throws: SNSError.signatureMismatch) {
                try claim.verify(request, key: key, now: claim.time.timestamp)
            }
        }
    }
}
