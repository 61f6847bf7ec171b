import CryptoExtras
import Foundation
import MartletCore
import MartletWire
import SwiftASN1

/// A service account of Google: what its JSON file says, checked.
struct ServiceAccount: Sendable {
    /// The Firebase project's id.
    let projectID: String
    /// The account's address.
    let clientEmail: String
    /// The key's id.
    let keyID: String
    let key: _RSA.Signing.PrivateKey
    let endpoint: TokenEndpoint
    /// What is sealed: those members that are needed, and no others.
    let secret: [UInt8]

    /// The longest file. Ours: Google's have 2,400 bytes.
    private static let limit = 32_768

    /// Reads the file's text.
    ///
    /// - Parameter hosts: the token endpoint's hosts that are allowed beside Google's.
    /// - Throws: `Failure` that names the member and says what to do.
    init(json text: String, allowing hosts: Set<String>) throws(Failure) {
        guard text.utf8.count <= Self.limit, let members = (try? JSONValue(json: Data(text.utf8)))?.objectValue else {
            throw Self.invalid(nil, "The service account is not a JSON object.")
        }
        try Self.checkType(members)
        projectID = try Self.text("project_id", in: members, limit: 100, Self.isOfProject)
        clientEmail = try Self.text("client_email", in: members, limit: 320) { (0x21...0x7E).contains($0) }
        guard clientEmail.contains("@") else { throw Self.invalid("client_email", "It is not an address.") }
        keyID = try Self.text("private_key_id", in: members, limit: 128) { (0x21...0x7E).contains($0) }
        let uri = members["token_uri"] ?? .string(TokenEndpoint.googleURI)
        guard let uri = uri.stringValue else { throw Self.invalid("token_uri", "It is a text.") }
        endpoint = try TokenEndpoint(uri, allowing: hosts)
        guard let pem = members["private_key"]?.stringValue else {
            throw Self.invalid("private_key", "The private key is missing.")
        }
        key = try Self.key(pem)
        let kept: JSONValue = [
            "type": "service_account", "project_id": .string(projectID), "client_email": .string(clientEmail),
            "private_key_id": .string(keyID), "private_key": .string(pem), "token_uri": .string(uri),
        ]
        // Texts always encode.
        secret = (try? kept.json()).map { Array($0) } ?? []
    }

    private static func checkType(_ members: [String: JSONValue]) throws(Failure) {
        if members["project_info"] != nil {
            throw invalid(nil, "This is google-services.json, which belongs into the Android app.")
        }
        guard let type = members["type"]?.stringValue else { throw invalid("type", "It has no type.") }
        guard type == "service_account" else {
            throw invalid("type", "Its type is \(type.prefix(40)), not service_account.")
        }
    }

    private static func text(
        _ name: String,
        in members: [String: JSONValue],
        limit: Int,
        _ isAllowed: (UInt8) -> Bool
    ) throws(Failure) -> String {
        guard let text = members[name]?.stringValue, !text.isEmpty else { throw invalid(name, "It is missing.") }
        guard text.utf8.count <= limit, text.utf8.allSatisfy(isAllowed) else {
            throw invalid(name, "It has characters that it cannot have, or too many.")
        }
        return text
    }

    /// Letters, digits, hyphens, and of projects within a domain dots and a colon: it stands in a path.
    private static func isOfProject(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// 2,048 bits are Google's keys'; beyond 8,192 a signature takes longer than anybody needs.
    private static let keySizes = 2_048...8_192

    private static func key(_ pem: String) throws(Failure) -> _RSA.Signing.PrivateKey {
        guard let document = try? PEMDocument(pemString: pem) else {
            throw invalid("private_key", "It is not PEM: there is no readable -----BEGIN PRIVATE KEY----- block.")
        }
        if document.discriminator == "EC PRIVATE KEY" || isEllipticCurve(document) {
            throw invalid("private_key", "It is a key of an elliptic curve; Google's are RSA keys.")
        }
        guard document.derBytes.count <= 8_192, let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem),
            keySizes.contains(key.keySizeInBits)
        else { throw invalid("private_key", "It cannot be read as an RSA key of 2,048 bits or more.") }
        return key
    }

    /// RFC 5480, section 2.1.1: id-ecPublicKey, as PKCS#8 names it (RFC 5208, section 5).
    private static func isEllipticCurve(_ document: PEMDocument) -> Bool {
        guard let parts = (try? DER.parse(document.derBytes))?.children, parts.count >= 3,
            let algorithm = parts[1].children?.first
        else { return false }
        return (try? ASN1ObjectIdentifier(derEncoded: algorithm)) == [1, 2, 840, 10_045, 2, 1]
    }

    private static func invalid(_ member: String?, _ message: String) -> Failure {
        Failure(
            .invalidCredential,
            member == nil ? message : "The service account cannot be used: \(message)",
            hint: "In the Firebase console: Project settings, Service accounts, Generate new private key.",
            field: member.map { "service_account.\($0)" } ?? "service_account"
        )
    }
}
