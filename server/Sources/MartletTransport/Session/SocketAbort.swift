import NIOCore

/// Stands below TLS, so that a connection can be torn down without TLS's close_notify, and its reading be paused although
/// NIOSSL asks for more bytes by itself when a read gave it nothing to hand on.
final class SocketAbort: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Whether nobody's wish to read reaches the socket.
    var isPaused = false

    /// `struct linger` of socket(7), whose own declaration no importable module exports.
    private struct Linger: Sendable {
        var isOn: CInt
        var seconds: CInt
    }

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        if !self.isPaused { context.read() }
    }

    /// Closes the socket at once; with `reset` the peer sees a TCP reset (a linger time of 0) rather than a FIN.
    func abort(reset: Bool) {
        guard let context = self.context else { return }
        if reset {
            (context.channel as? any SocketOptionProvider)?
                .unsafeSetSocketOption(level: .socket, name: .so_linger, value: Linger(isOn: 1, seconds: 0))
                .whenComplete { _ in }
        }
        context.close(mode: .all, promise: nil)
    }
}
