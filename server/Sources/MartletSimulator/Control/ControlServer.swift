import Hummingbird
import Logging
import MartletTransport
import NIOCore
import ServiceLifecycle

/// The control API's HTTP server.
final class ControlServer: Sendable {
    let port: Int
    private let group: ServiceGroup
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
                await AcceptPause.add(to: channel, logger: logger)
                running.yield(channel.localAddress?.port ?? port)
            },
            logger: quiet
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: quiet)
        // A call that waits for a push must not keep a simulator from ending.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let task = Task {
            do {
                try await group.run()
                running.finish()
            } catch {
                running.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports { return ControlServer(port: port, group: group, task: task) }
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

    private init(port: Int, group: ServiceGroup, task: Task<Void, any Error>) {
        self.port = port
        self.group = group
        self.task = task
    }

    /// Stops serving and waits for it. Not by cancelling: a connection that opens meanwhile would be let go of before
    /// anybody has taken it, which ends the process.
    func shutdown() async {
        await group.triggerGracefulShutdown()
        _ = await task.result
    }
}
