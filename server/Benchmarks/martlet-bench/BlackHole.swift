import NIOCore
import NIOPosix

/// A provider that is dead: it takes connections and answers nothing, not even the first bytes of TLS.
struct BlackHole {
    private let channel: any Channel
    let port: Int

    static func start() async throws -> BlackHole {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let port = channel.localAddress?.port else { throw BenchmarkError("no port") }
        return BlackHole(channel: channel, port: port)
    }

    func stop() async { try? await channel.close() }
}
