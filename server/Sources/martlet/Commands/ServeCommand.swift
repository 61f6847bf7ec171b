import ArgumentParser
import Logging
import MartletCore
import MartletPipeline
import ServiceLifecycle

/// `martlet serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the server.",
        discussion: """
            The first start makes the database and an admin key, which it writes to admin.key in the data directory. \
            Credentials are sealed with MARTLET_ENCRYPTION_KEY (openssl rand -base64 32); without it a key is made in \
            the data directory.

            SIGTERM and SIGINT end it: nothing new is taken, answers that are on their way are recorded, and it is gone \
            within ten seconds. A second signal ends it at once; nothing that was accepted is lost either way.

            Further settings, in the YAML file or as MARTLET_… variables: batches, batchesPerQueue, privateHosts, \
            those of Web Push (webpush.hosts, .origins, .trust) and of sites (web.origins), those of the SNS interface \
            (sns.region, .account, .publicURL, .apnsURL, .apnsTrust), of FCM (fcm.requestTimeout, .rate, .url, .trust, \
            .tokenHosts), and in days retention.notifications, .claims, .removedEndpoints, .deadLetters, .staleEndpoints, \
            .pendingSubscriptions, .preferenceChanges.

            Examples:
              martlet serve --data /var/lib/martlet --port 8080
              martlet serve --data /var/lib/martlet --database postgres://martlet@db/martlet
              MARTLET_LOG_FORMAT=json martlet serve --config /etc/martlet.yaml
            """
    )

    @Option(help: "The directory of the database and the keys (MARTLET_DATA). Default: data")
    var data: String?
    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database (MARTLET_DATABASE). Default: SQLite, in the data directory",
            discussion: "Other users of the machine can see flags: a password belongs into the variable.",
            valueName: "postgres://…"
        )
    )
    var database: String?
    @Option(help: "The address to listen on (MARTLET_HOST). Default: 127.0.0.1")
    var host: String?
    @Option(help: "The port to listen on, 0 for a free one (MARTLET_PORT). Default: 8080")
    var port: Int?
    @Option(
        help: ArgumentHelp(
            "The origins of the sites whose pages may call the server, with commas between them (MARTLET_WEB_ORIGINS).",
            valueName: "https://…"
        )
    )
    var webOrigins: String?
    @Option(help: "Hosts of UnifiedPush servers and push services of your own, with commas (MARTLET_WEBPUSH_HOSTS).")
    var webpushHosts: String?
    @Option(
        help: ArgumentHelp(
            "Origins of push services that are reached elsewhere, such as a simulator's (MARTLET_WEBPUSH_ORIGINS).",
            valueName: "origin=https://…"
        )
    )
    var webpushOrigins: String?
    @Option(help: "A PEM file with the certificates to trust there (MARTLET_WEBPUSH_TRUST).")
    var webpushTrust: String?
    @Flag(help: "Go on where the database's log is missing: what was accepted last may be lost.")
    var acceptLoss = false
    @OptionGroup var logging: LogOptions

    func run() async throws {
        let settings = try await logging.settings(
            [
                "data": data, "database": database, "host": host, "port": port.map(String.init),
                "web.origins": webOrigins, "webpush.hosts": webpushHosts, "webpush.origins": webpushOrigins,
                "webpush.trust": webpushTrust,
            ]
        )
        let log = try LogSettings(settings)
        let serve = try ServeSettings(settings, acceptsLoss: acceptLoss)
        LogFormat.bootstrap(level: log.level, format: log.format)
        let logger = Logger(label: "martlet")
        let composition = try await Composition.open(serve, logger: logger)
        let server = Server(composition: composition, host: serve.host, port: serve.port, logger: logger) { port in
            let address = Server.address(host: serve.host, port: port)
            Output(isJSON: false).lines(["Martlet is listening on \(address)"])
            await Self.inviteFirst(composition.operators, address: address, logger: logger)
            logger.notice(
                "listening",
                metadata: [
                    "address": "\(address)", "data": "\(serve.data.path)", "database": "\(serve.database.shown)",
                ]
            )
        }
        let group = ServiceGroup(services: [server], logger: logger)
        await ShutdownSignals.end(group, logger: logger)
        try await group.run()
    }

    /// Says how to open the console, as long as nobody can.
    private static func inviteFirst(_ operators: OperatorService, address: String, logger: Logger) async {
        do {
            guard let made = try await operators.inviteFirst() else { return }
            Output(isJSON: false).lines([
                "The console's first operator, within 15 minutes: \(address)/console/invitations/\(made.token)"
            ])
        } catch {
            logger.error("no invitation to the console could be made", metadata: ["error": "\(error)"])
        }
    }
}
