import Foundation
import NIOSSL

/// Why a server's certificate was refused, as far as the certificate itself tells.
public enum CertificateFault: Sendable, Equatable {
    /// It was valid until then; seconds since 1970.
    case expired(Int64)
    /// It is valid from then on; seconds since 1970.
    case notYetValid(Int64)
    /// Its time is right, so nobody who is trusted has signed it, or the time of one who has is over.
    case untrusted

    /// What is wrong with a certificate that was refused at a moment, all in seconds since 1970.
    init(validFrom: Int64, until: Int64, now: Int64) {
        self = now > until ? .expired(until) : now < validFrom ? .notYetValid(validFrom) : .untrusted
    }

    /// What is wrong, where a handshake failed because of the server's certificate; `nil` where it failed otherwise.
    init?(_ error: any Error, certificate: NIOSSLCertificate?) {
        // BoringSSL's word for all three; NIOSSL keeps the library's own code to itself.
        guard let certificate, "\(error)".contains("CERTIFICATE_VERIFY_FAILED") else { return nil }
        self.init(
            validFrom: Int64(certificate.notValidBefore),
            until: Int64(certificate.notValidAfter),
            now: Int64(Date().timeIntervalSince1970)
        )
    }

    /// What is wrong, in words.
    var text: String {
        switch self {
        case .expired(let end): "the server's certificate expired on \(Self.day(end))"
        case .notYetValid(let start): "the server's certificate is not valid before \(Self.day(start))"
        case .untrusted: "nobody who is trusted here has signed the server's certificate"
        }
    }

    private static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601.year().month().day())
    }
}
