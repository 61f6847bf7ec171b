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
        routes: [any ControlRouteSet],
        logger: Logger
    ) async throws -> ControlServer {
        let (ports, running) = AsyncThrowingStream<Int, any Error>.makeStream()
        var quiet = logger
        // Hummingbird logs the cancellation by which this server ends as an error; what fails is thrown.
        quiet.logLevel = .critical
        let application = Application(
            router: router(host: host, routes: routes),
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

    /// - Parameter host: what the server was told to bind.
    private static func router(host: String, routes: [any ControlRouteSet]) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: ControlErrorMiddleware())
        router.add(middleware: ControlCallerMiddleware(ownName: host))
        router.get("/healthz") { _, _ in try Response.json(["status": "ok"]) }
        for set in routes { set.add(to: router) }
        return router
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
