package import MartletCore
package import NIOCore
import NIOSSL

/// NIOSSL takes a certificate as well when it names the address that the connection went to, because it cannot know
/// whether the name or the address was asked for. Then whoever answers for a name server could lead the name to a
/// machine of theirs with a certificate for its address. So names are checked once more.
extension CertificateName {
    /// Closes a connection, once its handshake is over, when its certificate does not name `host`.
    @Sendable
    package static func demand(_ host: HostName, on channel: any Channel) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            let names = certificate.map(dnsNames) ?? []
            guard names.contains(where: { covers($0, host) }) else {
                channel.close(promise: nil)
                throw Mismatch()
            }
        }
    }

    private static func dnsNames(_ certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().compactMap { name in
            guard name.nameType == .dnsName else { return nil }
            return String(validating: name.contents, as: UTF8.self)
        }
    }
}
