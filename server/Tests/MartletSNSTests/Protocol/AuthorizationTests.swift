import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import Testing

@testable import MartletSNS

@Suite("An Authorization field")
struct AuthorizationTests {
    private func refusal(_ field: String?, date: String? = "20261121T091408Z") throws -> SNSError? {
        var fields = HTTPFields()
        fields[.authorization] = field
        fields[.amzDate] = date
        let request = SignedRequest(method: "POST", target: "/", host: "h", fields: fields, body: [])
        return try RequestSigner.refusal(request, secret: "s", at: "20261121T091408Z")
    }

    private static let scope = "AKIAIOSFODNN7EXAMPLE/20261121/us-east-1/sns/aws4_request"
    private static let zeros = String(repeating: "0", count: 64)

    @Test("that is absent is one thing, and one of another scheme another")
    func schemes() throws {
        #expect(try refusal(nil) == .unsigned)
        for field in ["Bearer mk_admin_x", "Basic eA==", "", "AWS4-HMAC-SHA256", "aws4-hmac-sha256 Credential=x"] {
            #expect(
                try refusal(field)
                    == .incompleteSignature(
                        """
                        Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' \
                        parameter. Authorization header requires 'SignedHeaders' parameter.
                        """
                    )
            )
        }
        #expect(try refusal("AWS4-ECDSA-P256-SHA256 Credential=x") == AuthorizationField.unsupportedAlgorithm)
    }

    @Test("is read whatever stands between its parts", arguments: [", ", ",", " , ", ",\t"])
    func separators(separator: String) throws {
        let parts = ["Signature=\(Self.zeros)", "SignedHeaders=host", "Credential=\(Self.scope)"]
        #expect(try refusal("AWS4-HMAC-SHA256 " + parts.joined(separator: separator)) == .signatureMismatch)
    }

    @Test(
        "with another form is refused as SNS does",
        arguments: [
            ("Credential=\(scope), SignedHeaders=host", SNSErrorCode.incompleteSignature),
            ("Credential=\(scope), SignedHeaders=host, Signature", .incompleteSignature),
            ("Credential=\(scope), Credential=\(scope), SignedHeaders=host, Signature=\(zeros)", .incompleteSignature),
            ("Credential=\(scope), SignedHeaders=x-amz-date, Signature=\(zeros)", .incompleteSignature),
            ("Credential=\(scope), SignedHeaders=, Signature=\(zeros)", .incompleteSignature),
            ("Credential=\(scope)/x, SignedHeaders=host, Signature=\(zeros)", .incompleteSignature),
            ("Credential=a/b/\(scope), SignedHeaders=host, Signature=\(zeros)", .incompleteSignature),
            ("Credential=short/20261121/r/sns/aws4_request, SignedHeaders=host, Signature=x", .invalidClientTokenID),
            (
                "Credential=AKIA+OSFODNN7EXAMPLE/20261121/r/sns/aws4_request, SignedHeaders=host, Signature=x",
                .invalidClientTokenID
            ),
            (
                "Credential=AKIAIOSFODNN7EXAMPLE/20261121/r:x/sns/aws4_request, SignedHeaders=host, Signature=x",
                .incompleteSignature
            ),
            (
                "Credential=AKIAIOSFODNN7EXAMPLE/20261121//sns/aws4_request, SignedHeaders=host, Signature=x",
                .incompleteSignature
            ),
            ("Credential=\(scope), SignedHeaders=host, Signature=", .signatureDoesNotMatch),
            ("Credential=\(scope), SignedHeaders=host, Signature=zz", .signatureDoesNotMatch),
            ("Credential=\(scope), SignedHeaders=host;;é, Signature=\(zeros)", .signatureDoesNotMatch),
            (String(repeating: "x=1,", count: 3_000), .incompleteSignature),
        ]
    )
    func forms(rest: String, code: SNSErrorCode) throws {
        #expect(try refusal("AWS4-HMAC-SHA256 \(rest)")?.code == code)
    }

    @Test("never comes back in the answer, because a secret in the place of the key would")
    func keepsSecrets() throws {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        let fields = [
            "AWS4-HMAC-SHA256 Credential=\(secret)/20261121/us-east-1/sns/aws4_request, SignedHeaders=host, Signature=x",
            "AWS4-HMAC-SHA256 \(secret)", "Bearer \(secret)", "AWS4-\(secret)",
        ]
        for field in fields {
            let message = try refusal(field)?.message ?? ""
            #expect(!message.isEmpty && !message.contains("K7MDENG"))
        }
    }

    @Test(
        "with a date that is none is refused",
        arguments: [
            "", "2026-11-21T09:14:08Z", "20261121T0914Z", "20261121T091408", "20261321T091408Z", "2026112 T091408Z",
            "20261121T091408Z, 20261121T091408Z", "Sat, 21 Nov 2026 09:14:08 GMT", "é0261121T09140Z",
        ]
    )
    func dates(date: String) throws {
        let field = "AWS4-HMAC-SHA256 Credential=\(Self.scope), SignedHeaders=host, Signature=\(Self.zeros)"
        #expect(try refusal(field, date: date)?.code == .incompleteSignature)
    }

    @Test("of random bytes is refused")
    func random() throws {
        var random = SeededRandom(seed: 1)
        let words = [
            "AWS4-HMAC-SHA256", " ", ",", "=", "Credential=", Self.scope, "SignedHeaders=", "host", ";", "Signature=",
            Self.zeros, "/", "%", "\u{0}", "é", "20261121",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<12, using: &random)
            let field = (0..<count).map { _ in random.pick(words) }.joined()
            #expect(try refusal(field) != nil)
        }
    }

    @Test("of a new access key has the form of one")
    func newKeys() {
        let keys = (0..<100).map { _ in AccessKey() }
        var dumped = ""
        dump(keys[0], to: &dumped)
        #expect("\(keys[0])" == keys[0].id && !dumped.contains(keys[0].secret))
        #expect(Set(keys.map(\.id)).count == 100 && Set(keys.map(\.secret)).count == 100)
        for key in keys {
            #expect(key.id.count == 20 && key.id.hasPrefix("MKIA") && AccessKey.isID(key.id))
            #expect(key.id.dropFirst(4).allSatisfy { $0.isUppercase || ("2"..."7").contains($0) })
            #expect(
                key.secret.count == 40 && !key.secret.hasSuffix("=") && Data(base64Encoded: key.secret)?.count == 30
            )
        }
    }
}
