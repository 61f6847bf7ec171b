import NIOCore
import NIOWebSocket

/// A Firefox's WebSocket: frames to messages, replies to frames.
///
/// Lives on the connection's event loop.
final class FirefoxConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let service: WebPushService
    private var session: FirefoxSession
    private var context: ChannelHandlerContext?
    private var link: (browser: String, id: Int)?

    init(service: WebPushService) {
        self.service = service
        session = FirefoxSession(service: service)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        if let link { service.browsers.disconnect(link.browser, id: link.id) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            guard let replies = session.replies(to: FirefoxMessage(String(buffer: frame.unmaskedData))) else {
                return context.close(promise: nil)
            }
            for reply in replies { send(reply) }
            connect(context)
            flush()
        case .ping: write(.pong, frame.unmaskedData)
        case .connectionClose:
            write(.connectionClose, frame.unmaskedData)
            context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Once the browser has said who it is, it is told of messages.
    private func connect(_ context: ChannelHandlerContext) {
        guard link == nil, let browser = session.browser else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let id = service.browsers.connect(
            browser,
            wake: { eventLoop.execute { bound.value.flush() } },
            close: { eventLoop.execute { bound.value.context?.close(promise: nil) } }
        )
        link = (browser, id)
    }

    private func flush() {
        for reply in session.waiting(now: service.scripted.clock.now()) {
            send(reply)
            if let message = reply.version, let browser = session.browser {
                service.browsers.acknowledge(
                    browser: browser,
                    channel: reply.channelID,
                    message: message,
                    kind: "sent"
                )
            }
        }
    }

    private func send(_ reply: FirefoxReply) {
        write(.text, ByteBuffer(string: reply.json))
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }
}
