import Crypto
import Foundation

/// A provider token whose signature was found good.
struct ProviderToken: Equatable, Sendable {
    var keyID: String
    var teamID: String
    /// Seconds since 1970.
    var issuedAt: Int64
    /// Tells tokens apart without comparing their text.
    var serial: Int
}

/// A provider token taken apart (RFC 7515, compact serialization), not yet believed.
struct UnverifiedToken {
    var keyID: String
    var teamID: String
    var issuedAt: Int64
    var signedBytes: Data
    var signature: Data

    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: Moment
    }

    /// Seconds since 1970: a number, with or without a fraction (RFC 7519, section 2, NumericDate), or its text, which
    /// Apple takes too. The fraction is dropped.
    private struct Moment: Decodable {
        /// From 1970 to the end of 9999, the last year that a date of HTTP or of RFC 3339 can have. Others are no time at
        /// all, and reckoning with them could overflow.
        private static let all = 0.0..<253_402_300_800

        var seconds: Int64

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let number = try (try? value.decode(Double.self)) ?? Double(value.decode(String.self))
            guard let number, Self.all.contains(number) else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "no moment from 1970 to 9999")
            }
            seconds = Int64(number)
        }
    }

    /// `nil` when the text is no ES256 token with `kid`, `iss` and a moment as `iat`.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Self.decode(parts[0]).flatMap({ try? JSONDecoder().decode(Header.self, from: $0) }),
            let claims = Self.decode(parts[1]).flatMap({ try? JSONDecoder().decode(Claims.self, from: $0) }),
            let signature = Self.decode(parts[2]), header.alg == "ES256"
        else { return nil }
        keyID = header.kid
        teamID = claims.iss
        issuedAt = claims.iat.seconds
        signedBytes = Data("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    /// ECDSA on P-256 with SHA-256, the signature as two 32-byte numbers (RFC 7518 section 3.4), or as DER (RFC 3279
    /// section 2.2.3), which Apple takes too.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        let forms = [
            try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            try? P256.Signing.ECDSASignature(derRepresentation: signature),
        ]
        return forms.contains { $0.map { key.isValidSignature($0, for: signedBytes) } ?? false }
    }

    /// Base64url without padding (RFC 4648 section 5).
    private static func decode(_ part: Substring) -> Data? {
        guard !part.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
        var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
        if text.utf8.count % 4 != 0 { text += String(repeating: "=", count: 4 - text.utf8.count % 4) }
        return Data(base64Encoded: text)
    }
}
