import NIOCore
import NIOHTTP1

/// Gives requests of HTTP/1.0, which need no `Host`, an empty one: behind it versions are not told apart any more.
final class OldRequestHost: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0,
            !head.headers.contains(name: "host")
        else { return context.fireChannelRead(data) }
        head.headers.add(name: "Host", value: "")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
