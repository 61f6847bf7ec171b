internal import CNghttp2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// One connection's HTTP/2 on the client side: requests to bytes, bytes to answers.
///
/// The work of a turn is done in ``work()``: submit what the stream limit allows, gather it in one buffer, write once.
final class ClientSession: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How far the connection has come.
    enum Stage { case handshake, settings, running, ended }

    /// Bytes gathered for one write: 500 requests of a notification each, and an early sight of back-pressure.
    static let writeLimit = 256 * 1024

    /// Bytes that the socket has not taken with which nothing more is written. The write that reaches them may go beyond
    /// by a ``writeLimit`` and a frame, so that a peer that does not read is owed about 768 KiB in memory at most; the
    /// requests that wait meanwhile are in their bursts, and their bodies in the one template, or not made yet.
    static let fullSocket = 2 * writeLimit

    let configuration: HTTP2ClientConfiguration
    let shared: ClientShared
    let logger: Logger
    let session: NGHTTP2Session
    /// The names of ``HTTP2ClientConfiguration/keptFields``, as bytes.
    let keptNames: [[UInt8]]?
    var stage = Stage.handshake
    var machine: HTTP2ClientConnection.StateMachine
    let streams = SlotTable(make: ClientStreamState.init)
    var fields = RequestFields()
    var returned = ReturnedRequests()
    var throughput = ThroughputEstimate(now: .now())
    /// When what is being read came: one look at the clock for all answers in it.
    private(set) var readAt = NIODeadline.now()
    /// The library's last complaint about the peer; the reason when it ends the connection.
    var complaint: String?
    /// Why the connection is being given up; the end itself comes a turn later and says less.
    private var fault: String?
    /// What is wrong with the server's certificate, if that is why there is no connection.
    private var certificateFault: CertificateFault?

    /// Whether the peer has sent GOAWAY.
    var isGoneAway = false

    /// The burst being submitted; the others wait behind it.
    var current: RequestSlice?
    var queue = CircularBuffer<RequestSlice>()
    var queuedCount = 0
    /// What was handed over to the connection and is still counted as waiting for a stream.
    var handedOver = 0

    private let socket: SocketAbort
    /// Until the connection is complete or has failed: its future holds the connection, and that holds the session.
    private var ready: EventLoopPromise<HTTP2ClientConnection>?
    private var liveness: HTTP2ClientConnection.Liveness
    private(set) var context: ChannelHandlerContext?
    private var outbound = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var timerDeadline = NIODeadline.distantFuture
    private var isReading = false
    private var isWorking = false
    private var isWorkScheduled = false

    init(
        configuration: HTTP2ClientConfiguration,
        socket: SocketAbort,
        shared: ClientShared,
        ready: EventLoopPromise<HTTP2ClientConnection>,
        logger: Logger
    ) {
        self.configuration = configuration
        self.keptNames = configuration.keptFields?.map { Array($0.utf8) }
        self.socket = socket
        self.shared = shared
        self.ready = ready
        self.logger = logger
        self.machine = .init(
            cap: configuration.maxConcurrentStreams,
            isWarm: configuration.oneStreamUntil,
            returnsWork: shared.giveBack != nil
        )
        self.liveness = .init(
            idleInterval: configuration.idlePingInterval,
            ackTimeout: configuration.pingAckTimeout,
            now: .now()
        )
        self.session = NGHTTP2Session(.client, callbacks: Self.setCallbacks)
        self.session.bind(to: self)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The channel is connected; the handshake begins.
        self.arm(at: .now() + self.configuration.tlsTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.ended("connection closed")
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard negotiated == "h2" else {
            self.ended("the server does not offer h2", phase: .alpn)
            return context.close(promise: nil)
        }
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        if let complaint = CertificateNames.complaint(about: certificate, for: self.configuration) {
            self.ended(complaint, phase: .tls)
            return context.close(promise: nil)
        }
        self.stage = .settings
        self.arm(at: .now() + self.configuration.tlsTimeout)
        self.session.submitSettings([
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, self.configuration.initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, self.configuration.maxHeaderBytes),
        ])
        self.session.setConnectionWindow(self.configuration.connectionWindowSize)
        self.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.stage == .settings || self.stage == .running else { return }
        self.isReading = true
        self.readAt = .now()
        do {
            try self.session.receive(self.unwrapInboundIn(data))
        } catch {
            self.abort(self.complaint ?? "\(error)")
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard self.isReading else { return }
        self.isReading = false
        self.liveness.bytesRead(now: self.readAt)
        self.work()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { self.scheduleWork() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.ended("connection closed by the peer")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if self.stage == .handshake {
            let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
            self.certificateFault = CertificateFault(error, certificate: certificate)
        }
        if let fault = self.certificateFault { return self.abort(fault.text) }
        self.abort(ConnectionErrorText.text(of: error))
    }

    /// Called for the peer's SETTINGS; the first ones complete the connection.
    func settingsReceived() {
        let limit = nghttp2_session_get_remote_settings(
            self.session.pointer,
            NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS
        )
        self.machine.settingsReceived(maxConcurrentStreams: Int(limit))
        self.publish()
        guard self.stage == .settings, let context = self.context else { return }
        self.stage = .running
        _ = self.shared.publish(self.machine.state)
        self.ready?.succeed(HTTP2ClientConnection(channel: context.channel, session: self, shared: self.shared))
        self.ready = nil
    }

    // MARK: Work

    /// Does the work at the end of the read being worked on, or in the loop's next turn.
    func scheduleWork() {
        guard !self.isReading, !self.isWorking, !self.isWorkScheduled, let context = self.context else { return }
        self.isWorkScheduled = true
        let session = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            session.value.isWorkScheduled = false
            session.value.work()
        }
    }

    private func work() {
        guard self.stage == .running || self.stage == .settings, !self.isWorking else { return }
        if self.stage == .running {
            let now = NIODeadline.now()
            self.isWorking = true
            // The limit before the state that goes with it, and both before the peer hears more of either.
            self.publish()
            self.tellState()
            self.submit(now: now)
            self.flush()
            // Slots that were freed while frames were gathered (streams reset, refused requests).
            while self.hasWork, self.stage == .running, self.context?.channel.isWritable ?? false {
                self.submit(now: now)
                self.flush()
            }
            // What comes back while settling, such as a refused request, asks for another turn.
            self.isWorking = false
            self.settle()
            if self.stage == .running { self.armForWork(now: now) }
        } else {
            self.flush()
        }
    }

    private var hasWork: Bool { self.queuedCount > 0 && self.streams.count < self.machine.streamLimit }

    /// Tells of the state, returns what another connection must do, and closes when all is answered.
    func settle() {
        if self.machine.returnReason != nil { self.returnQueue() }
        self.publish()
        self.tellState()
        if self.stage == .running, case .draining = self.machine.state, self.streams.count == 0 {
            nghttp2_session_terminate_session(self.session.pointer, HTTP2ErrorCode.noError)
            self.flush()
        }
        // After the end has been told: what comes back waits for the pause that an end without any answer makes.
        self.handBackReturned()
    }

    private func tellState() {
        if self.shared.publish(self.machine.state) { self.shared.onStateChange(self.machine.state) }
    }

    /// Shows load and state to other threads.
    func publish() {
        self.shared.publish(
            inFlight: self.streams.count,
            noLongerQueued: self.handedOver - self.queuedCount,
            limit: self.machine.streamLimit,
            throughput: self.throughput,
            hasAnswers: self.machine.hasAnswers,
            isSilent: self.machine.isSilent
        )
        self.handedOver = self.queuedCount
    }

    private func flush() {
        guard let context = self.context else { return }
        do {
            var more = true
            while more, self.stage != .ended, context.channel.isWritable {
                self.outbound.clear()
                more = try self.session.gather(into: &self.outbound, limit: Self.writeLimit)
                if self.outbound.readableBytes == 0 { break }
                context.writeAndFlush(self.wrapOutboundOut(self.outbound), promise: nil)
            }
            if !more, self.stage != .ended, self.session.isFinished {
                self.ended(self.complaint ?? "the protocol ended the connection")
                context.close(promise: nil)
            }
        } catch {
            self.abort("\(error)")
        }
    }

    // MARK: Ends

    /// Takes no more requests; closes when the last one is answered, at the latest after `deadline`.
    func drain(_ reason: String, within deadline: TimeAmount) {
        guard self.stage == .running, let context = self.context else { return }
        self.machine.drain(reason)
        let session = NIOLoopBound(self, eventLoop: context.eventLoop)
        let abort = context.eventLoop.scheduleTask(in: deadline) { session.value.abort("closed at its deadline") }
        context.channel.closeFuture.whenComplete { _ in abort.cancel() }
        self.scheduleWork()
    }

    /// Closes without waiting for the peer. The library's callbacks may be running, so the end comes in the next turn.
    func abort(_ reason: String) {
        guard self.stage != .ended, let context = self.context else { return }
        if self.fault == nil { self.fault = reason }
        let session = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            session.value.ended(reason)
            session.value.socket.abort(reset: false)
        }
    }

    private func ended(_ reason: String, phase: HTTP2ConnectError.Phase? = nil) {
        guard self.stage != .ended else { return }
        let stage = self.stage
        let reason = self.fault ?? reason
        self.stage = .ended
        self.timer?.cancel()
        self.machine.close(reason)
        if stage != .running {
            self.ready?.fail(
                HTTP2ConnectError(
                    phase: phase ?? (stage == .handshake ? .tls : .settings),
                    host: self.configuration.host,
                    port: self.configuration.port,
                    reason: reason,
                    certificate: self.certificateFault
                )
            )
            return
        }
        self.logger.debug("connection ended", metadata: ["reason": "\(reason)"])
        self.answerAll(lost: self.machine.endReason ?? reason)
        self.settle()
    }

    // MARK: Time

    private func armForWork(now: NIODeadline) {
        let isBusy = self.streams.count > 0 || self.queuedCount > 0
        let next = self.liveness.nextCheck(isBusy: self.streams.count > 0)
        self.arm(at: isBusy ? min(next, now + self.sweepInterval) : next)
    }

    /// How exactly deadlines are kept: a twentieth of the request timeout, between 10 and 250 ms.
    private var sweepInterval: TimeAmount {
        .nanoseconds(min(max(self.configuration.requestTimeout.nanoseconds / 20, 10_000_000), 250_000_000))
    }

    /// One timer for all: an earlier one that is already set looks again when it fires.
    private func arm(at deadline: NIODeadline) {
        if self.timer != nil, self.timerDeadline <= deadline, self.stage == .running { return }
        guard let context = self.context else { return }
        self.timer?.cancel()
        self.timerDeadline = deadline
        let session = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.timer = context.eventLoop.scheduleTask(deadline: deadline) { session.value.timerFired() }
    }

    private func timerFired() {
        self.timer = nil
        switch self.stage {
        case .handshake, .settings:
            let waited = self.configuration.tlsTimeout.nanoseconds / 1_000_000
            self.abort(
                self.stage == .handshake ? "no handshake within \(waited) ms" : "no SETTINGS within \(waited) ms"
            )
        case .running:
            let now = NIODeadline.now()
            self.expire(now: now)
            switch self.liveness.check(isBusy: self.streams.count > 0, now: now) {
            case .none: break
            case .ping: nghttp2_submit_ping(self.session.pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
            case .giveUp:
                return self.abort(
                    "no answer to PING within \(self.configuration.pingAckTimeout.nanoseconds / 1_000_000) ms"
                )
            }
            self.work()
        case .ended: break
        }
    }
}
