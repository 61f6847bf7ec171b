import Foundation
import MartletCore
import MartletWire
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// A client certificate with its chain and its private key.
struct CertificateIdentity: Sendable {
    /// DER, the leaf first.
    let chain: [[UInt8]]
    /// DER: PKCS#8, SEC 1 or PKCS#1.
    let key: [UInt8]
    /// What the leaf says of itself.
    let leaf: PushCertificate

    /// Finds the certificate that fits the key and puts it first.
    private init(certificates: [[UInt8]], key: [UInt8], publicKey: Certificate.PublicKey) throws(Failure) {
        var leaf: PushCertificate?
        var chain: [[UInt8]] = []
        for der in certificates {
            guard let certificate = try? Certificate(derEncoded: der) else {
                throw Self.invalid("A certificate cannot be read.", hint: Self.again)
            }
            if leaf == nil, certificate.publicKey == publicKey {
                leaf = PushCertificate(certificate)
                chain.insert(der, at: 0)
            } else {
                chain.append(der)
            }
        }
        guard let leaf else {
            throw Self.invalid(
                chain.isEmpty ? "There is no certificate." : "The private key does not belong to the certificate.",
                hint: "Use the key that the certificate's signing request was made with."
            )
        }
        self.chain = chain
        self.key = key
        self.leaf = leaf
    }

    /// For all of the process.
    static let gate = PKCS12Gate()

    /// Opens a `.p12` file; one at a time, because it is work that a file asks for.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential``, or ``ErrorCode/overloaded`` while another is opened.
    init(pkcs12 bytes: [UInt8], password: String) throws(Failure) {
        // NIOSSL ends the process on other characters; 512 is more than people type.
        guard password.utf8.allSatisfy({ (0x01...0x7F).contains($0) }), password.utf8.count <= 512 else {
            throw Self.invalid(
                "The password of a .p12 file has only ASCII characters, at most 512.",
                hint: "Export the file again with such a password."
            )
        }
        let (certificates, key) = try Self.gate.pass { () throws(Failure) in try Self.open(bytes, password) }
        try self.init(certificates: certificates, key: key, publicKey: try Self.publicKey(of: key))
    }

    private static func open(_ bytes: [UInt8], _ password: String) throws(Failure) -> ([[UInt8]], key: [UInt8]) {
        do throws(PKCS12Archive.Problem) {
            let archive = try PKCS12Archive(bytes, password: password)
            let certificates = try archive.certificates(password: password)
            let opened = try archive.privateKey(password: password)
            guard let key = try? opened.derBytes else { throw .unsupported("its private key cannot be extracted") }
            return (certificates, key)
        } catch {
            throw refusal(of: error)
        }
    }

    /// Reads a certificate, with its chain, and its private key from PEM.
    init(certificatePEM: String, keyPEM: String) throws(Failure) {
        let certificates = ((try? PEMDocument.parseMultiple(pemString: certificatePEM)) ?? [])
            .filter { $0.discriminator == "CERTIFICATE" }
        guard !certificates.isEmpty else {
            throw Self.invalid(
                "The certificate is not PEM: it has no readable -----BEGIN CERTIFICATE----- block.",
                hint: "Convert a .cer file: openssl x509 -inform DER -in push.cer -out push.pem"
            )
        }
        let keys = ((try? PEMDocument.parseMultiple(pemString: keyPEM)) ?? [])
            .filter { $0.discriminator.hasSuffix("PRIVATE KEY") }
        guard let document = keys.first else {
            throw Self.invalid("The private key is not PEM: it has no readable PRIVATE KEY block.", hint: Self.again)
        }
        guard !document.discriminator.contains("ENCRYPTED"), !keyPEM.contains("Proc-Type: 4,ENCRYPTED") else {
            throw Self.invalid(
                "The private key is encrypted.",
                hint: "Decrypt it: openssl pkey -in key.pem -out plain.pem"
            )
        }
        let publicKey = try Self.publicKey(of: document.derBytes)
        try self.init(certificates: certificates.map(\.derBytes), key: document.derBytes, publicKey: publicKey)
    }

    /// The public part of a key whose DER does not say which form it has.
    private static func publicKey(of key: [UInt8]) throws(Failure) -> Certificate.PublicKey {
        for type in ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"] {
            let document = PEMDocument(type: type, derBytes: key)
            if let found = try? Certificate.PrivateKey(pemDocument: document) { return found.publicKey }
        }
        throw invalid("The private key is neither RSA of 2,048 bits or more nor a NIST curve.", hint: again)
    }

    private static let again = "Export the certificate together with its private key again."

    private static func refusal(of problem: PKCS12Archive.Problem) -> Failure {
        switch problem {
        case .malformed: invalid("The file is not a .p12 (PKCS#12) file.", hint: again)
        case .wrongPassword:
            invalid("The password does not open the .p12 file.", hint: "Use the password given at the export.")
        case .noKey:
            invalid(
                "The .p12 file has no private key.",
                hint: "In Keychain Access open the certificate, select it together with its key, and export both."
            )
        case .unsupported(let what):
            invalid(
                "The .p12 file cannot be opened: \(what).",
                hint: """
                    Write it anew: openssl pkcs12 -legacy -in old.p12 -nodes -out all.pem && \
                    openssl pkcs12 -export -in all.pem -out new.p12
                    """
            )
        }
    }

    private static func invalid(_ message: String, hint: String) -> Failure {
        Failure(.invalidCredential, message, hint: hint, field: "certificate")
    }
}

/// Lets one in at a time and sends the others away, so that opening `.p12` files never takes more than one thread.
///
/// Nobody waits: waiting would block a second thread of those that all requests share.
final class PKCS12Gate: Sendable {
    private let isTaken = Atomic(false)

    /// Runs `body` unless another one is running.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when one is; what `body` throws.
    func pass<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard !isTaken.exchange(true, ordering: .acquiring) else {
            throw Failure(.overloaded, "Another .p12 file is being opened.", hint: "Send it again in a few seconds.")
        }
        defer { isTaken.store(false, ordering: .releasing) }
        return try body()
    }
}
