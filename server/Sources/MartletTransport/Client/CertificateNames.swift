import NIOSSL

/// Whether a server's certificate is for the name that was asked for (RFC 9525, section 6).
///
/// NIOSSL also takes a certificate that names the address of the connection, even when a name was asked for. Then
/// whoever answers for a name server could lead the name to a machine of theirs with a certificate for its address.
enum CertificateNames {
    /// What is wrong with a certificate that NIOSSL has accepted, or nil.
    static func complaint(about certificate: NIOSSLCertificate?, for configuration: HTTP2ClientConfiguration) -> String?
    {
        guard let host = configuration.serverHostname, configuration.tls.certificateVerification == .fullVerification
        else { return nil }
        let isRight = certificate.map { isFor(host, $0) } ?? false
        return isRight ? nil : "the certificate is not for \(host)"
    }

    /// Without an address among its names it is the name that NIOSSL has found.
    private static func isFor(_ host: String, _ certificate: NIOSSLCertificate) -> Bool {
        let names = certificate._subjectAlternativeNames()
        guard names.contains(where: { $0.nameType == .ipAddress }) else { return true }
        return names.contains { name in
            guard name.nameType == .dnsName, let text = String(validating: name.contents, as: UTF8.self) else {
                return false
            }
            return covers(text, host)
        }
    }

    /// Whether a certificate's name covers a host: the same name, or `*` in place of the first label (section 6.3).
    static func covers(_ name: String, _ host: String) -> Bool {
        let (name, host) = (canonical(name), canonical(host))
        if name == host { return true }
        guard name.hasPrefix("*."), let dot = host.firstIndex(of: "."), dot > host.startIndex else { return false }
        return name.dropFirst() == host[dot...]
    }

    /// Case does not matter, nor does the dot of the root.
    private static func canonical(_ name: String) -> Substring {
        let name = name.lowercased()
        return name.hasSuffix(".") ? name.dropLast() : name[...]
    }
}
