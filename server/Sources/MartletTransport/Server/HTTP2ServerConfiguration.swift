public import NIOCore
public import NIOSSL

/// What a server does with a client's certificate.
public enum HTTP2ClientCertificates: Sendable {
    /// None is asked for.
    case ignored
    /// One is asked for; a presented one must lead to the configuration's trust roots.
    case optional
    /// One is asked for and a presented one is taken as it is: the handler decides.
    case optionalUnverified
}

/// A connection whose client chose HTTP/1.1, after its TLS handshake: whoever takes it adds handlers to its pipeline.
public struct HTTP1ServerConnection: Sendable {
    /// The channel, with TLS at its head and nothing after it.
    public let channel: any Channel
    /// Closes with a TCP reset; to be called on the channel's event loop.
    public let abort: @Sendable () -> Void
}

/// How an ``HTTP2Server`` listens and what it allows its peers.
public struct HTTP2ServerConfiguration: Sendable {
    /// Address to bind.
    public var host: String
    /// Port to bind; 0 takes a free one.
    public var port: Int
    /// Certificate, key and TLS versions; the application protocols are set by the server. A client that names none
    /// (RFC 9113, section 3.3, prior knowledge) is let in too.
    public var tls: TLSConfiguration
    /// What happens with certificates of clients.
    public var clientCertificates: HTTP2ClientCertificates
    /// SETTINGS_MAX_CONCURRENT_STREAMS of a new connection; a stream above it is answered with REFUSED_STREAM.
    public var maxConcurrentStreams: Int
    /// Bound of a request's body; the rest of a larger one is dropped and the request says so.
    public var maxBodyBytes: Int
    /// Bound of a request's header fields, counted as RFC 9113, section 6.5.2 counts; a larger one is reset.
    public var maxHeaderBytes: Int
    /// SETTINGS_INITIAL_WINDOW_SIZE: bytes of a body that a client may send before it has to wait.
    public var initialWindowSize: Int
    /// Receive window of the whole connection, in bytes; at least 65,535.
    public var connectionWindowSize: Int
    /// Length of the kernel's queue of connections not yet accepted.
    public var backlog: Int
    /// Takes the connections of clients that choose `http/1.1`, or name no protocol; called on their event loops. Without
    /// it the server speaks HTTP/2 alone.
    public var http1: (@Sendable (HTTP1ServerConnection) throws -> Void)?
    /// How long a client may take for the TLS handshake.
    public var handshakeTimeout: TimeAmount

    /// A configuration for loopback with a free port.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        tls: TLSConfiguration,
        clientCertificates: HTTP2ClientCertificates = .ignored,
        maxConcurrentStreams: Int = 1000,
        maxBodyBytes: Int = 64 * 1024,
        maxHeaderBytes: Int = 64 * 1024,
        initialWindowSize: Int = 1024 * 1024,
        connectionWindowSize: Int = 16 * 1024 * 1024,
        backlog: Int = 256,
        http1: (@Sendable (HTTP1ServerConnection) throws -> Void)? = nil,
        handshakeTimeout: TimeAmount = .seconds(10)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.clientCertificates = clientCertificates
        self.maxConcurrentStreams = maxConcurrentStreams
        self.maxBodyBytes = maxBodyBytes
        self.maxHeaderBytes = maxHeaderBytes
        self.initialWindowSize = initialWindowSize
        self.connectionWindowSize = connectionWindowSize
        self.backlog = backlog
        self.http1 = http1
        self.handshakeTimeout = handshakeTimeout
    }
}
