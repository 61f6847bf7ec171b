import MartletCore
import NIOCore
import NIOSSL

/// Whether a server's certificate is for the name that was asked for (RFC 9525, section 6).
///
/// NIOSSL takes a certificate as well when it names the address that the connection went to, because it cannot know
/// whether the name or the address was asked for. Then whoever answers for a name server could lead the name to a
/// machine of theirs with a certificate for its address. So names are checked once more.
enum CertificateName {
    /// The certificate is for something else.
    struct Mismatch: Error {}

    /// Closes a connection, once its handshake is over, when its certificate does not name `host`.
    @Sendable
    static func demand(_ host: HostName, on channel: any Channel) -> EventLoopFuture<Void> {
        channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
            let names = certificate.map(dnsNames) ?? []
            guard names.contains(where: { covers($0, host) }) else {
                channel.close(promise: nil)
                throw Mismatch()
            }
        }
    }

    /// Whether a name in a certificate covers a host: the same name, or `*` in place of its first label.
    static func covers(_ name: String, _ host: HostName) -> Bool {
        let name = name.lowercased()
        let wanted = host.text
        if name == wanted { return true }
        guard name.hasPrefix("*."), name.dropFirst(2).contains("."), let dot = wanted.firstIndex(of: ".") else {
            return false
        }
        return name.dropFirst(1) == wanted[dot...]
    }

    private static func dnsNames(_ certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().compactMap { name in
            guard name.nameType == .dnsName else { return nil }
            return String(validating: name.contents, as: UTF8.self)
        }
    }
}
