import Logging
import NIOCore
import NIOEmbedded
import NIOTLS

@testable import MartletTransport

/// The client's side of a connection without a socket and without TLS, and a count of its answers.
final class FuzzedConnection {
    /// What kind of connection it is.
    struct Options: OptionSet {
        let rawValue: UInt8
        /// Requests and probes run out of time at once.
        static let isHasty = Options(rawValue: 2)
        /// Requests that were not processed go back to a pool.
        static let hasPool = Options(rawValue: 4)
        /// One stream only until a 200.
        static let warmsUp = Options(rawValue: 8)
        /// Answers of a few bytes are too large.
        static let isNarrow = Options(rawValue: 16)
        /// Requests have no body.
        static let hasNoBody = Options(rawValue: 32)
    }

    private let channel = EmbeddedChannel()
    private let session: ClientSession
    private let configuration: HTTP2ClientConfiguration
    private let template: HTTP2RequestTemplate
    private let opened: EventLoopFuture<HTTP2ClientConnection>
    private var connection: HTTP2ClientConnection?
    private var bursts: [(burst: HTTP2Burst, tally: AnswerTally)] = []

    /// What keeps the loop's clock close to the machine's, by which the session sets its timers: its finest interval.
    private static let tick = TimeAmount.milliseconds(10)

    init(_ options: Options) {
        var configuration = HTTP2ClientConfiguration(host: "localhost", serverHostname: nil)
        if options.contains(.isHasty) {
            configuration.requestTimeout = .zero
            configuration.idlePingInterval = .zero
            configuration.pingAckTimeout = .zero
        }
        if options.contains(.isNarrow) {
            configuration.maxBodyBytes = 16
            configuration.maxHeaderBytes = 128
            configuration.maxQueuedRequests = 24
        }
        if options.contains(.warmsUp) { configuration.oneStreamUntil = { $0 == 200 } }
        self.configuration = configuration
        template = HTTP2RequestTemplate(
            authority: "localhost",
            headers: [HTTP2Header("apns-topic", "org.example")],
            body: options.contains(.hasNoBody) ? [] : Array(repeating: 0x20, count: 600)
        )
        let giveBack: @Sendable ([RequestSlice], String) -> Void = { slices, reason in
            for slice in slices { slice.fail(reason) }
        }
        let ready = channel.eventLoop.makePromise(of: HTTP2ClientConnection.self)
        let socket = SocketAbort()
        session = ClientSession(
            configuration: configuration,
            socket: socket,
            shared: ClientShared(
                onStateChange: { _ in },
                giveBack: options.contains(.hasPool) ? giveBack : nil
            ),
            ready: ready,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        )
        opened = ready.futureResult
        open(socket)
    }

    private func open(_ socket: SocketAbort) {
        do {
            try channel.pipeline.syncOperations.addHandlers([socket, session])
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: 443)
            channel.connect(to: address, promise: nil)
        } catch {
            fatalError("\(error)")  // a handler on a fresh channel and an address that is written here
        }
        let tls = TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2")
        channel.pipeline.syncOperations.fireUserInboundEventTriggered(tls)
        turn()
    }

    var isOpen: Bool { channel.isActive }

    /// Bytes of the peer, and the end of that read.
    func receive(_ bytes: [UInt8]) {
        channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: bytes)))
        channel.pipeline.syncOperations.fireChannelReadComplete()
        turn()
    }

    /// Sends requests, at the latest when the connection is complete.
    func send(_ count: Int) {
        let tally = AnswerTally(count, configuration)
        var builder = HTTP2Burst.Builder(template: template, fields: [HTTP2BurstField("apns-id")])
        for number in 0..<count { builder.append(path: "/3/device/\(number)", values: ["\(number)"]) }
        let burst = builder.build { tally.add($0, $1) }
        bursts.append((burst, tally))
        connection?.send(burst)
        turn()
    }

    func cancel(_ number: Int) {
        connection?.cancel(bursts[number % bursts.count].burst)
        turn()
    }

    func withdraw(_ number: Int) {
        connection?.withdraw(bursts[number % bursts.count].burst)
        turn()
    }

    func drain() {
        connection?.drain("drained", within: .zero)
        turn()
    }

    /// Lets timers fire that are due by now.
    func passTime() {
        channel.embeddedEventLoop.advanceTime(to: .now() + FuzzedConnection.tick)
        turn()
    }

    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
        turn()
    }

    func fail() {
        channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        turn()
    }

    /// Ends the connection: by then every request has been answered once.
    func finish() {
        _ = try? channel.finish(acceptAlreadyClosed: true)
        guard let connection else { return }
        for (_, tally) in bursts { tally.check() }
        let status = connection.status
        demand(status.inFlight == 0 && status.queued == 0, "requests are counted on a closed connection")
        guard case .closed = status.state else { return demand(false, "a closed connection is \(status.state)") }
    }

    /// Lets the loop work, takes what was written, and sends what waited for the connection.
    private func turn() {
        channel.embeddedEventLoop.run()
        while (try? channel.readOutbound(as: ByteBuffer.self)) != nil {}
        guard connection == nil, session.stage == .running else { return }
        opened.assumeIsolated().whenSuccess { self.connection = $0 }
        guard let connection else { return demand(false, "a running connection was not handed out") }
        for (burst, _) in bursts { connection.send(burst) }
        channel.embeddedEventLoop.run()
    }
}
