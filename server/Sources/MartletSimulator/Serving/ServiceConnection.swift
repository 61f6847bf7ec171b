import MartletTransport
import NIOCore

/// A client's HTTP/2 connection to a simulated service.
final class ServiceConnection: HTTP2ServerHandler {
    private let service: any SimulatedHTTPService
    private let connections: HTTPConnections
    private let id: Int

    init(_ connection: HTTP2ServerConnection, service: any SimulatedHTTPService, connections: HTTPConnections) {
        self.service = service
        self.connections = connections
        let eventLoop = connection.eventLoop
        id = connections.add(.init(protocolName: "h2") { eventLoop.execute { connection.abort() } })
    }

    func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
        connections.count(id)
        service.received(request, on: ServiceExchange(way: .http2(stream), connection: id))
    }

    func closed() {
        connections.remove(id)
    }
}

/// What is kept of an open connection of a service of HTTP.
package struct OpenHTTPConnection: Sendable {
    /// What ALPN calls its protocol.
    var protocolName: String
    var requests = 0
    /// Resets it; may be called anywhere.
    var abort: @Sendable () -> Void

    init(protocolName: String, abort: @escaping @Sendable () -> Void) {
        self.protocolName = protocolName
        self.abort = abort
    }
}

/// An open connection in an answer of the control API.
package struct ServiceConnectionDocument: Codable, Sendable, Equatable {
    /// Its number.
    package var id: Int
    /// `h2` or `http/1.1`.
    package var `protocol`: String
    /// Requests that have arrived.
    package var requests: Int
}

/// The open connections of a service of HTTP.
typealias HTTPConnections = OpenConnections<OpenHTTPConnection>

extension HTTPConnections {
    func count(_ id: Int) {
        update(id) { $0?.requests += 1 }
    }

    var documents: [ServiceConnectionDocument] {
        chosen().map { .init(id: $0.id, protocol: $0.connection.protocolName, requests: $0.connection.requests) }
    }

    /// Resets the connection, or all.
    ///
    /// - Returns: how many.
    func abort(_ id: Int?) -> Int {
        let chosen = chosen(id)
        for (_, connection) in chosen { connection.abort() }
        return chosen.count
    }
}
