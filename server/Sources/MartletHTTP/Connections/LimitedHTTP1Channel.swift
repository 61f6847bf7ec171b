public import HTTPTypes
public import Hummingbird
public import HummingbirdCore
public import Logging
import MartletCore
import MartletWire
public import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// HTTP/1.1 on connections that are held to their limits, and that cost little while they wait: Hummingbird's own keep a
/// task with all that its calls took of memory for as long as a client is there.
public struct LimitedHTTP1Channel<Responder: HTTPResponder>: ServerChildChannel
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let tasks: RequestTasks
    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let table: ConnectionTable
    private let onEventLoop: @Sendable (HTTPRequest) -> Bool

    /// A server that answers with `responder`.
    ///
    /// - Parameters:
    ///   - proxies: whose connections are not counted by address.
    ///   - onEventLoop: which requests are answered on their connection's event loop.
    public init(
        responder: Responder,
        tasks: RequestTasks,
        limits: ConnectionLimits,
        proxies: TrustedProxies,
        onEventLoop: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        self.onEventLoop = onEventLoop
        self.responder = responder
        self.tasks = tasks
        self.limits = limits
        self.proxies = proxies
        table = ConnectionTable(limits: limits)
    }

    /// Takes a connection in, or refuses it where no other one can go in its place.
    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTPConnection> {
        let address = channel.remoteAddress?.ipAddress.flatMap { IPAddress($0)?.unmapped }
        let isProxy = address.map(proxies.contains) ?? true
        let now = channel.eventLoop.now.uptimeNanoseconds
        let entry = ConnectionTable.Entry(address: isProxy ? nil : address?.clientName, now: now) {
            channel.close(promise: nil)
        }
        guard table.admit(entry) else {
            if table.isToBeSaid(at: now) {
                logger.warning(
                    "a connection was refused: all others are being answered",
                    metadata: ["connections": "\(limits.connections)", "peraddress": "\(limits.connectionsPerAddress)"]
                )
            }
            return channel.close().flatMapThrowing { throw ChannelError.ioOnClosedChannel }
        }
        channel.closeFuture.whenComplete { [table] _ in table.remove(entry) }
        return channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(
                .recvAllocator,
                // A connection keeps its buffer while it waits: it begins small, and grows with what comes.
                value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: limits.readBytes)
            )
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            // A Unix socket has one too; some other channel may not.
            try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(limits.systemBytes))
            return try addHandlers(to: channel, entry, logger)
        }
    }

    private func addHandlers(
        to channel: any Channel,
        _ entry: ConnectionTable.Entry,
        _ logger: Logger
    ) throws -> HTTPConnection {
        let pipeline = channel.pipeline.syncOperations
        var heads = NIOHTTPDecoderLimitConfiguration()
        heads.maxHeaderFieldSize = limits.headBytes
        heads.maxHeaderListSize = limits.headBytes
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: heads
        )
        try pipeline.addHandlers([
            OldRequests(), HTTP1ToHTTPServerCodec(secure: false),
            ConnectionHandler(limits: limits, table: table, entry: entry),
            RequestHandler(responder: responder, tasks: tasks, onEventLoop: onEventLoop, logger: logger),
        ])
        return HTTPConnection(channel: channel)
    }

    /// Does nothing: what comes on it is answered by its last handler, and a task that waited for its end would cost a
    /// tenth of it.
    public func handle(value: HTTPConnection, logger: Logger) async {}
}

/// A client's connection.
public struct HTTPConnection: ServerChildChannelValue {
    /// The connection itself.
    public let channel: any Channel
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 whose connections are held to these limits. It answers with `responder`, and not with the
    /// application's own way of asking it.
    ///
    /// - Parameters:
    ///   - tasks: those of its requests, which may outlast it.
    ///   - onEventLoop: which requests are answered on their connection's event loop.
    public static func limitedHTTP1<Responder: HTTPResponder>(
        _ limits: ConnectionLimits,
        proxies: TrustedProxies,
        responder: Responder,
        tasks: RequestTasks = RequestTasks(),
        onEventLoop: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false }
    ) -> HTTPServerBuilder where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        HTTPServerBuilder { _ in
            LimitedHTTP1Channel(
                responder: responder,
                tasks: tasks,
                limits: limits,
                proxies: proxies,
                onEventLoop: onEventLoop
            )
        }
    }
}
