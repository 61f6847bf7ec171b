import Crypto
import CryptoExtras
import Foundation
import MartletCore
import MartletStore
import MartletWire
import SwiftASN1
import Synchronization
import X509

/// How an envelope is signed; the topic's attribute `SignatureVersion`.
enum SignatureVersion: String, Sendable, CaseIterable {
    /// RSA with SHA-1, the default, as on AWS.
    case sha1 = "1"
    /// RSA with SHA-256.
    case sha256 = "2"
}

/// A signature of an envelope, and where its certificate is.
struct EnvelopeSignature: Hashable, Sendable {
    let version: SignatureVersion
    /// Base64.
    let text: String
    let certificateURL: String
}

/// Signs envelopes with a key of the server's own, whose certificate it serves.
///
/// Clients that only take certificates of `amazonaws.com` refuse it, whoever signs: they have to be told of this host.
struct EnvelopeSigner: Sendable {
    /// What subscribers verify with: `CERTIFICATE`.
    let certificatePEM: String
    /// To be kept encrypted: `PRIVATE KEY` (PKCS #8).
    let keyPEM: String
    private let key: _RSA.Signing.PrivateKey

    /// A key of 2,048 bits and a certificate of its own for ten years, both ours: a certificate that ends leaves
    /// subscribers with messages that they cannot verify.
    ///
    /// - Parameters:
    ///   - name: whom the certificate names, such as the server's host.
    ///   - now: when it begins, less a day for clocks that are behind.
    /// - Throws: an error of the certificate library, for a name that no certificate can have.
    static func make(name: String, now: Date) throws -> EnvelopeSigner {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let issuer = Certificate.PrivateKey(key)
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: issuer.publicKey,
            notValidBefore: now.addingTimeInterval(-86_400),
            notValidAfter: now.addingTimeInterval(3_652 * 86_400),
            issuer: subject,
            subject: subject,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                SubjectKeyIdentifier(hash: issuer.publicKey)
            },
            issuerPrivateKey: issuer
        )
        let pem = try certificate.serializeAsPEM().pemString
        return EnvelopeSigner(certificatePEM: pem, keyPEM: key.pkcs8PEMRepresentation, key: key)
    }

    private init(certificatePEM: String, keyPEM: String, key: _RSA.Signing.PrivateKey) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
        self.key = key
    }

    /// A key and a certificate that were made before.
    ///
    /// - Throws: an error of the libraries for what is no PEM, and `PairError` when they are not of each other.
    init(certificatePEM: String, keyPEM: String) throws {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: keyPEM)
        let certificate = try Certificate(pemEncoded: certificatePEM)
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else { throw PairError() }
        self.init(certificatePEM: certificatePEM, keyPEM: keyPEM, key: key)
    }

    /// A certificate that is not of the key beside it.
    struct PairError: Error {}

    /// The last part of the certificate's address; another certificate has another one.
    var certificateName: String {
        "SimpleNotificationService-\(Hex.text(SHA256.hash(data: Data(certificatePEM.utf8)).prefix(16))).pem"
    }

    /// Signs an envelope.
    ///
    /// - Parameter certificateURL: where the certificate is served.
    /// - Throws: an error of the cryptography library, which there is no reason for.
    func sign(
        _ envelope: Envelope,
        version: SignatureVersion,
        certificateURL: String
    ) throws -> EnvelopeSignature {
        let text = Data(envelope.canonicalText.utf8)
        let signature =
            switch version {
            case .sha1: try key.signature(for: Insecure.SHA1.hash(data: text), padding: .insecurePKCS1v1_5)
            case .sha256: try key.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5)
            }
        return EnvelopeSignature(
            version: version,
            text: signature.rawRepresentation.base64EncodedString(),
            certificateURL: certificateURL
        )
    }
}

extension EnvelopeSigner: CustomStringConvertible, CustomReflectable {
    /// The certificate's name.
    var description: String { certificateName }

    /// Nothing that a dump could show of the key.
    var customMirror: Mirror { Mirror(self, children: ["certificateName": certificateName]) }
}

/// The key that signs envelopes and its certificate: made once, kept sealed in the store, and the same for all processes
/// on that store.
final class SigningCertificate: Sendable {
    /// The pair as it is sealed.
    private struct Pair: Codable {
        var certificate: String
        var key: String
    }

    /// The name of the shared value, which is what it is sealed for too.
    private static let name = "webhook-signing-certificate"

    private let store: Store
    private let vault: Vault
    private let clock: any WallClock
    /// Whom the certificate names.
    private let host: String
    private let known = Mutex<EnvelopeSigner?>(nil)

    /// The pair of a store.
    ///
    /// - Parameter host: whom a certificate that is made names.
    init(store: Store, vault: Vault, clock: any WallClock, host: String = "martlet") {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.host = host
    }

    /// The pair; made when the store has none.
    ///
    /// - Throws: `Failure` when it was sealed with another encryption key; what the store throws.
    func signer() async throws -> EnvelopeSigner {
        if let signer = known.withLock({ $0 }) { return signer }
        let signer: EnvelopeSigner
        if let shared = try await store.sharedValue(Self.name) {
            signer = try open(shared)
        } else {
            signer = try await make()
        }
        known.withLock { $0 = signer }
        return signer
    }

    private func make() async throws -> EnvelopeSigner {
        let now = clock.now()
        let made = try EnvelopeSigner.make(name: host, now: Date(timeIntervalSince1970: Double(now.seconds)))
        let pair = try JSONEncoder().encode(Pair(certificate: made.certificatePEM, key: made.keyPEM))
        let sealed = try vault.seal(Array(pair), for: Self.name)
        // Of two processes that make one at the same time the first has made it for both.
        return try open(
            try await store.share(SharedValue(sealed: sealed, madeAt: now), as: Self.name, insteadOf: nil)
        )
    }

    private func open(_ shared: SharedValue) throws -> EnvelopeSigner {
        let pair = try JSONDecoder().decode(Pair.self, from: Data(try vault.open(shared.sealed, for: Self.name)))
        return try EnvelopeSigner(certificatePEM: pair.certificate, keyPEM: pair.key)
    }
}
