package import Logging
import MartletTransport
import NIOCore
import NIOPosix

/// A stand-in for Firebase Cloud Messaging: TLS, HTTP/2 and 1.1, Google's token endpoint, checks and errors, and scripted
/// trouble.
package final class FCMSimulator: ControlledSimulator {
    /// Port of the token endpoint and of `messages:send`.
    package let port: Int
    /// Port of its own control API, when there is one.
    package let controlPort: Int?
    /// The authority to trust, as PEM.
    package let authorityPEM: String

    let service: FCMService
    private let host: String
    private let listener: SimulatorListener
    private let controlServer: ControlServer?
    private let group: MultiThreadedEventLoopGroup

    /// Binds and serves until `shutdown`.
    ///
    /// - Throws: what the system says of a port or a file.
    package static func start(
        _ configuration: FCMSimulatorConfiguration = FCMSimulatorConfiguration(),
        clock: SimulatorClock = .system,
        logger: Logger = Logger(label: "martlet.simulator.fcm") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> FCMSimulator {
        let authority = try configuration.authority ?? SimulatorAuthority()
        let service = FCMService(configuration, keys: try FCMKeyPair(), clock: clock)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        var listener: SimulatorListener?
        do {
            let server = HTTP2ServerConfiguration(
                host: configuration.host,
                port: configuration.port,
                tls: try configuration.certificate.serverTLS(
                    authority: authority,
                    authorityPath: configuration.authorityPath
                ),
                maxConcurrentStreams: configuration.maxConcurrentStreams
            )
            let started = try await service.scripted.listen(server, group: group, logger: logger, for: service)
            listener = started
            service.tokenURL = "https://\(configuration.host):\(started.port)/token"
            var control: ControlServer?
            if let port = configuration.controlPort {
                control = try await ControlServer.start(
                    host: configuration.host,
                    port: port,
                    routes: [FCMRoutes(service: service)],
                    logger: logger
                )
            }
            return FCMSimulator(configuration.host, service, started, control, group, authority.certificatePEM)
        } catch {
            await listener?.shutdown()
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        _ host: String,
        _ service: FCMService,
        _ listener: SimulatorListener,
        _ control: ControlServer?,
        _ group: MultiThreadedEventLoopGroup,
        _ authorityPEM: String
    ) {
        self.host = host
        self.service = service
        self.listener = listener
        self.controlServer = control
        self.group = group
        self.authorityPEM = authorityPEM
        port = listener.port
        controlPort = control?.port
    }

    package var control: SimulatorControl { SimulatorControl(routes: FCMRoutes(service: service)) }

    /// Where messages go: `https://host:port`.
    package var url: String { "https://\(host):\(port)" }

    /// Closes all ports and connections and frees the threads.
    package func shutdown() async {
        await controlServer?.shutdown()
        await listener.shutdown()
        try? await group.shutdownGracefully()
    }
}

// What the control API does, for programs that hold the simulator itself.
extension FCMSimulator {
    /// A new service account of the project, which is made when it is new.
    package func makeAccount(project: String) -> ServiceAccountFile {
        service.makeAccount(project: project)
    }

    /// Makes a token or FID known, or changes what is known of it.
    package func register(_ device: FCMDevice) {
        service.withRegistry { $0.register(device) }
    }

    /// A new token for a phone that reads its messages; `nil` when there are too many.
    package func openDevice(project: String, platform: FCMDevice.Platform = .android) -> String? {
        service.openDevice(FCMRegistry.newToken(), project: project, platform: platform)
    }

    /// What waits for such a phone.
    package func messages(of token: String) -> [FCMDeviceMessage] {
        let now = service.scripted.clock.now()
        let items = service.devices.withMailbox(of: token) { $0.take(after: 0, limit: FCMMailbox.limit, now: now) }
        return (items ?? []).map(FCMDeviceMessage.init)
    }

    /// Adds a rule after the others.
    package func add(_ rule: ServiceRule<FCMRuleCondition>) {
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

    /// All access tokens are expired from now on.
    package func expireAccessTokens() {
        service.withRegistry { $0.expireAccess() }
    }

    /// The account's grants are refused, or taken again.
    package func revoke(_ email: String, isRevoked: Bool = true) {
        _ = service.withRegistry { $0.revoke(email, isRevoked: isRevoked) }
    }

    /// How far Google's clock is ahead of this machine's.
    package func setClockSkew(seconds: Int) {
        service.withRegistry { $0.clockSkew = Int64(seconds) }
    }

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

    /// Forgets requests, rules, access tokens and what waits for phones; keeps projects, accounts and devices.
    package func reset() {
        service.reset()
    }
}

extension FCMService {
    /// Makes a token or FID known and keeps its messages; `nil` when there are too many.
    func openDevice(_ token: String, project: String, platform: FCMDevice.Platform) -> String? {
        guard devices.open(token) else { return nil }
        withRegistry { registry in
            registry.register(project: project)
            registry.register(FCMDevice(token: token, project: project, platform: platform))
        }
        return token
    }

    func makeAccount(project: String) -> ServiceAccountFile {
        let account = FCMAccount(
            email: "martlet-\(FCMRegistry.randomText(count: 8).lowercased())@\(project).iam.gserviceaccount.com",
            project: project,
            keyID: AnswerID.make().replacing("-", with: ""),
            publicKey: keys.publicKey
        )
        withRegistry { $0.register(account) }
        return ServiceAccountFile(
            projectID: project,
            privateKeyID: account.keyID,
            privateKey: keys.privatePEM + "\n",
            clientEmail: account.email,
            clientID: "100000000000000000001",
            tokenURI: tokenURL
        )
    }
}
