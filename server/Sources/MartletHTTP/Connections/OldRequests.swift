import NIOCore
import NIOHTTP1

/// Makes requests that are not plain HTTP/1.1 such, because behind it they are not told apart any more: those of HTTP/1.0
/// need no `Host` and end their connection, and so do those that ask for another protocol, behind which the decoder reads
/// nothing.
final class OldRequests: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = head.version == .http1_0
        if isOld, !head.headers.contains(name: "host") { head.headers.add(name: "Host", value: "") }
        let isUpgrade = head.method == .CONNECT || head.headers.contains(name: "upgrade")
        if isUpgrade || isOld && !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
