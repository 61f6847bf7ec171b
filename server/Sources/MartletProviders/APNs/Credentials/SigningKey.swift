import Crypto
import MartletCore
import MartletWire
import SwiftASN1

/// A `.p8` file's key with the ids that Apple knows it by.
struct SigningKey: Sendable {
    let key: P256.Signing.PrivateKey
    let keyID: String
    let teamID: String

    /// Reads a key and checks it.
    ///
    /// - Throws: `Failure` that says what the text is instead, and what to do.
    init(pem: String, keyID: String, teamID: String) throws(Failure) {
        self.keyID = try Self.id(keyID, "key id", field: "key_id")
        self.teamID = try Self.id(teamID, "team id", field: "team_id")
        let document = try Self.document(in: pem)
        guard document.discriminator == "PRIVATE KEY" else { throw Self.refusal(of: document.discriminator) }
        // The crypto library does not look at the curve: any 32 bytes make a P-256 key.
        guard Self.algorithm(ofPKCS8: document.derBytes) == [Self.ecPublicKey, Self.p256],
            let key = try? P256.Signing.PrivateKey(derRepresentation: document.derBytes)
        else { throw Self.refusal(ofPKCS8: document.derBytes) }
        self.key = key
    }

    /// RFC 5480, section 2.1.1.
    private static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 2, 1]
    private static let p256: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 3, 1, 7]

    /// The algorithm that PKCS#8 names (RFC 5208, section 5), for elliptic curves with the curve; empty when unreadable.
    private static func algorithm(ofPKCS8 bytes: [UInt8]) -> [ASN1ObjectIdentifier] {
        guard let parts = (try? DER.parse(bytes))?.children, parts.count >= 3 else { return [] }
        return (parts[1].children ?? []).compactMap { try? ASN1ObjectIdentifier(derEncoded: $0) }
    }

    /// Apple's ids have 10 characters; the simulator and examples use others, so only the alphabet is fixed.
    private static func id(_ text: String, _ name: String, field: String) throws(Failure) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isPlain, (1...32).contains(text.utf8.count) else {
            throw Failure(
                .invalidCredential,
                "The \(name) has 1 to 32 letters and digits; Apple's have 10.",
                hint: "The developer account shows it beside the key, under Keys.",
                field: field
            )
        }
        return text
    }

    private static func document(in pem: String) throws(Failure) -> PEMDocument {
        let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
        let key = documents.first { $0.discriminator.hasSuffix("PRIVATE KEY") } ?? documents.first
        guard let key else {
            throw invalid("The key is not PEM: it has no readable -----BEGIN PRIVATE KEY----- block.")
        }
        return key
    }

    private static func refusal(of discriminator: String) -> Failure {
        switch discriminator {
        case "EC PRIVATE KEY":
            invalid(
                "The key is in the older EC form; APNs keys are PKCS#8.",
                hint: "Convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem -out key.p8"
            )
        case "ENCRYPTED PRIVATE KEY":
            invalid(
                "The key is encrypted.",
                hint: "Decrypt it: openssl pkcs8 -in key.pem -out key.p8"
            )
        case "RSA PRIVATE KEY": invalid("The key is an RSA key; APNs takes P-256 only.")
        case "CERTIFICATE": invalid("This is a certificate, not a key.", hint: "Store it with its key as certificate.")
        default: invalid("The PEM block is \(discriminator.prefix(40)), not PRIVATE KEY.")
        }
    }

    /// Says which kind of key it is, where that can be seen.
    private static func refusal(ofPKCS8 bytes: [UInt8]) -> Failure {
        let names: [ASN1ObjectIdentifier: String] = [
            [1, 2, 840, 113_549, 1, 1, 1]: "an RSA key",
            [1, 3, 132, 0, 34]: "a P-384 key",
            [1, 3, 132, 0, 35]: "a P-521 key",
            [1, 3, 132, 0, 10]: "a secp256k1 key",
            [1, 3, 101, 112]: "an Ed25519 key",
        ]
        guard let name = algorithm(ofPKCS8: bytes).lazy.compactMap({ names[$0] }).first else {
            return invalid("The key cannot be read: it is damaged, or not a P-256 key.")
        }
        return invalid("The key is \(name); APNs takes P-256 only.")
    }

    private static func invalid(_ message: String, hint: String? = nil) -> Failure {
        Failure(
            .invalidCredential,
            message,
            hint: hint ?? "Use the .p8 file as it comes from the developer account, under Keys.",
            field: "key"
        )
    }
}

extension ASN1Node {
    /// The nodes inside; `nil` for a primitive one.
    var children: [ASN1Node]? {
        if case .constructed(let nodes) = content { Array(nodes) } else { nil }
    }
}
