import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The end of a connection's pipeline: each request is answered in a task of its own, which begins with its head and ends
/// with its answer, so that a connection that waits has none. The handler before it sees to it that one is answered at a
/// time.
final class RequestHandler<Responder: HTTPResponder>: ChannelDuplexHandler
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let responder: Responder
    private let tasks: RequestTasks
    private let onEventLoop: @Sendable (HTTPRequest) -> Bool
    private let logger: Logger
    /// A request whose body may be here with its head, as most are.
    private var arriving: (head: HTTPRequest, chunks: [ByteBuffer])?
    /// Where the rest of a body goes to, of a request that is answered already.
    private var body: BodyStream.Source?
    /// Whether whoever reads the body has enough of it for now.
    private var isHeld = false
    private var isReadWanted = false
    private var isAnswering = false
    /// How many answers are not taken to their last byte: one, or two where what is no HTTP is refused behind the first.
    private var openAnswers = 0
    /// Whether the client sends no further request, or none would be read.
    private var isLast = false
    /// Whether nobody waits for the client any more, so that the connection ends with the answer.
    private var isOver = false
    /// Whether what came behind the request that is answered is no HTTP.
    private var isBroken = false

    init(
        responder: Responder,
        tasks: RequestTasks,
        onEventLoop: @escaping @Sendable (HTTPRequest) -> Bool,
        logger: Logger
    ) {
        self.onEventLoop = onEventLoop
        self.responder = responder
        self.tasks = tasks
        self.logger = logger
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Behind the last answer there is none.
            guard !isLast else { return context.close(promise: nil) }
            isAnswering = true
            isLast = head.headerFields.hasClose
            beginAnswer()
            arriving = (head, [])
        case .body(let chunk):
            if arriving != nil { arriving?.chunks.append(chunk) } else { give(chunk) }
        case .end:
            if let (head, chunks) = arriving.take() {
                begin(head, RequestBody(buffer: chunks.joined), context)
            } else {
                body.take()?.finish()
                goOn(context)
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { beginWithoutEnd(context) }

    func read(context: ChannelHandlerContext) {
        if isHeld { isReadWanted = true } else { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isOver = true
            stopBody(ChannelError.inputClosed)
            endWhereDone(context)
        case is ChannelShouldQuiesceEvent:
            isOver = true
            endWhereDone(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        beginWithoutEnd(context)
        let isArriving = body != nil
        stopBody(error)
        guard error is HTTPParserError else { return context.close(promise: nil) }
        // Behind the last request anything may come.
        guard !isLast else { return }
        isLast = true
        guard !isAnswering else { return isBroken = !isArriving }
        beginAnswer()
        refuse(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopBody(ChannelError.ioOnClosedChannel)
        while openAnswers > 0 { endAnswer() }
        context.fireChannelInactive()
    }

    /// Begins a request whose head is here and the end of its body is not.
    private func beginWithoutEnd(_ context: ChannelHandlerContext) {
        guard let (head, chunks) = arriving.take() else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let demand = BodyDemand(eventLoop: context.eventLoop) {
            let (handler, context) = bound.value
            handler.goOn(context)
        }
        let stream = BodyStream.makeSequence(
            elementType: ByteBuffer.self,
            // A chunk is what was read at once: 16 of them are 64 KiB.
            backPressureStrategy: .init(lowWatermark: 4, highWatermark: 16),
            finishOnDeinit: true,
            delegate: demand
        )
        body = stream.source
        if head.headerFields[.expect]?.lowercased() == "100-continue", chunks.isEmpty {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        for chunk in chunks { give(chunk) }
        begin(head, RequestBody(asyncSequence: stream.sequence), context)
    }

    private func give(_ chunk: ByteBuffer) {
        if case .stopProducing? = body?.yield(chunk) { isHeld = true }
    }

    /// Whoever reads the body wants more of it, or none of it any more.
    private func goOn(_ context: ChannelHandlerContext) {
        isHeld = false
        guard isReadWanted else { return }
        isReadWanted = false
        context.read()
    }

    private func stopBody(_ error: any Error) {
        arriving = nil
        isHeld = false
        body.take()?.finish(error)
    }

    private func begin(_ head: HTTPRequest, _ body: RequestBody, _ context: ChannelHandlerContext) {
        let (channel, responder) = (context.channel, responder)
        var logger = logger
        logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        let requestContext = Responder.Context(
            source: ApplicationRequestContextSource(channel: channel, logger: logger)
        )
        let request = Request(head: head, body: body)
        tasks.run(on: onEventLoop(head) ? EventLoopTaskExecutor(channel.eventLoop) : nil) { [tasks, logger] in
            var response: Response
            do {
                response = try await responder.respond(to: request, context: requestContext)
            } catch {
                logger.debug("a request was not answered", metadata: ["error": "\(error)"])
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = HTTPDate.now
            response.headers[.server] = "martlet"
            // A task keeps what its calls have taken of memory until it ends, and an answer may go on for an hour.
            if request.method == .head {
                AnswerWriter.writeHead(of: response, to: channel)
            } else if response.body.contentLength == nil {
                tasks.run { [response] in await AnswerWriter.write(response, to: channel) }
            } else {
                await AnswerWriter.write(response, to: channel)
            }
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isLast = isLast || head.headerFields.hasClose
            if isLast { head.headerFields[.connection] = "close" }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end(let fields):
            isAnswering = false
            let isBroken = isBroken
            if isBroken { beginAnswer() }
            // What comes next may begin before this returns.
            end(context, fields, promise)
            if isBroken { refuse(context) }
        }
    }

    private func end(_ context: ChannelHandlerContext, _ fields: HTTPFields?, _ promise: EventLoopPromise<Void>?) {
        let taken = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        taken.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.endAnswer()
            handler.endWhereDone(context)
        }
        context.writeAndFlush(wrapOutboundOut(.end(fields)), promise: taken)
    }

    /// Answers what is no HTTP.
    private func refuse(_ context: ChannelHandlerContext) {
        isBroken = false
        let head = HTTPResponse(status: .badRequest, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        end(context, nil, nil)
    }

    private func beginAnswer() {
        openAnswers += 1
        tasks.begin()
    }

    private func endAnswer() {
        guard openAnswers > 0 else { return }
        openAnswers -= 1
        tasks.end()
    }

    /// Ends the connection when the last byte of the last answer is taken. A client that is still sending reads it first
    /// (RFC 9112, section 9.6).
    private func endWhereDone(_ context: ChannelHandlerContext) {
        guard openAnswers == 0 else { return }
        if isOver { context.close(promise: nil) } else if isLast { context.close(mode: .output, promise: nil) }
    }
}

/// A body of which the end is not here when its request begins.
private typealias BodyStream = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, BodyDemand
>

/// Tells a connection that the rest of a body may be read.
private struct BodyDemand: NIOAsyncSequenceProducerDelegate {
    let eventLoop: any EventLoop
    let onDemand: @Sendable () -> Void

    func produceMore() { eventLoop.execute(onDemand) }

    func didTerminate() { eventLoop.execute(onDemand) }
}

extension [ByteBuffer] {
    /// All of them as one.
    fileprivate var joined: ByteBuffer {
        guard var all = first else { return ByteBuffer() }
        for var chunk in dropFirst() { all.writeBuffer(&chunk) }
        return all
    }
}

extension HTTPFields {
    /// Whether the connection ends with the message (RFC 9112, section 9.3).
    fileprivate var hasClose: Bool {
        self[.connection]?.split(separator: ",").contains {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close"
        } ?? false
    }
}
