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
