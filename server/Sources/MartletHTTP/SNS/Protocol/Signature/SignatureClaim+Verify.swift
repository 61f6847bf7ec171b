import HTTPTypes
import MartletCore

extension SignatureClaim {
    /// How far a client's clock may be from ours: 5 minutes, AWS's own limit.
    static let skew: Int64 = 300

    /// Looks whether the holder of the key signed this request, and lately.
    ///
    /// - Parameters:
    ///   - request: the one that the claim was read from.
    ///   - key: of the claim's day and region.
    ///   - now: the server's time.
    /// - Throws: `SignatureDoesNotMatch`; `IncompleteSignature` for a hash that is no hash.
    func verify(_ request: SignedRequest, key: SigningKey, now: Timestamp) throws(SNSError) {
        try scope.check(time)
        try checkTime(SigningTime(now))
        guard key.day == scope.day, key.region == scope.region, let signature else { throw .signatureMismatch }
        let query = try SignedQuery(request.query)
        let payload = try payloadHash(request, query)
        let forms = [query.canonical, query.asSent]
        for form in forms.first == forms.last ? [forms[0]] : forms {
            let text = CanonicalRequest.stringToSign(request, claim: self, query: form, payloadHash: payload)
            if key.isSignature(signature, of: text) { return }
        }
        throw .signatureMismatch
    }

    private func checkTime(_ now: SigningTime) throws(SNSError) {
        let latest = SigningTime(now.timestamp + .seconds(Self.skew))
        guard time.timestamp <= latest.timestamp else {
            throw .notYetCurrent("\(time)", latest: "\(latest)", now: "\(now)", seconds: Self.skew)
        }
        let span = expires ?? Self.skew
        let earliest = SigningTime(now.timestamp - .seconds(span))
        guard time.timestamp >= earliest.timestamp else {
            throw .expired("\(time)", earliest: "\(earliest)", now: "\(now)", seconds: span)
        }
    }

    /// The hash in the signature: the body's, or what the client says of it when that is true.
    private func payloadHash(_ request: SignedRequest, _ query: SignedQuery) throws(SNSError) -> String {
        let inQuery = try query.text("X-Amz-Content-Sha256")
        let declared = request.fields[.amzContentSHA256] ?? inQuery
        let actual = CanonicalRequest.hash(of: request.body)
        guard let declared else { return actual }
        // Not UNSIGNED-PAYLOAD either: the body says what is asked for.
        guard declared.utf8.count == 64 else {
            throw .incompleteSignature("X-Amz-Content-Sha256 must be the hash of the body.")
        }
        guard declared.lowercased() == actual else { throw .signatureMismatch }
        return declared
    }
}
