import MartletCore
import NIOSSL
import SwiftASN1

/// Certificates to trust at a credential's own address, instead of the system's.
struct TrustedCertificates: Sendable {
    let roots: [NIOSSLCertificate]

    /// Reads PEM.
    ///
    /// - Throws: `Failure` naming the field `trust` when there is no readable certificate.
    init(pem: String) throws(Failure) {
        do {
            roots = try PEMDocument.parseMultiple(pemString: pem)
                .filter { $0.discriminator == "CERTIFICATE" }
                .map { try NIOSSLCertificate(bytes: $0.derBytes, format: .der) }
        } catch {
            roots = []
        }
        guard !roots.isEmpty else {
            throw .invalid(
                "trust",
                "The trusted certificates are not PEM: there is no readable -----BEGIN CERTIFICATE----- block.",
                hint: "The simulator writes its authority's certificate to the file of its option --ca."
            )
        }
    }
}
