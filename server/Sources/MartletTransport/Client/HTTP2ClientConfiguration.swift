public import NIOCore
public import NIOSSL

/// Where an ``HTTP2ClientConnection`` goes and how long it waits for what.
public struct HTTP2ClientConfiguration: Sendable {
    /// Host name or address; a name is looked up afresh for each connection.
    public var host: String
    /// Port.
    public var port: Int
    /// Name in SNI that the certificate must carry; nil for an address, which the certificate must then carry.
    public var serverHostname: String?
    /// Trust roots, client certificate and TLS versions; the application protocol is set to `h2`.
    public var tls: TLSConfiguration
    /// Time for DNS and TCP. 10 s: longer than three SYN retransmissions (1, 2 and 4 s), so that a lossy path succeeds,
    /// and short enough that a batch waiting for it can still be retried within its lease.
    public var connectTimeout: TimeAmount
    /// Time for the TLS handshake, and again for the peer's SETTINGS after it. 10 s for the same reasons.
    public var tlsTimeout: TimeAmount
    /// Time from a request's submission to the wire until its answer is whole.
    public var requestTimeout: TimeAmount
    /// Silence after which an idle connection is probed. One hour: Apple asks for a PING about hourly, no more often.
    public var idlePingInterval: TimeAmount
    /// How long an answer to PING may take, and how long a connection with requests in flight may be silent before it
    /// is probed: a dead TCP connection is noticed after twice this time.
    public var pingAckTimeout: TimeAmount
    /// Our own bound on concurrent streams, whatever the peer allows.
    public var maxConcurrentStreams: Int
    /// Bound of requests that wait for a stream; a burst that exceeds it is answered as unprocessed.
    public var maxQueuedRequests: Int
    /// Warm-up: one stream only until an answer with a status that satisfies this has arrived; nil for none.
    public var oneStreamUntil: (@Sendable (Int) -> Bool)?
    /// SETTINGS_INITIAL_WINDOW_SIZE for answers, in bytes.
    public var initialWindowSize: Int
    /// Receive window of the whole connection, in bytes; at least 65,535. 16 MiB measured a quarter cheaper than 64 KiB
    /// at 500 streams.
    public var connectionWindowSize: Int
    /// Bound of an answer's body; a larger one is cut, its answer says so, and the connection takes no more requests.
    public var maxBodyBytes: Int
    /// Names of the answers' header fields that are kept, in lower case; nil keeps all of them.
    public var keptFields: [String]?
    /// Bound of an answer's header fields, counted as RFC 9113, section 6.5.2 counts; at most 65,535. Of an answer
    /// beyond it a status of 2xx counts.
    public var maxHeaderBytes: Int
    /// Most interim answers (1xx) to one request; with one more the connection takes no more requests. 8, ours: APNs
    /// sends none, and what stands between sends one or two.
    public static let maxInterimAnswers = 8
    /// Why an address may not be connected to, as a word; nil when it may. Asked about each address that the host has at
    /// the moment of each connection, before anything is sent to it; nil in its place lets all pass.
    public var refusal: (@Sendable (SocketAddress) -> String?)?

    /// A configuration with the defaults explained at each property.
    public init(
        host: String,
        port: Int = 443,
        serverHostname: String?,
        tls: TLSConfiguration = .makeClientConfiguration(),
        connectTimeout: TimeAmount = .seconds(10),
        tlsTimeout: TimeAmount = .seconds(10),
        requestTimeout: TimeAmount = .seconds(30),
        idlePingInterval: TimeAmount = .minutes(60),
        pingAckTimeout: TimeAmount = .seconds(10),
        maxConcurrentStreams: Int = 1000,
        maxQueuedRequests: Int = 100_000,
        oneStreamUntil: (@Sendable (Int) -> Bool)? = nil,
        initialWindowSize: Int = 1024 * 1024,
        connectionWindowSize: Int = 16 * 1024 * 1024,
        maxBodyBytes: Int = 64 * 1024,
        keptFields: [String]? = nil,
        maxHeaderBytes: Int = 32 * 1024,
        refusal: (@Sendable (SocketAddress) -> String?)? = nil
    ) {
        self.host = host
        self.port = port
        self.serverHostname = serverHostname
        self.tls = tls
        self.connectTimeout = connectTimeout
        self.tlsTimeout = tlsTimeout
        self.requestTimeout = requestTimeout
        self.idlePingInterval = idlePingInterval
        self.pingAckTimeout = pingAckTimeout
        self.maxConcurrentStreams = maxConcurrentStreams
        self.maxQueuedRequests = maxQueuedRequests
        self.oneStreamUntil = oneStreamUntil
        self.initialWindowSize = initialWindowSize
        self.connectionWindowSize = connectionWindowSize
        self.maxBodyBytes = maxBodyBytes
        self.keptFields = keptFields
        self.maxHeaderBytes = min(maxHeaderBytes, 65535)
        self.refusal = refusal
    }
}
