import MartletCore

/// The registered claims of a user token (RFC 7519 section 4.1); others are ignored.
///
/// Own decoding instead of jwt-kit's claim types, because those stop the program on an empty `aud` list.
struct TokenClaims: Sendable, Hashable {
    /// Who issued it.
    var issuer: String?
    /// Whom it is for.
    var audiences: [String]
    /// Whom it is about.
    var subject: String?
    /// When it ends.
    var expiresAt: Timestamp?
    /// When it begins.
    var notBefore: Timestamp?
    /// When it was made.
    var issuedAt: Timestamp?
}

extension TokenClaims: Decodable {
    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audiences = "aud"
        case subject = "sub"
        case expiresAt = "exp"
        case notBefore = "nbf"
        case issuedAt = "iat"
    }

    /// Seconds up to the year 9999, so that no arithmetic on them overflows.
    private static let dates = 0.0...253_402_300_799

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func date(_ key: CodingKeys) throws -> Timestamp? {
            guard let seconds = try values.decodeIfPresent(Double.self, forKey: key) else { return nil }
            guard TokenClaims.dates.contains(seconds) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "out of range")
            }
            return Timestamp(milliseconds: Int64(seconds * 1000))
        }
        issuer = try values.decodeIfPresent(String.self, forKey: .issuer)
        subject = try values.decodeIfPresent(String.self, forKey: .subject)
        if let one = try? values.decodeIfPresent(String.self, forKey: .audiences) {
            audiences = [one]
        } else {
            audiences = try values.decodeIfPresent([String].self, forKey: .audiences) ?? []
        }
        expiresAt = try date(.expiresAt)
        notBefore = try date(.notBefore)
        issuedAt = try date(.issuedAt)
    }

    /// Reads the claims.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` that names the claim of the wrong type.
    init(json: [UInt8]) throws(Failure) {
        do {
            self = try DocumentDecoder.decode(TokenClaims.self, json: json)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context) {
            guard let name = context.codingPath.first?.stringValue else {
                throw .userToken("The user token's claims are not a JSON object.", hint: nil)
            }
            throw .userToken(
                "The user token's claim '\(name)' does not follow RFC 7519.",
                hint: "Times are numbers of seconds since 1970; 'iss' and 'sub' are text; 'aud' is text or a list."
            )
        } catch {
            throw .userToken("The user token's claims are not a JSON object.", hint: nil)
        }
    }
}

extension TokenClaims {
    /// How far the clocks of the identity provider and of this server may lie apart.
    static let leeway = Duration.seconds(60)

    /// Whether the claims speak to this app now; the signature has been checked before.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` that says which rule is broken.
    func check(against identity: Identity, now: Timestamp) throws(Failure) -> UserToken {
        guard let wanted = identity.issuer, let audience = identity.audience else {
            throw .userToken("This app accepts no user tokens.", hint: "Set the app's identity issuer and audience.")
        }
        guard issuer == wanted else {
            throw .userToken(
                "The user token's issuer ('iss') is not the app's.",
                hint: "Compare it with the app's identity."
            )
        }
        guard audiences.contains(audience) else {
            throw .userToken(
                "The user token's audience ('aud') is not the app's.",
                hint: "Compare it with the app's identity."
            )
        }
        guard let expiresAt else {
            throw .userToken("The user token never ends: it has no 'exp'.", hint: "Issue tokens that expire.")
        }
        guard now < expiresAt + TokenClaims.leeway else {
            throw .userToken("The user token has expired.", hint: "Get a new one from the identity provider.")
        }
        let latest = now + TokenClaims.leeway
        if let notBefore, notBefore > latest {
            throw .userToken(
                "The user token is not valid yet ('nbf').",
                hint: "Compare the clocks of issuer and server."
            )
        }
        if let issuedAt, issuedAt > latest {
            throw .userToken(
                "The user token was issued in the future ('iat').",
                hint: "Compare the clocks of issuer and server."
            )
        }
        guard let subject, (try? User.validate(id: subject, field: "sub")) != nil else {
            throw .userToken(
                "The user token's subject ('sub') is not 1 to 256 bytes without control characters.",
                hint: "Put the user's id into 'sub'."
            )
        }
        return UserToken(subject: subject, expiresAt: expiresAt)
    }
}

/// A user token that was checked.
struct UserToken: Sendable, Hashable {
    /// The customer's id of the user that it speaks for.
    var subject: String
    /// When it ends, without the leeway.
    var expiresAt: Timestamp
}
