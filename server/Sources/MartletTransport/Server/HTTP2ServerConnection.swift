public import NIOCore
public import NIOSSL

/// A client's connection after its TLS handshake. Methods may be called anywhere and act on the event loop.
public final class HTTP2ServerConnection: Sendable {
    /// The loop that everything of this connection happens on.
    public let eventLoop: any EventLoop
    /// Number of the connection within its server, from 1.
    public let id: Int
    /// The certificate that the client presented.
    public let peerCertificate: NIOSSLCertificate?
    /// The client's address.
    public let remoteAddress: SocketAddress?

    private let session: NIOLoopBound<ServerSession>

    init(session: ServerSession, id: Int, peerCertificate: NIOSSLCertificate?, channel: any Channel) {
        self.eventLoop = channel.eventLoop
        self.id = id
        self.peerCertificate = peerCertificate
        self.remoteAddress = channel.remoteAddress
        self.session = NIOLoopBound(session, eventLoop: channel.eventLoop)
    }

    /// The highest stream that a request has begun on; to be read on the event loop.
    public var lastStreamID: Int32 { self.session.value.lastStreamID }

    /// Sends GOAWAY; without a last stream the one last received is named, so that nothing is disowned.
    ///
    /// Streams above `lastStreamID` are ignored from then on (RFC 9113, section 6.8). The connection stays open for the
    /// others.
    public func goAway(lastStreamID: Int32? = nil, errorCode: UInt32 = 0, debugData: [UInt8] = []) {
        self.onLoop { $0.goAway(lastStreamID: lastStreamID, errorCode: errorCode, debugData: debugData) }
    }

    /// Changes SETTINGS_MAX_CONCURRENT_STREAMS of this connection.
    public func setMaxConcurrentStreams(_ count: Int) {
        self.onLoop { $0.setMaxConcurrentStreams(count) }
    }

    /// Stops reading from the socket, so that the client's data fills the kernel's buffers.
    public func pauseReading() {
        self.onLoop { $0.setReading(false) }
    }

    /// Reads again.
    public func resumeReading() {
        self.onLoop { $0.setReading(true) }
    }

    /// Opens the connection's window no further: the client may send what is left of it, and then nothing but frames
    /// without flow control (RFC 9113, section 5.2.1).
    public func withholdWindow() {
        self.onLoop { $0.session.setConnectionWindow(0) }
    }

    /// Writes what has been answered so far and closes; requests without an answer stay without one.
    public func close() {
        self.onLoop { $0.closeAfterFlush() }
    }

    /// Closes with a TCP reset; what has not been written is lost.
    public func abort() {
        self.onLoop { $0.abort() }
    }

    func respond(stream: Int32, status: Int, headers: [HTTP2Header], body: ByteBuffer?) {
        // Without a closure where it counts: the answer to a request comes on the loop.
        if self.eventLoop.inEventLoop {
            self.session.value.respond(stream: stream, status: status, headers: headers, body: body)
        } else {
            self.onLoop { $0.respond(stream: stream, status: status, headers: headers, body: body) }
        }
    }

    func reset(stream: Int32, errorCode: UInt32) {
        self.onLoop { $0.reset(stream: stream, errorCode: errorCode) }
    }

    private func onLoop(_ body: @escaping @Sendable (ServerSession) -> Void) {
        if self.eventLoop.inEventLoop {
            body(self.session.value)
        } else {
            self.eventLoop.execute { body(self.session.value) }
        }
    }
}
