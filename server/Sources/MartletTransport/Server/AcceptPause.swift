import Foundation
public import Logging
public import NIOCore

/// Has the listener wait for a second when the system gives it no more connections, as where the process has all the files
/// open that it may have. SwiftNIO's own handler delays the next read, and the poll that is pending goes on at full speed.
///
/// The listener keeps some files open for nothing, and closes them while it waits. A process with none left ends: each
/// second or so libdispatch opens what the system says of its threads, and takes it for their end where it cannot.
public final class AcceptPause: ChannelInboundHandler {
    /// The connections that the listener accepts.
    public typealias InboundIn = any Channel

    private let logger: Logger
    private var isPaused = false
    private var lastSaid = NIODeadline.uptimeNanoseconds(0)
    private var spareFiles: [CInt] = []

    private static let pause: TimeAmount = .seconds(1)
    private static let interval: TimeAmount = .minutes(1)
    /// Ours: libdispatch takes one at a time, and a database a few.
    private static let mostSpareFiles = 8

    private init(logger: Logger) { self.logger = logger }

    /// Adds it to a listener.
    public static func add(to listener: any Channel, logger: Logger) async {
        try? await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(AcceptPause(logger: logger), position: .first)
        }.get()
    }

    /// Takes the files that are kept open for nothing.
    public func handlerAdded(context: ChannelHandlerContext) { keepSpareFiles() }

    /// Gives them back.
    public func handlerRemoved(context: ChannelHandlerContext) { closeSpareFiles() }

    private func keepSpareFiles() {
        while spareFiles.count < Self.mostSpareFiles {
            let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            spareFiles.append(file)
        }
    }

    private func closeSpareFiles() {
        for file in spareFiles { close(file) }
        spareFiles = []
    }

    /// Pauses where the system gives no connection; the error goes on to those behind it.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError { pause(context, error) }
        context.fireErrorCaught(error)
    }

    private func pause(_ context: ChannelHandlerContext, _ error: any Error) {
        let now = context.eventLoop.now
        if lastSaid == .uptimeNanoseconds(0) || now - lastSaid >= Self.interval {
            lastSaid = now
            logger.warning("new connections wait: the system takes none", metadata: ["error": "\(error)"])
        }
        guard !isPaused, let options = context.channel.syncOptions else { return }
        isPaused = true
        closeSpareFiles()
        try? options.setOption(.autoRead, value: false)
        let bound = NIOLoopBound((self, context.channel), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            let (handler, channel) = bound.value
            handler.isPaused = false
            handler.keepSpareFiles()
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
