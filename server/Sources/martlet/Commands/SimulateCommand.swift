import ArgumentParser
import Crypto
import Foundation
import Logging
import MartletSimulator
import ServiceLifecycle

/// `martlet simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Stands in for APNs, FCM and the browsers' push services: checks and answers as they do.",
        discussion: """
            Pushes go to --port over TLS and HTTP/2; --control-port takes JSON over HTTP: what was received, scripted \
            behaviour, keys, apps and device tokens. It knows no signing key until one is registered there, given here \
            with --p8, --key-id and --team-id, or made here with --new-key. A client certificate is made with \
            --new-certificate; openssl makes a .p12 of it.

            With --fcm there is an FCM too, with a service account whose file is written here, and with --webpush the push \
            services of Google, Mozilla, Microsoft, Apple and others, all on one port. Their control interface is \
            --control-port's, below /fcm and /webpush.

            Examples:
              martlet simulate --topic com.example.app --new-key simulator.p8
              martlet simulate --topic com.example.app --p8 AuthKey.p8 --key-id ABC123DEFG --team-id TEAM123456
              martlet simulate --topic com.example.app --new-certificate push.pem
              martlet simulate --port 9443 --control-port 9444 --known-tokens-only
              martlet simulate --fcm --project shop-demo --service-account shop.json
              martlet simulate --webpush --webpush-port 9446
            """
    )

    @Option(help: "The port for pushes, 0 for a free one.")
    var port = 9443
    @Option(help: "The port for the control interface, 0 for a free one.")
    var controlPort = 9444
    @Option(help: "A second port, for the sandbox; without it there is only one environment.")
    var sandboxPort: Int?
    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"
    @Option(help: "Where to write the certificate that clients must trust.")
    var ca = "simulator-ca.pem"
    @Option(help: "An app's bundle id, known from the start.")
    var topic: String?
    @Option(help: "A signing key, known from the start.")
    var p8: String?
    @Option(help: "Where to write a new signing key, in place of --p8.")
    var newKey: String?
    @Option(help: "Where to write a new push certificate for the topic, with its key: PEM.")
    var newCertificate: String?
    @Option(help: "The signing key's id.")
    var keyID: String?
    @Option(help: "Its team's id.")
    var teamID: String?
    @Flag(help: "Accept only registered device tokens; others are BadDeviceToken.")
    var knownTokensOnly = false
    @Option(help: "The least number of seconds between a key's tokens on a connection; Apple's is 1200.")
    var tokenInterval = 1_200
    @Flag(help: "Count a key's new tokens over all connections, not per connection.")
    var tokensAcrossConnections = false
    @Flag(help: "Accept provider tokens of any age, also of the future: for a server whose clock is changed.")
    var anyTokenTime = false
    @Option(help: "How many streams a connection may open, once it has sent a valid provider token.")
    var maxStreams = 1_000
    @Option(help: "The flow-control window of a connection, in bytes.")
    var connectionWindow = 16 * 1024 * 1024
    @OptionGroup var others: OtherSimulatorOptions
    @OptionGroup var logging: LogOptions

    mutating func validate() throws {
        for port in [port, controlPort, sandboxPort ?? 0] + others.ports where !(0...65_535).contains(port) {
            throw ValidationError("A port is from 0 to 65535.")
        }
        guard (1...1_000_000).contains(maxStreams) else {
            throw ValidationError("--max-streams is from 1 to 1000000.")
        }
        guard (65_535...Int(Int32.max)).contains(connectionWindow) else {
            throw ValidationError("--connection-window is from 65535 to 2147483647.")
        }
        guard p8 == nil || newKey == nil else { throw ValidationError("Give either --p8 or --new-key.") }
        guard p8 == nil || (keyID != nil && teamID != nil) else {
            throw ValidationError("--p8 needs --key-id and --team-id.")
        }
        guard (topic != nil) == (p8 != nil || newKey != nil || newCertificate != nil) else {
            throw ValidationError(
                "--topic and a signing key (--p8 or --new-key) or a certificate (--new-certificate) belong together."
            )
        }
    }

    func run() async throws {
        let log = try LogSettings(try await logging.settings([:]))
        LogFormat.bootstrap(level: log.level, format: log.format)
        let logger = Logger(label: "martlet.simulator")
        await OpenFiles.takeTimers()
        let simulator: APNsSimulator
        let running: OtherSimulators
        do {
            let authority = try SimulatorAuthority()
            running = try await others.start(host: host, authority: authority, logger: logger)
            let madeKey = newKey.map { _ in P256.Signing.PrivateKey().pemRepresentation }
            var configuration = try configuration(madeKey: madeKey)
            configuration.authority = authority
            simulator = try await APNsSimulator.start(configuration, logger: logger, beside: running.controls)
            // Not before it has its ports: another simulator may be using these files.
            try DataFolder.write(authority.certificatePEM, to: ca, mode: 0o644)
            if let newKey, let madeKey { try DataFolder.write(secret: madeKey, to: newKey) }
        } catch let error as SimulatorError {
            throw CommandFailure("\(error)")
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure.notStarted("The simulator cannot start", error, ports: "--port 0, --control-port 0, …")
        }
        if let topic, let newCertificate {
            let pair = try simulator.authority.pushCertificate(topics: [topic])
            try DataFolder.write(secret: pair.certificatePEM + "\n" + pair.keyPEM + "\n", to: newCertificate)
        }
        let group = ServiceGroup(services: [SimulatorService(simulator: simulator, others: running)], logger: logger)
        await ShutdownSignals.end(group, logger: logger)
        Output(isJSON: false).lines(instructions(simulator) + running.instructions(trust: ca))
        try await group.run()
    }

    private func configuration(madeKey: String?) throws -> APNsSimulatorConfiguration {
        var configuration = APNsSimulatorConfiguration(port: port, controlPort: controlPort)
        configuration.host = host
        configuration.sandboxPort = sandboxPort
        configuration.knownTokensOnly = knownTokensOnly
        configuration.maxConcurrentStreams = maxStreams
        configuration.connectionWindow = connectionWindow
        configuration.checksTokenTimes = !anyTokenTime
        configuration.minimumTokenInterval = .seconds(max(0, tokenInterval))
        configuration.countsTokenUpdatesAcrossConnections = tokensAcrossConnections
        if let topic {
            let pem = try madeKey ?? p8.map { try InputFile.text($0) } ?? ""
            let team = teamID ?? Self.madeID
            if !pem.isEmpty {
                configuration.keys = [try SimulatorKey(keyID: keyID ?? Self.madeID, teamID: team, pem: pem)]
            }
            configuration.apps = [try SimulatorApp(topic: topic, teamID: team)]
        }
        return configuration
    }

    /// The key and team id of a key that is made here; Apple's have ten characters too.
    private static let madeID = "SIMULATED1"

    private func instructions(_ simulator: APNsSimulator) -> [String] {
        let control = "http://\(host):\(simulator.controlPort)"
        var lines = [
            "A simulated APNs is listening on https://\(host):\(simulator.port), its control interface on \(control)"
        ]
        if let port = simulator.sandboxPort { lines.append("The sandbox is https://\(host):\(port)") }
        lines.append("Clients trust it with \(ca). A server sends here when an app's credential names it:")
        if newKey != nil || p8 != nil || newCertificate == nil {
            lines.append(
                "  martlet apps credentials set \(topic ?? "APP") --p8 \(newKey ?? p8 ?? "KEY.p8")"
                    + " --key-id \(keyID ?? Self.madeID) --team-id \(teamID ?? Self.madeID) \\"
            )
        } else if let newCertificate {
            lines.append("  openssl pkcs12 -export -passout pass: -in \(newCertificate) -out push.p12")
            lines.append("  martlet apps credentials set \(topic ?? "APP") --p12 push.p12 \\")
        }
        return lines + [
            "    --apns-url https://\(host):\(simulator.port) --apns-trust \(ca)",
            "What it received: curl \(control)/received",
        ]
    }
}

/// The simulator as a service that runs until it is told to stop.
struct SimulatorService: Service, CustomStringConvertible {
    let simulator: APNsSimulator
    var others = OtherSimulators()
    let description = "simulator"

    func run() async throws {
        try? await gracefulShutdown()
        await simulator.shutdown()
        await others.shutdown()
    }
}
