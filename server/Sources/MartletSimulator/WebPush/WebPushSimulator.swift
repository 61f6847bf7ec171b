package import Foundation
package import Logging
import MartletTransport
import NIOCore
import NIOPosix

/// A stand-in for the browsers' push services: TLS, HTTP/2 and 1.1, the checks of RFC 8030 and RFC 8292, each service's
/// own answers, scripted trouble, and two ways in for real browsers.
package final class WebPushSimulator: ControlledSimulator {
    /// Port of all services.
    package let port: Int
    /// Port of its own control API, when there is one.
    package let controlPort: Int?
    /// Port for Firefox, and for Chromium's check-in and registration.
    package let browserPort: Int
    /// Port for Chromium's messages.
    package let messagePort: Int
    /// The authority to trust, as PEM.
    package let authorityPEM: String

    let service: WebPushService
    private let host: String
    private let listener: SimulatorListener
    private let browsers: BrowserListener
    private let controlServer: ControlServer?
    private let group: MultiThreadedEventLoopGroup

    /// Binds and serves until `shutdown`.
    ///
    /// - Throws: what the system says of a port or a file.
    package static func start(
        _ configuration: WebPushSimulatorConfiguration = WebPushSimulatorConfiguration(),
        clock: SimulatorClock = .system,
        logger: Logger = Logger(label: "martlet.simulator.webpush") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> WebPushSimulator {
        let authority = try configuration.authority ?? SimulatorAuthority()
        let service = WebPushService(configuration, clock: clock)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        var listener: SimulatorListener?
        var browsers: BrowserListener?
        do {
            let tls = try configuration.certificate.serverTLS(
                authority: authority,
                authorityPath: configuration.authorityPath
            )
            let server = HTTP2ServerConfiguration(
                host: configuration.host,
                port: configuration.port,
                tls: tls,
                maxConcurrentStreams: configuration.maxConcurrentStreams
            )
            let started = try await service.scripted.listen(server, group: group, logger: logger, for: service)
            listener = started
            service.withRegistry { $0.ownOrigin = "https://\(configuration.host):\(started.port)" }
            let forBrowsers = try await BrowserListener.start(
                host: configuration.host,
                port: configuration.browserPort,
                messagePort: configuration.messagePort,
                tls: tls,
                service: service,
                group: group,
                logger: logger
            )
            browsers = forBrowsers
            var control: ControlServer?
            if let port = configuration.controlPort {
                control = try await ControlServer.start(
                    host: configuration.host,
                    port: port,
                    routes: [WebPushRoutes(service: service)],
                    logger: logger
                )
            }
            return WebPushSimulator(
                configuration.host,
                service,
                started,
                forBrowsers,
                control,
                group,
                authority.certificatePEM
            )
        } catch {
            await browsers?.shutdown()
            await listener?.shutdown()
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        _ host: String,
        _ service: WebPushService,
        _ listener: SimulatorListener,
        _ browsers: BrowserListener,
        _ control: ControlServer?,
        _ group: MultiThreadedEventLoopGroup,
        _ authorityPEM: String
    ) {
        self.host = host
        self.service = service
        self.listener = listener
        self.browsers = browsers
        self.controlServer = control
        self.group = group
        self.authorityPEM = authorityPEM
        port = listener.port
        controlPort = control?.port
        browserPort = browsers.port
        messagePort = browsers.messagePort
    }

    package var control: SimulatorControl { SimulatorControl(routes: WebPushRoutes(service: service)) }

    /// Where all services' pushes go: `https://host:port`.
    package var url: String { "https://\(host):\(port)" }

    /// The origins of the addresses that it stands in for, for a server that maps them here.
    package static var origins: [String] {
        PushServiceKind.allCases.compactMap(\.origin) + [WebPushRegistry.chromiumOrigin]
    }

    /// Closes all ports and connections and frees the threads.
    package func shutdown() async {
        await controlServer?.shutdown()
        await browsers.shutdown()
        await listener.shutdown()
        try? await group.shutdownGracefully()
    }
}

// What the control API does, for programs that hold the simulator itself.
extension WebPushSimulator {
    /// A new subscription of a simulated browser; `nil` when there are too many.
    ///
    /// - Parameter key: the application server's, as 65 bytes; `nil` for one that any key may use.
    package func subscribe(
        _ kind: PushServiceKind = .other,
        key: Data? = nil,
        sizeLimit: Int? = nil
    ) -> WebPushSubscriptionDocument? {
        service.subscribe(kind, key: key, sizeLimit: sizeLimit)
    }

    /// Ends a subscription: its pushes are answered 410.
    package func end(_ id: String) {
        _ = service.withRegistry { $0.set(.gone, of: id) }
    }

    /// What waits for a simulated browser, opened with its keys.
    package func messages(of id: String) -> [WebPushMessageDocument] {
        let now = service.scripted.clock.now()
        let items = service.lines.withMailbox(of: id) { $0.take(after: 0, limit: WebPushMailbox.limit, now: now) }
        return (items ?? []).map(WebPushMessageDocument.init)
    }

    /// Adds a rule after the others.
    package func add(_ rule: ServiceRule<WebPushRuleCondition>) {
        _ = service.scripted.withRules { $0.add(rule)?.id }
    }

    package func removeRules() {
        service.scripted.withRules { $0.removeAll() }
    }

    /// Received requests numbered above `after`, oldest first.
    package func received(after: Int = 0, limit: Int = 1_000) -> [ReceivedRequest] {
        service.scripted.withLog { $0.packed(after: after, count: limit) { _ in true } }.map(\.document)
    }

    package var receivedCounts: ReceivedCounts { service.scripted.withLog { $0.counts } }

    /// Takes no new connections.
    package func stopListening(_ mode: ListenerMode = .refuse) async {
        await listener.stop(mode)
    }

    /// Takes connections again.
    package func resumeListening() async throws {
        try await listener.start()
    }

    /// Resets all connections.
    package func abortConnections() {
        _ = service.scripted.connections.abort(nil)
    }

    /// Forgets requests, rules, acknowledgements and what waits; keeps subscriptions and browsers.
    package func reset() {
        service.reset()
    }
}

extension WebPushService {
    func subscribe(_ kind: PushServiceKind, key: Data?, sizeLimit: Int?) -> WebPushSubscriptionDocument? {
        let keys = UserAgentKeys()
        let subscription = withRegistry {
            $0.subscribe(kind, key: key, agent: .simulated(keys), sizeLimit: sizeLimit ?? PushCheck.sizeLimit)
        }
        if let subscription { _ = lines.open(subscription.id) }
        return subscription.map { WebPushSubscriptionDocument($0) }
    }
}
