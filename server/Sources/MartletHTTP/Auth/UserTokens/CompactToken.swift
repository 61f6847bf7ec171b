import MartletCore
import MartletWire

/// A user token taken apart (RFC 7515 section 7.1, RFC 7519) and not yet believed.
struct CompactToken: Sendable {
    /// Bytes of a token: request headers of common servers and proxies end at 8 KiB.
    static let limit = 8 << 10

    let header: Header
    let claims: TokenClaims
    /// What the signature is over: header and claims as they were sent.
    let signed: [UInt8]
    let signature: [UInt8]

    /// The part of the header that decides how the signature is checked.
    struct Header: Decodable, Sendable {
        /// The signature's algorithm.
        let algorithm: String
        /// Which key it was made with.
        let kid: String?
        /// Whether the token demands extensions that the receiver has to understand (RFC 7515 section 4.1.11).
        let isCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case kid
            case critical = "crit"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try values.decode(String.self, forKey: .algorithm)
            kid = try values.decodeIfPresent(String.self, forKey: .kid)
            isCritical = values.contains(.critical)
        }
    }

    /// Takes a token apart.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` that says what is wrong, without the token.
    init(_ text: String) throws(Failure) {
        guard text.utf8.count <= CompactToken.limit else {
            throw .userToken(
                "The user token has more than 8 KiB.",
                hint: "Leave claims out that this server does not need."
            )
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let claims = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else {
            throw .userToken(
                "The user token is not a JWT.",
                hint: "Send the three parts that the identity provider issued, joined by '.', after 'Bearer '."
            )
        }
        guard let header = try? DocumentDecoder.decode(Header.self, json: header) else {
            throw .userToken("The user token's header is not JSON with an 'alg'.", hint: nil)
        }
        guard !header.isCritical else {
            throw .userToken("The user token demands extensions ('crit') that this server does not know.", hint: nil)
        }
        self.header = header
        self.claims = try TokenClaims(json: claims)
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }
}

extension Failure {
    /// The refusal of a user token.
    static func userToken(_ message: String, hint: String?) -> Failure {
        Failure(.unauthorized, message, hint: hint)
    }
}
