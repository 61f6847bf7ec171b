import MartletTransport
import NIOCore

/// What an HTTP service answers.
struct ServiceAnswer: Sendable, Equatable {
    var status: Int
    /// Names in lower case.
    var headers: [HTTP2Header] = []
    var body: ByteBuffer?
    /// For the record: why it is no success.
    var reason: String?
}

/// Where a request of a simulated service is answered. Everything is to be called on `eventLoop`.
struct ServiceExchange {
    enum Way {
        case http2(HTTP2ServerStream)
        case http1(HTTP1Connection)
    }

    let way: Way
    /// Number of the connection, which rules, records and commands use.
    let connection: Int

    var eventLoop: any EventLoop {
        switch way {
        case .http2(let stream): stream.connection.eventLoop
        case .http1(let connection): connection.eventLoop
        }
    }

    /// What ALPN calls the protocol.
    var protocolName: String {
        if case .http2 = way { "h2" } else { "http/1.1" }
    }

    /// Now without a delay, else when the milliseconds are over.
    func after(_ milliseconds: Int, _ body: @escaping (ServiceExchange) -> Void) {
        guard milliseconds > 0 else { return body(self) }
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { body(self) }
    }

    func respond(_ answer: ServiceAnswer) {
        switch way {
        case .http2(let stream): stream.respond(status: answer.status, headers: answer.headers, body: answer.body)
        case .http1(let connection): connection.respond(answer)
        }
    }

    /// Ends the request without an answer: RST_STREAM, or by closing a connection of HTTP/1.1, which has nothing else.
    func reset(code: UInt32) {
        switch way {
        case .http2(let stream): stream.reset(errorCode: code)
        case .http1(let connection): connection.close()
        }
    }

    /// Resets the TCP connection.
    func abort() {
        switch way {
        case .http2(let stream): stream.connection.abort()
        case .http1(let connection): connection.abort()
        }
    }

    /// Says that the connection takes no more: GOAWAY, whose last stream is this one when it is `processed`, else the one
    /// before it; `connection: close` in HTTP/1.1, after whose answer the connection ends.
    func goAway(processed: Bool, code: UInt32) {
        switch way {
        case .http2(let stream):
            stream.connection.goAway(lastStreamID: processed ? stream.id : max(0, stream.id - 2), errorCode: code)
        case .http1(let connection):
            if processed { connection.closesAfterAnswer = true } else { connection.close() }
        }
    }
}
