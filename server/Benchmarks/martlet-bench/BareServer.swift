import Foundation
import MartletTesting
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server of SwiftNIO alone, which reads what it is sent and answers with two bytes: the least that an answer
/// costs in Swift. It is this program again, in a process of its own on the server's core.
final class BareServer {
    /// What has this program be it.
    static let argument = "bare-server"

    private let process = Process()
    /// Whoever listens ends with it, also where this process is killed.
    private let input = Pipe()
    private let port: Int
    var address: String { "http://127.0.0.1:\(port)" }
    var figures: ProcessFigures { ProcessFigures(id: process.processIdentifier) }

    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [BareServer.argument]
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError("the bare server does not listen")
        }
        self.port = port
        try figures.pin(toCores: "0")
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Listens until standard input ends.
    static func serve() throws {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
                    try channel.pipeline.syncOperations.addHandler(Answer())
                }
            }
        let channel = try bootstrap.bind(host: "127.0.0.1", port: 0).wait()
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
        _ = try FileHandle.standardInput.readToEnd()
        try channel.close().wait()
    }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let fields: HTTPHeaders = ["Content-Length": "2", "Content-Type": "application/json"]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{}")))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
