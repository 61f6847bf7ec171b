import Hummingbird
import Logging
import MartletConsole
import MartletCore
import MartletHTTP
import MartletSNS
import MartletTransport
import NIOCore
import ServiceLifecycle

/// A running server: the REST interface and the pipeline behind it, until it is told to stop.
struct Server: Service {
    let composition: Composition
    let host: String
    let port: Int
    let logger: Logger
    private let tasks = RequestTasks()
    /// Called once with the port that it listens on.
    let onRunning: @Sendable (Int) async -> Void

    /// Serves until graceful shutdown or cancellation. Then nothing new is taken, requests and pushes that are under way
    /// end and their answers are recorded, and the store is closed.
    func run() async throws {
        await OpenFiles.prepare(for: composition.api.limits.connections, logger: logger)
        let readiness = composition.api.readiness
        composition.sns.address.listen(at: Self.address(host: host, port: port))
        do {
            try await withGracefulShutdownHandler {
                try await serve()
            } onGracefulShutdown: {
                readiness.beginShutdown()
            }
        } catch {
            await composition.close()
            throw failure(error)
        }
        await composition.close()
    }

    private func failure(_ error: any Error) -> any Error {
        if error is CommandFailure || error is Failure || error is CancellationError { return error }
        return CommandFailure.notStarted("The server cannot run on \(host):\(port)", error, ports: "--port 0")
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // All hear of the shutdown at once: a slow reader of an answer must not keep the pipeline at work.
            group.addTask {
                try await application.run()
                await tasks.areOver()
            }
            for service in composition.services { group.addTask { try await service.run() } }
            // The first that ends with an error, such as a port that is taken, ends the others.
            do {
                while try await group.next() != nil {}
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    private var application: some ApplicationProtocol {
        var quiet = logger
        quiet[metadataKey: "part"] = "http"
        let logger = quiet
        let router = composition.api.router(beside: composition.sns.paths + composition.console.paths)
        composition.sns.addRoutes(to: router)
        composition.console.addRoutes(to: router)
        let responder = router.buildResponder()
        return Application(
            responder: responder,
            server: .limitedHTTP1(
                composition.api.limits,
                proxies: composition.api.proxies,
                responder: responder,
                tasks: tasks,
                onEventLoop: MartletAPI.runsOnEventLoop
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                // Connections beyond those that the limits take in are taken all the same, to close slow ones for them.
                backlog: 1024
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? self.port
                composition.sns.address.listen(at: Self.address(host: host, port: port))
                await AcceptPause.add(to: channel, logger: logger)
                await onRunning(port)
            },
            logger: logger
        )
    }
}

extension Server: CustomStringConvertible {
    /// A word for the log, in place of everything that the server is made of.
    var description: String { "server" }
}

extension Server {
    /// How a server's address is written in a URL.
    static func address(host: String, port: Int) -> String {
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port)"
    }
}
