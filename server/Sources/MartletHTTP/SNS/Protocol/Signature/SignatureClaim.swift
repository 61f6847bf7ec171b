import HTTPTypes
import MartletCore

/// What a request says of its signature, before anybody knows whether it is true.
///
/// The caller looks the secret of `scope.accessKeyID` up, derives the ``SigningKey`` and calls ``verify(_:key:now:)``.
struct SignatureClaim: Sendable {
    /// The only algorithm: a key for one region. SNS has no other.
    static let algorithm = "AWS4-HMAC-SHA256"

    let scope: CredentialScope
    /// The names of the header fields that are signed, in the client's order.
    let signedHeaders: [String]
    let time: SigningTime
    /// For how long a presigned request holds, in seconds; `nil` for one that is sent at once.
    let expires: Int64?
    /// The bytes, 32 of them in a good one; `nil` when the text is not hexadecimal.
    let signature: [UInt8]?

    /// Reads the Authorization field, or the query of a presigned request.
    ///
    /// - Returns: `nil` when the request has neither, as a call may that needs no signature.
    /// - Throws: `IncompleteSignature`, `InvalidClientTokenId` for what cannot be a key id, `MalformedInput` for a query
    ///   that is none.
    static func of(_ request: SignedRequest) throws(SNSError) -> SignatureClaim? {
        let query = try SignedQuery(request.query)
        let isPresigned = query.items.contains {
            $0.name.elementsEqual("X-Amz-Algorithm".utf8) || $0.name.elementsEqual(SignedQuery.signatureName.utf8)
        }
        guard let field = request.fields[.authorization] else {
            return isPresigned ? try SignatureClaim(presigned: query) : nil
        }
        guard !isPresigned else {
            throw .incompleteSignature("A request is signed in its Authorization header or in its query, not in both.")
        }
        return try SignatureClaim(field, of: request)
    }

    private init(_ field: String, of request: SignedRequest) throws(SNSError) {
        let parts = try AuthorizationField(field)
        let date = request.fields[.amzDate]
        let http = date == nil ? request.fields[.date] : nil
        var missing = parts.missing.map { "Authorization header requires '\($0)' parameter." }
        if date == nil, http == nil {
            missing.append(
                "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header."
            )
        }
        guard missing.isEmpty, let credential = parts.credential, let headers = parts.signedHeaders,
            let signature = parts.signature
        else { throw .incompleteSignature(missing.joined(separator: " ")) }
        let time =
            date.map { SigningTime(basic: $0) }
            ?? http.flatMap { SigningTime(http: $0) ?? SigningTime(basic: $0) }
        guard let time else { throw Self.wrongDate }
        self.time = time
        scope = try CredentialScope(credential)
        signedHeaders = try Self.names(headers)
        self.signature = Hex.bytes(signature)
        expires = nil
    }

    private init(presigned query: SignedQuery) throws(SNSError) {
        guard let algorithm = try query.text("X-Amz-Algorithm"), let credential = try query.text("X-Amz-Credential"),
            let date = try query.text("X-Amz-Date"), let headers = try query.text("X-Amz-SignedHeaders"),
            let signature = try query.text(SignedQuery.signatureName)
        else {
            throw .incompleteSignature(
                """
                AWS query-string parameters must include 'X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', \
                'X-Amz-SignedHeaders' and 'X-Amz-Signature'.
                """
            )
        }
        guard algorithm == Self.algorithm else { throw AuthorizationField.unsupportedAlgorithm }
        guard let time = SigningTime(basic: date) else { throw Self.wrongDate }
        self.time = time
        expires = try Self.expires(try query.text("X-Amz-Expires"))
        scope = try CredentialScope(credential)
        signedHeaders = try Self.names(headers)
        self.signature = Hex.bytes(signature)
    }

    private static let wrongDate = SNSError.incompleteSignature("Date must be in ISO-8601 'basic format'.")

    /// A week at most, as AWS has it. Without a number a request holds as long as one that is sent at once.
    private static func expires(_ text: String?) throws(SNSError) -> Int64 {
        guard let text else { return SignatureClaim.skew }
        guard text.utf8.count <= 6, let seconds = Int64(text), (1...604_800).contains(seconds) else {
            throw .incompleteSignature("X-Amz-Expires must be a number of seconds between 1 and 604800.")
        }
        return seconds
    }

    private static func names(_ list: String) throws(SNSError) -> [String] {
        let names = list.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard names.contains("host") else {
            throw .incompleteSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.")
        }
        return names
    }
}
