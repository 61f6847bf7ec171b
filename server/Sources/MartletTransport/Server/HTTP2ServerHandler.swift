public import NIOCore

/// Answers the requests of one connection. All methods are called on the connection's event loop.
public protocol HTTP2ServerHandler: AnyObject {
    /// A request has arrived whole; it may be answered now or later.
    func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream)
    /// The connection has ended; nothing is received any more.
    func closed()
}

/// A whole request.
public struct HTTP2ServerRequest: Sendable {
    /// `:method`.
    public var method: String
    /// `:path`.
    public var path: String
    /// Fields in the order received, pseudo header fields excluded, duplicates kept.
    public var headers: [HTTP2Header]
    /// The body, at most the configuration's bound.
    public var body: ByteBuffer
    /// True when the body was larger than the bound; the rest is dropped.
    public var isBodyTruncated: Bool

    /// A request, for tests of handlers.
    public init(
        method: String,
        path: String,
        headers: [HTTP2Header],
        body: ByteBuffer,
        isBodyTruncated: Bool = false
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.isBodyTruncated = isBodyTruncated
    }
}

/// Where a request is answered.
///
/// Quickest on the connection's event loop, allowed anywhere. ResponseGenerator a stream that is gone or has been answered does
/// nothing.
public struct HTTP2ServerStream: Sendable {
    /// The stream's number.
    public let id: Int32
    /// The connection the stream belongs to.
    public let connection: HTTP2ServerConnection

    /// Answers with a status, header fields (lower-case names) and a body.
    public func respond(status: Int, headers: [HTTP2Header], body: ByteBuffer? = nil) {
        self.connection.respond(stream: self.id, status: status, headers: headers, body: body)
    }

    /// Ends the stream with RST_STREAM.
    public func reset(errorCode: UInt32) {
        self.connection.reset(stream: self.id, errorCode: errorCode)
    }
}
