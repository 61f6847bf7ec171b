import Hummingbird
import Logging
import NIOCore

/// The control API's HTTP server.
final class ControlServer: Sendable {
    let port: Int
    private let task: Task<Void, any Error>

    /// Binds and serves.
    ///
    /// - Throws: what the system says of the port.
    static func start(
        host: String,
        port: Int,
        service: SimulatedService,
        logger: Logger
    ) async throws -> ControlServer {
        let (ports, running) = AsyncThrowingStream<Int, any Error>.makeStream()
        var quiet = logger
        // Hummingbird logs the cancellation by which this server ends as an error; what fails is thrown.
        quiet.logLevel = .critical
        let application = Application(
            router: ControlRoutes(service: service, host: host).router(),
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? port)
            },
            logger: quiet
        )
        let task = Task {
            do {
                try await application.run()
                running.finish()
            } catch {
                running.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports { return ControlServer(port: port, task: task) }
        throw SimulatorError("the control API ended before it listened", field: "controlPort")
    }

    private init(port: Int, task: Task<Void, any Error>) {
        self.port = port
        self.task = task
    }

    /// Stops serving and waits for it.
    func shutdown() async {
        task.cancel()
        _ = await task.result
    }
}
