import NIOCore

/// A Chromium's connection to the stand-in for Google's Mobile Connection Server.
///
/// Lives on the connection's event loop.
final class MCSConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: WebPushService
    private var session: ChromiumSession
    private var reader = MCSReader()
    private var context: ChannelHandlerContext?
    private var hasAnswered = false
    private var link: (browser: String, id: Int)?

    init(service: WebPushService) {
        self.service = service
        session = ChromiumSession(service: service)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        if let link { service.browsers.disconnect(link.browser, id: link.id) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard let frames = try? reader.read(buffer.readableBytesView) else { return context.close(promise: nil) }
        let now = service.scripted.clock.now()
        for frame in frames {
            guard let answers = session.answers(to: frame, now: now) else { return context.close(promise: nil) }
            for answer in answers { write(answer) }
        }
        connect(context)
        flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

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
        // What is not written must not be taken from those that wait.
        guard context != nil else { return }
        for frame in session.waiting(now: service.scripted.clock.now()) { write(frame) }
    }

    private func write(_ frame: MCSFrame) {
        guard let context else { return }
        let bytes = (hasAnswered ? [] : [MCSFrame.version]) + frame.encoded
        hasAnswered = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
