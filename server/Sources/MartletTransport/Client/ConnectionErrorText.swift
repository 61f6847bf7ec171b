import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// What went wrong with a connection, in words for an operator: what NIO and BoringSSL print has types, codes and the
/// paths of their build in it.
public enum ConnectionErrorText {
    /// One short phrase without a full stop; an error of another kind as it prints itself.
    public static func text(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: text(of: error)
        case let error as IOError: text(ofErrno: error.errnoCode)
        case let error as NIOSSLError: text(ofTLS: "\(error)")
        case let error as BoringSSLError: text(ofTLS: "\(error)")
        case let error as NIOSSLExtraError: text(ofTLS: "\(error)")
        case SocketAddressError.unknown(let host, _): "the name \(host) cannot be resolved"
        case is SocketAddressError.UnknownHost: "the name cannot be resolved"
        case ChannelError.connectTimeout(let amount): "no connection within \(amount.nanoseconds / 1_000_000) ms"
        default: "\(error)"
        }
    }

    /// Each reason once; where there are several addresses, with those that it is of.
    private static func text(of error: NIOConnectionError) -> String {
        let failures = error.connectionErrors.map { (reason: text(of: $0.error), address: $0.target) }
        guard let first = failures.first else { return "the name \(error.host) cannot be resolved" }
        guard failures.count > 1 else { return first.reason }
        var reasons: [String] = []
        for failure in failures where !reasons.contains(failure.reason) { reasons.append(failure.reason) }
        return reasons.map { reason in
            let addresses = failures.filter { $0.reason == reason }.map { $0.address.ipAddress ?? "\($0.address)" }
            return "\(reason) (\(addresses.joined(separator: ", ")))"
        }
        .joined(separator: "; ")
    }

    private static func text(ofErrno code: CInt) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// NIOSSL keeps the library's own codes to itself; their names stand in what it prints.
    private static func text(ofTLS printed: String) -> String {
        let known = [
            ("WRONG_VERSION_NUMBER", "the port does not speak TLS"), ("HTTP_REQUEST", "the port does not speak TLS"),
            ("NO_APPLICATION_PROTOCOL", "the server refuses HTTP/2 (ALPN)"),
            ("CERTIFICATE_VERIFY_FAILED", CertificateFault.untrusted.text),
            ("uncleanShutdown", "connection closed by the peer"),
        ]
        if let text = known.first(where: { printed.contains($0.0) }) { return text.1 }
        if let name = printed.firstMatch(of: /find (.+) in certificate/)?.output.1 {
            return "the server's certificate is for another host" + (name == "<none>" ? "" : " than \(name)")
        }
        guard let name = printed.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.output.1 else {
            return "TLS failed: \(printed.components(separatedBy: " at /")[0])"
        }
        return "TLS failed: \(name.lowercased().replacing("_", with: " "))"
    }
}
