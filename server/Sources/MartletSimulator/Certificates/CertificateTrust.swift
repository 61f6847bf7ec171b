import Foundation
import SwiftASN1
import X509

/// Which client certificates the simulator takes for issued by Apple.
struct CertificateTrust: Sendable {
    private let authorities: [Certificate]

    /// - Parameter pem: certificates of authorities, or client certificates that are trusted as they are.
    /// - Throws: `SimulatorError` when a text is no certificate.
    init(pem: [String]) throws {
        authorities = try pem.map { text in
            do {
                return try Certificate(pemEncoded: text)
            } catch {
                throw SimulatorError("a client authority is not a certificate in PEM", field: "clientAuthorities")
            }
        }
    }

    /// Whether the certificate is in its time and is, or was signed by, one that is trusted.
    func accepts(_ derBytes: [UInt8], at date: Date = Date()) -> Bool {
        guard let certificate = try? Certificate(derEncoded: derBytes),
            certificate.notValidBefore <= date, date <= certificate.notValidAfter
        else { return false }
        return authorities.contains {
            $0 == certificate
                || ($0.subject == certificate.issuer
                    && $0.publicKey.isValidSignature(certificate.signature, for: certificate))
        }
    }
}
