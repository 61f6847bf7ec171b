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

/// What a signature says it was made with, and for: `KEY/DAY/REGION/sns/aws4_request`.
struct CredentialScope: Hashable, Sendable {
    /// The access key's id, by which its secret is found. Whether there is such a key is not checked here.
    let accessKeyID: String
    /// The day in UTC: `20261121`.
    let day: String
    /// Any region: it says which topics, applications and endpoints are meant.
    let region: String
    let service: String
    let terminator: String

    /// The scope without the key, as it is signed.
    var text: String { "\(day)/\(region)/\(service)/\(terminator)" }

    /// Reads the five elements.
    ///
    /// - Throws: `IncompleteSignature` for another number of them, or a region that cannot be part of an ARN;
    ///   `InvalidClientTokenId` when the first is nothing that could be a key.
    init(_ text: String) throws(SNSError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else {
            throw .incompleteSignature(
                "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term"
            )
        }
        guard AccessKey.isID(parts[0]) else { throw .unknownKey }
        guard Self.isRegion(parts[2]) else { throw .incompleteSignature("The region in Credential has another form.") }
        accessKeyID = parts[0]
        day = parts[1]
        region = parts[2]
        service = parts[3]
        terminator = parts[4]
    }

    /// Looks whether it is for this service and for the day of the request's date.
    ///
    /// - Throws: `SignatureDoesNotMatch`.
    func check(_ time: SigningTime) throws(SNSError) {
        guard terminator == "aws4_request" else {
            throw .wrongScope("Credential should be scoped with a valid terminator: 'aws4_request'.")
        }
        guard service == "sns" else { throw .wrongScope("Credential should be scoped to correct service: 'sns'.") }
        guard day == time.day else {
            throw .wrongScope(
                """
                Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: \
                '\(day.excerpt)' != '\(time.day)', from '\(time)'.
                """
            )
        }
    }

    /// Names such as `eu-central-1`; the longest of AWS's has 14 characters, 64 is ours.
    private static func isRegion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
            }
    }
}

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
