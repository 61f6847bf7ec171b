import MartletTransport
import NIOCore
import NIOHTTP1

/// A client's HTTP/1.1 connection to a simulated service: requests one after the other.
///
/// Lives on the connection's event loop.
final class HTTP1Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the connection ends with the answer under way.
    var closesAfterAnswer = false
    let eventLoop: any EventLoop

    private let service: any SimulatedHTTPService
    private let connections: HTTPConnections
    private let bodyLimit: Int
    private let abortSocket: @Sendable () -> Void
    private var context: ChannelHandlerContext?
    private var request: HTTP2ServerRequest?
    private var isKeptAlive = true
    private var id = 0

    init(
        _ connection: HTTP1ServerConnection,
        service: any SimulatedHTTPService,
        connections: HTTPConnections,
        bodyLimit: Int
    ) {
        self.service = service
        self.connections = connections
        self.bodyLimit = bodyLimit
        abortSocket = connection.abort
        eventLoop = connection.channel.eventLoop
        let (eventLoop, abort) = (eventLoop, connection.abort)
        id = connections.add(.init(protocolName: "http/1.1") { eventLoop.execute(abort) })
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        connections.remove(id)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isKeptAlive = head.isKeepAlive
            request = HTTP2ServerRequest(
                method: head.method.rawValue,
                path: head.uri,
                headers: head.headers.map { HTTP2Header($0.name.lowercased(), $0.value) },
                body: ByteBuffer()
            )
        case .body(var part):
            guard let held = request?.body.readableBytes else { return }
            if held + part.readableBytes > bodyLimit {
                request?.isBodyTruncated = true
            } else {
                request?.body.writeBuffer(&part)
            }
        case .end:
            guard let whole = request else { return }
            request = nil
            connections.count(id)
            service.received(whole, on: ServiceExchange(way: .http1(self), connection: id))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func respond(_ answer: ServiceAnswer) {
        guard let context else { return }
        let body = answer.body ?? ByteBuffer()
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "content-length", value: "\(body.readableBytes)")
        let isLast = closesAfterAnswer || !isKeptAlive
        if isLast { headers.replaceOrAdd(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let ended = context.eventLoop.makePromise(of: Void.self)
        if isLast {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            ended.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: ended)
    }

    func close() {
        context?.close(promise: nil)
    }

    func abort() {
        abortSocket()
    }
}
