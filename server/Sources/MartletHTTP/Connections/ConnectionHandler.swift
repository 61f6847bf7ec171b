import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Holds a client's connection to its limits: one request at a time, a deadline for each thing that the client is waited
/// for, and its place in the table.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let table: ConnectionTable
    private let entry: ConnectionTable.Entry
    private var turn = RequestTurn()
    /// What belongs to later requests. Bounded by what one read can hold, since nothing is read while it is not empty.
    private var parked = CircularBuffer<HTTPRequestPart>(initialCapacity: 1)
    /// What is wrong behind what is parked.
    private var parkedError: (any Error)?
    private var isReadWanted = false
    /// Whether the end of the input is to be told when nothing is parked any more.
    private var isEndParked = false
    private var hasInputEnded = false
    /// Whether the rest of the request that is answered cannot be read.
    private var isBroken = false
    /// Whether a request's head is larger than heads may be. The decoder does not say whether its path or its fields.
    private var isHeadTooLarge = false
    /// Whether the answer goes on for as long as there is a client.
    private var isStream = false
    private var wait: RequestTurn.Wait?
    private var deadline = NIODeadline.distantFuture
    /// How much of an answer the system had not taken when the client was looked at last.
    private var lastBuffered = Int.max
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?

    init(limits: ConnectionLimits, table: ConnectionTable, entry: ConnectionTable.Entry) {
        self.limits = limits
        self.table = table
        self.entry = entry
    }

    func handlerAdded(context: ChannelHandlerContext) { follow(context, hasProgress: true) }

    func handlerRemoved(context: ChannelHandlerContext) { stopTimer() }

    func channelInactive(context: ChannelHandlerContext) {
        turn.close()
        parked.removeAll()
        stopTimer()
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // What came behind a parked part is parked behind it.
        if parked.isEmpty { receive(part, context) } else { parked.append(part) }
        follow(context, hasProgress: false)
    }

    func read(context: ChannelHandlerContext) {
        if parked.isEmpty { context.read() } else { isReadWanted = true }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        hasInputEnded = true
        // A client that closes its half waits for the rest of an answer, but for one that has no end.
        if isStream { return context.close(promise: nil) }
        // The end of the input comes after what is parked, as it came on the wire.
        if parked.isEmpty { context.fireUserInboundEventTriggered(event) } else { isEndParked = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard parked.isEmpty else { return parkedError = error }
        let isWaiting = turn.wait == .firstHead || turn.wait == .nextHead
        if isWaiting, (error as? HTTPParserError) == .headerOverflow { isHeadTooLarge = true }
        guard error is HTTPParserError, !turn.isUnanswered else { return context.fireErrorCaught(error) }
        // The request has its answer: a second one would be taken for the next request's.
        isBroken = true
        closeWhenAnswered(context)
    }

    private func closeWhenAnswered(_ context: ChannelHandlerContext) {
        if isBroken, turn.wait == .discard || turn.wait == .nextHead { context.close(promise: nil) }
    }

    private func receive(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        var isOver = false
        let reading: RequestTurn.Reading
        switch part {
        case .head: reading = turn.readHead()
        case .body: reading = turn.readBody()
        case .end: (reading, isOver) = turn.readEnd()
        }
        switch reading {
        case .deliver: context.fireChannelRead(wrapInboundOut(part))
        case .park: parked.append(part)
        case .drop: break
        }
        if isOver { deliverParked(context) }
    }

    /// Gives the next request its turn.
    private func deliverParked(_ context: ChannelHandlerContext) {
        var hasDelivered = false
        while let part = parked.first {
            if case .head = part {
                guard turn.wait == .nextHead else { break }
            }
            parked.removeFirst()
            receive(part, context)
            hasDelivered = true
        }
        if hasDelivered { context.fireChannelReadComplete() }
        guard parked.isEmpty else { return }
        if let error = parkedError.take() { errorCaught(context: context, error: error) }
        if isEndParked {
            isEndParked = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadWanted {
            isReadWanted = false
            context.read()
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        var isEnd = false
        switch part {
        case .head(let head) where head.status.kind == .informational:
            return context.write(data, promise: promise)
        case .head(var head):
            // Whatever the decoder refuses is answered 400.
            if isHeadTooLarge { head.status = .requestHeaderFieldsTooLarge }
            part = .head(head)
            isStream = head.headerFields[.contentType] == "text/event-stream"
            if isStream, hasInputEnded {
                promise?.fail(ChannelError.inputClosed)
                return context.close(promise: nil)
            }
            entry.stream(since: isStream ? context.eventLoop.now.uptimeNanoseconds : 0)
        case .body: break
        case .end:
            (isEnd, isStream) = (true, false)
            entry.stream(since: 0)
        }
        guard turn.write(isEnd: isEnd) else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let bytes = part.byteCount
        let taken = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        taken.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.took(bytes, context)
        }
        table.count(bytes, of: entry)
        context.write(wrapOutboundOut(part), promise: taken)
        follow(context, hasProgress: false)
    }

    private func took(_ bytes: Int, _ context: ChannelHandlerContext) {
        table.count(-bytes, of: entry)
        let isOver = turn.took()
        guard !turn.isClosing else { return }
        if isOver { deliverParked(context) }
        closeWhenAnswered(context)
        follow(context, hasProgress: true)
    }

    // MARK: Deadlines

    /// Notes what the client is waited for now, and until when.
    ///
    /// - Parameter hasProgress: whether the time begins anew although the same is waited for.
    private func follow(_ context: ChannelHandlerContext, hasProgress: Bool) {
        let now = context.eventLoop.now
        let isNew = wait != turn.wait
        wait = turn.wait
        guard let wait else {
            entry.wait(since: 0)
            deadline = .distantFuture
            return
        }
        guard isNew || hasProgress else { return }
        if isNew { lastBuffered = .max }
        entry.wait(since: now.uptimeNanoseconds)
        deadline = now + TimeAmount(limits.time(for: wait))
        // A timer that is due before the deadline finds out that it is, so that most requests schedule none.
        if deadline < timer?.at ?? .distantFuture { schedule(context) }
    }

    private func schedule(_ context: ChannelHandlerContext) {
        stopTimer()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            handler.timer = nil
            handler.checkDeadline(context)
        }
        timer = (deadline, task)
    }

    /// Whether the client has taken some of its answer since it was looked at last: who reads slowly is not cut off.
    private func hasTakenSome(_ context: ChannelHandlerContext) -> Bool {
        guard wait == .answer, let buffered = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else {
            return false
        }
        defer { lastBuffered = buffered }
        return buffered < lastBuffered
    }

    private func stopTimer() {
        timer?.task.cancel()
        timer = nil
    }

    private func checkDeadline(_ context: ChannelHandlerContext) {
        guard deadline <= context.eventLoop.now else {
            if deadline != .distantFuture { schedule(context) }
            return
        }
        guard !hasTakenSome(context) else {
            follow(context, hasProgress: true)
            return schedule(context)
        }
        let isBodyLate = wait == .body && turn.isUnanswered
        turn.close()
        guard isBodyLate else { return context.close(promise: nil) }
        // The client may still be listening: it is told, and everything else that is written goes nowhere.
        let head = HTTPResponse(status: .requestTimeout, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}

extension HTTPResponsePart {
    /// What it holds in memory; a head counts as the bytes of a usual one.
    fileprivate var byteCount: Int {
        switch self {
        case .head: 256
        case .body(let buffer): buffer.readableBytes
        case .end: 0
        }
    }
}
