import Foundation
package import Logging
import MartletTransport
import NIOCore
import NIOPosix
import NIOSSL

/// A stand-in for Apple's push service: TLS, HTTP/2, Apple's checks and answers, and scripted trouble.
///
/// What it received and how it behaves is controlled by the methods here and, the same, over HTTP at `controlPort`.
package final class APNsSimulator: Sendable {
    /// Port of the APNs.
    package let port: Int
    /// Port that stands in for the sandbox, when one was asked for.
    package let sandboxPort: Int?
    /// Port of the control API (plain HTTP).
    package let controlPort: Int
    /// The authority to trust, as PEM; `nil` when the certificate came from files.
    package let authorityPEM: String?
    /// Signs push certificates that the simulator takes for Apple's.
    package let authority: SimulatorAuthority

    let service: SimulatedService
    private let listeners: [SimulatorListener]
    private let control: ControlServer
    private let group: MultiThreadedEventLoopGroup

    /// Binds all ports and serves until `shutdown`.
    ///
    /// - Throws: `SimulatorError` for a setting that cannot be used, else what the system says of a port or file.
    package static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: SimulatorClock = .system,
        logger: Logger = Logger(label: "martlet.simulator") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> APNsSimulator {
        try await start(configuration, clock: clock, logger: logger, beside: [])
    }

    /// Binds all ports and serves until `shutdown`.
    ///
    /// - Parameter others: simulators that the control API controls too; they are not shut down with this one.
    /// - Throws: `SimulatorError` for a setting that cannot be used, else what the system says of a port or file.
    package static func start(
        _ configuration: APNsSimulatorConfiguration,
        clock: SimulatorClock = .system,
        logger: Logger,
        beside others: [any ControlledSimulator]
    ) async throws -> APNsSimulator {
        let authority = try configuration.authority ?? SimulatorAuthority()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.threads))
        var listeners: [SimulatorListener] = []
        do {
            let server = try serverConfiguration(configuration, authority: authority)
            let trust = try CertificateTrust(pem: [authority.certificatePEM] + configuration.clientAuthorities)
            let service = SimulatedService(configuration, trust: trust, clock: clock)
            var ports = [(configuration.environment, configuration.port)]
            if let port = configuration.sandboxPort { ports.append((.sandbox, port)) }
            for (environment, port) in ports {
                var server = server
                server.port = port
                let listener = try await SimulatorListener.start(server, group: group, logger: logger) {
                    APNsConnection($0, environment: environment, service: service)
                }
                listeners.append(listener)
                service.add(listener, for: environment)
            }
            let control = try await ControlServer.start(
                host: configuration.host,
                port: configuration.controlPort,
                routes: [ControlRoutes(service: service)] + others.map(\.controlRoutes),
                logger: logger
            )
            return APNsSimulator(
                configuration,
                authority: authority,
                service: service,
                listeners: listeners,
                control: control,
                group: group
            )
        } catch {
            for listener in listeners { await listener.shutdown() }
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        _ configuration: APNsSimulatorConfiguration,
        authority: SimulatorAuthority,
        service: SimulatedService,
        listeners: [SimulatorListener],
        control: ControlServer,
        group: MultiThreadedEventLoopGroup
    ) {
        port = listeners[0].port
        sandboxPort = listeners.count > 1 ? listeners[1].port : nil
        controlPort = control.port
        if case .selfMade = configuration.certificate {
            authorityPEM = authority.certificatePEM
        } else {
            authorityPEM = nil
        }
        self.authority = authority
        self.service = service
        self.listeners = listeners
        self.control = control
        self.group = group
    }

    /// Closes all ports and connections and frees the threads.
    package func shutdown() async {
        await control.shutdown()
        for listener in listeners { await listener.shutdown() }
        try? await group.shutdownGracefully()
    }

    private static func serverConfiguration(
        _ configuration: APNsSimulatorConfiguration,
        authority: SimulatorAuthority
    ) throws -> HTTP2ServerConfiguration {
        // Apple: HTTP/2 over TLS 1.2 or later.
        let tls = try configuration.certificate.serverTLS(
            authority: authority,
            authorityPath: configuration.authorityPath
        )
        return HTTP2ServerConfiguration(
            host: configuration.host,
            tls: tls,
            clientCertificates: .optionalUnverified,
            maxConcurrentStreams: configuration.streamsBeforeAuthentication,
            maxBodyBytes: PackedPush.payloadLimit,
            connectionWindowSize: configuration.connectionWindow
        )
    }
}
