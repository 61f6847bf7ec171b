import Foundation
import NIOSSL

/// Where a simulated service's certificate comes from.
package enum SimulatorCertificate: Sendable {
    /// A new authority and a certificate for localhost, 127.0.0.1 and ::1, made at the start.
    case selfMade
    /// PEM files: the certificate with its chain, and its key.
    case files(certificate: String, key: String)

    /// The TLS of a server with this certificate, TLS 1.2 or later.
    ///
    /// - Parameter authorityPath: file that the authority's certificate is written to when it signs.
    func serverTLS(authority: SimulatorAuthority, authorityPath: String?) throws -> TLSConfiguration {
        let pair: CertificatePair
        switch self {
        case .selfMade:
            pair = try authority.serverCertificate()
            if let authorityPath {
                try Data(authority.certificatePEM.utf8).write(to: URL(filePath: authorityPath), options: .atomic)
            }
        case .files(let certificate, let key):
            pair = CertificatePair(
                certificatePEM: try String(contentsOfFile: certificate, encoding: .utf8),
                keyPEM: try String(contentsOfFile: key, encoding: .utf8)
            )
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(pair.certificatePEM.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pair.keyPEM.utf8), format: .pem))
        )
        tls.minimumTLSVersion = .tlsv12
        return tls
    }
}
