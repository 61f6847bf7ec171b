import Foundation
import Logging
import MartletSimulator
import ServiceLifecycle

/// A server and a simulated APNs in this process, for as long as a story takes.
struct DemoWorld: Sendable {
    /// The ports to listen on; 0 is a free one.
    struct Ports: Sendable {
        var server: Int
        var apns: Int
        var control: Int
    }

    /// The server's address.
    let address: String
    /// The first admin key.
    let adminKey: String
    /// Where it was written.
    let adminKeyPath: String
    /// A folder that is gone afterwards.
    let folder: URL
    /// The simulated APNs.
    let apns: APNsSimulator

    /// Where pushes go.
    var apnsURL: String { "https://127.0.0.1:\(apns.port)" }
    /// Where the simulator is asked and told.
    var controlURL: String { "http://127.0.0.1:\(apns.controlPort)" }

    /// Starts both, lets the story happen, and ends both; `keeps` waits for a signal before that.
    static func run<Result: Sendable>(
        ports: Ports,
        keeps: Bool,
        story: @Sendable (DemoWorld) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = APNsSimulatorConfiguration(port: ports.apns, controlPort: ports.control)
        configuration.knownTokensOnly = true
        let apns = try await start(configuration)
        do {
            let result = try await withServer(
                in: folder.path,
                port: ports.server,
                apns: apns,
                keeps: keeps,
                story: story
            )
            await apns.shutdown()
            return result
        } catch {
            await apns.shutdown()
            throw error
        }
    }

    private static func start(_ configuration: APNsSimulatorConfiguration) async throws -> APNsSimulator {
        do {
            return try await APNsSimulator.start(configuration, logger: Logger(label: "martlet.simulator"))
        } catch {
            throw CommandFailure("The simulator cannot start: \(error)", hint: "Is a port in use?", status: .failed)
        }
    }

    private static func withServer<Result: Sendable>(
        in folder: String,
        port: Int,
        apns: APNsSimulator,
        keeps: Bool,
        story: @Sendable (DemoWorld) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "martlet")
        let flags = ["data": folder, "port": String(port), "encryptionKey": DataFolder.newEncryptionKey()]
        let settings = try ServeSettings(try await Settings(flags: flags, environment: [:]))
        let composition = try await Composition.open(settings, logger: logger)
        let (running, announce) = AsyncStream.makeStream(of: Int.self)
        let server = Server(composition: composition, host: settings.host, port: port, logger: logger) { port in
            announce.yield(port)
        }
        let group = ServiceGroup(services: [server], logger: logger)
        if keeps { await ShutdownSignals.end(group, logger: logger) }
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { announce.finish() }
                try await group.run()
            }
            guard let port = await running.first(where: { _ in true }) else {
                // It ended before it listened: its error says why.
                try await tasks.next()
                throw CommandFailure("The server ended before it listened.", status: .failed)
            }
            let path = settings.data.adminKey
            let world = DemoWorld(
                address: Server.address(host: settings.host, port: port),
                adminKey: try DataFolder.read(path) ?? "",
                adminKeyPath: path,
                folder: URL(filePath: folder, directoryHint: .isDirectory),
                apns: apns
            )
            let result: Result
            do {
                result = try await story(world)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            if !keeps { await group.triggerGracefulShutdown() }
            try await tasks.next()
            return result
        }
    }
}
