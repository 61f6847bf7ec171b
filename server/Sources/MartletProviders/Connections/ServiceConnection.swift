import Logging
import MartletCore
import MartletTransport
import NIOCore
import NIOSSL
import Synchronization

extension TLSConfiguration {
    /// What push services are spoken to with.
    ///
    /// - Parameter pem: the certificates to trust instead of the system's.
    /// - Throws: `Failure` when they cannot be read.
    static func client(trusting pem: String?) throws(Failure) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let pem { tls.trustRoots = .certificates(try TrustedCertificates(pem: pem).roots) }
        return tls
    }
}

extension HTTP2ClientConfiguration {
    /// A connection to a push service.
    ///
    /// - Parameters:
    ///   - fields: the header fields that its answers are judged by.
    ///   - isJudged: whether somebody else than the operator named the address.
    init(
        to address: ServerAddress,
        tls: TLSConfiguration,
        _ settings: some PushSettings,
        keptFields fields: [String],
        isJudged: Bool
    ) {
        self.init(
            host: address.host,
            port: address.port,
            serverHostname: address.isIPAddress ? nil : address.host,
            tls: tls,
            connectTimeout: settings.connectTimeout,
            requestTimeout: settings.requestTimeout,
            keptFields: fields,
            refusal: isJudged ? settings.privateHosts.refusal(for: address) : nil
        )
    }
}

/// The permit of the token in use: one for all requests with it, so that they are withdrawn together, whichever push they
/// are of.
final class TokenPermit<Token: Equatable & Sendable>: Sendable {
    private let current = Mutex<(token: Token, permit: HTTP2Permit)?>(nil)

    /// What allows requests with this token to be sent.
    func permit(for token: Token) -> HTTP2Permit {
        current.withLock { current in
            if let current, current.token == token { return current.permit }
            let made = HTTP2Permit()
            current = (token, made)
            return made
        }
    }
}
