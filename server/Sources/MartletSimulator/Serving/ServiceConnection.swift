import MartletTransport
import NIOCore

/// A client's HTTP/2 connection to a simulated service.
final class ServiceConnection: HTTP2ServerHandler {
    private let service: any SimulatedHTTPService
    private let connections: ServiceConnections
    private let id: Int

    init(_ connection: HTTP2ServerConnection, service: any SimulatedHTTPService, connections: ServiceConnections) {
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
