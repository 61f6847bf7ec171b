import Foundation
import Logging
import MartletConsole
import MartletCore
import MartletHTTP
import MartletPipeline
import MartletProviders
import MartletSimulator
import MartletWire
import ServiceLifecycle

/// A server and simulated providers in this process, for as long as a story takes.
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
    /// The simulated providers.
    let simulators: DemoSimulators
    /// The browser that takes part.
    let browser: DemoBrowserChoice
    /// Those who may open the console.
    let operators: OperatorService
    /// What runs until a signal ends it; `nil` where all ends with the story.
    let lasting: ServiceGroup?

    /// The simulated APNs.
    var apns: APNsSimulator { simulators.apns }
    /// Where pushes go.
    var apnsURL: String { "https://127.0.0.1:\(apns.port)" }
    /// Where the simulator is asked and told.
    var controlURL: String { simulators.controlURL }

    /// Makes the link by which the console's first operator comes in, once.
    func consoleLink() async throws -> String {
        guard let made = try await operators.inviteFirst() else { return address + "/console" }
        return address + InvitationResponse.path(of: made.token)
    }

    /// Starts all, lets the story happen, and ends all; `keeps` waits for a signal before that.
    static func run<Result: Sendable>(
        ports: Ports,
        keeps: Bool,
        withBrowser: Bool,
        story: @Sendable (DemoWorld) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let browser = await DemoBrowserChoice(isWanted: withBrowser)
        let outcome: Swift.Result<Result, any Error>
        do {
            let simulators = try await DemoSimulators.start(ports, hasBrowser: browser.site != nil)
            do {
                let result = try await withServer(
                    in: folder.path,
                    port: ports.server,
                    simulators: simulators,
                    browser: browser,
                    keeps: keeps,
                    story: story
                )
                outcome = .success(result)
            } catch {
                outcome = .failure(error)
            }
            await simulators.shutdown()
        } catch {
            outcome = .failure(error)
        }
        await browser.site?.shutdown()
        return try outcome.get()
    }

    private static func withServer<Result: Sendable>(
        in folder: String,
        port: Int,
        simulators: DemoSimulators,
        browser: DemoBrowserChoice,
        keeps: Bool,
        story: @Sendable (DemoWorld) async throws -> Result
    ) async throws -> Result {
        let logger = Logger(label: "martlet")
        let flags = ["data": folder, "port": String(port), "encryptionKey": DataFolder.newEncryptionKey()]
        var settings = try ServeSettings(try await Settings(flags: flags, environment: [:]))
        settings.console.simulator = simulators.controlURL
        if let site = browser.site, let webPush = simulators.webPush {
            settings.api.webOrigins.insert(site.origin)
            for origin in WebPushSimulator.origins {
                settings.webPush.origins[origin] = try WebPushOrigin(url: webPush.url, trust: webPush.authorityPEM)
            }
        }
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
                simulators: simulators,
                browser: browser,
                operators: composition.operators,
                lasting: keeps ? group : nil
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
