/// Why a connection could not be opened.
public struct HTTP2ConnectError: Error, Sendable, Equatable, CustomStringConvertible {
    /// How far it came.
    public enum Phase: String, Sendable, CaseIterable {
        /// The host name has no address.
        case resolve
        /// Every address of the host is one that may not be connected to.
        case forbidden
        /// No TCP connection: refused, unreachable, or not within the connect timeout.
        case connect
        /// The TLS handshake failed or took too long.
        case tls
        /// The peer does not speak HTTP/2 (no `h2` in ALPN).
        case alpn
        /// TLS is up, but the peer's SETTINGS did not come.
        case settings
    }

    /// How far it came.
    public let phase: Phase
    /// The host asked for.
    public let host: String
    /// The port asked for.
    public let port: Int
    /// What the layer below said.
    public let reason: String
    /// What is wrong with the server's certificate, where that is why.
    public internal(set) var certificate: CertificateFault?

    /// One line for an operator.
    public var description: String { "\(self.host):\(self.port): \(self.phase.rawValue): \(self.reason)" }
}
