public import HummingbirdCore
public import Logging
import MartletCore
import MartletWire
public import NIOCore
import NIOHTTP1
public import NIOHTTPTypes

/// HTTP/1.1 as Hummingbird speaks it, on connections that are held to their limits.
public struct LimitedHTTP1Channel: ServerChildChannel {
    /// What is read and written on it.
    public typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private let channel: HTTP1Channel
    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let table: ConnectionTable

    /// A server that answers with `responder`.
    ///
    /// - Parameter proxies: whose connections are not counted by address.
    public init(responder: @escaping HTTPChannelHandler.Responder, limits: ConnectionLimits, proxies: TrustedProxies) {
        channel = HTTP1Channel(responder: responder)
        self.limits = limits
        self.proxies = proxies
        table = ConnectionTable(limits: limits)
    }

    /// Takes a connection in, or refuses it where no other one can go in its place.
    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
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
        let handler = NIOLoopBound(
            ConnectionHandler(limits: limits, table: table, entry: entry),
            eventLoop: channel.eventLoop
        )
        return channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(
                .recvAllocator,
                // A connection keeps its buffer while it waits: a usual request needs no larger one.
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 1024, maximum: limits.readBytes)
            )
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            // A Unix socket has one too; some other channel may not.
            try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(limits.systemBytes))
        }.flatMap {
            HTTP1Channel(
                responder: self.channel.responder,
                configuration: .init(
                    additionalChannelHandlers: [handler.value],
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.headBytes,
                        maxHeaderListSize: limits.headBytes
                    )
                )
            ).setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(OldRequestHost(), position: .after(decoder))
            return value
        }
    }

    /// Answers what comes on it.
    public func handle(value: Value, logger: Logger) async { await channel.handle(value: value, logger: logger) }
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 whose connections are held to these limits.
    public static func limitedHTTP1(_ limits: ConnectionLimits, proxies: TrustedProxies) -> HTTPServerBuilder {
        HTTPServerBuilder { LimitedHTTP1Channel(responder: $0, limits: limits, proxies: proxies) }
    }
}
