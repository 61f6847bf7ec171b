import HTTPTypes
import MartletCore

@testable import MartletSNS

/// A request's method, target, host, Authorization, date and declared hash, a line each, and its body.
enum SignaturesTarget {
    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        let (method, target, host) = (input.line(), input.line(), input.line())
        var fields = HTTPFields()
        for name in [HTTPField.Name.authorization, .amzDate, .amzContentSHA256] {
            let value = input.line()
            if !value.isEmpty { fields[name] = value }
        }
        fields[.date] = "Sat, 21 Nov 2026 09:14:08 GMT"
        let request = SignedRequest(
            method: method,
            target: target,
            host: host,
            fields: fields,
            body: Array(input.rest)
        )
        do throws(SNSError) {
            guard let claim = try SignatureClaim.of(request) else { return true }
            let scope = claim.scope
            demand(AccessKey.isID(scope.accessKeyID), "a key that is none")
            demand(scope.region.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }, "a region that is none")
            demand(claim.signedHeaders.contains("host"), "the host is not signed")
            demand(SigningTime(basic: claim.time.description) == claim.time, "a time reads as another")
            let path = CanonicalRequest.path(request.path)
            demand(path.hasPrefix("/") && !path.contains("//"), "the path \(path)")
            // Nobody who does not know this secret signs anything with it.
            let key = SigningKey(secret: "8w2Qm0s6T4", scope: scope)
            try claim.verify(request, key: key, now: claim.time.timestamp)
            demand(false, "a signature is accepted")
        } catch {
            demand((400..<500).contains(error.code.status), "\(error.code) is no fault of the sender")
            demand(error.message.utf8.count < 2_048, "a refusal of \(error.message.utf8.count) bytes")
        }
        return true
    }
}
