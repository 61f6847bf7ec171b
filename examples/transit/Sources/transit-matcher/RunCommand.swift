import ArgumentParser
import Foundation
import Transit

/// `transit-matcher run`.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the backend.",
        discussion: """
            MARTLET_API_KEY is a key of scope 'send'; MARTLET_SERVER is Martlet's address, by default \
            http://127.0.0.1:8080; APNS_BUNDLE_ID names the app at Martlet, where the key is bound to none.

            It can be ended at any moment: what it has begun is in --state, and goes on at the next start.
            """
    )

    @Option(help: "The address of the agency's GTFS-Realtime alerts.")
    var feed: String
    @Option(help: "The riders with their favourites: a JSON object a line; read again when it changes.")
    var riders: String
    @Option(help: "The network, as JSON.")
    var network: String
    @Option(help: "The file of the backend's state; made where there is none.")
    var state = "transit.state"
    @Option(help: "Seconds between two fetches.")
    var every = 1.0
    @Option(help: "Seconds for one fetch.")
    var deadline = 10.0
    @Option(help: "How old a feed may be, in seconds of the city's clock.")
    var maximumAge = 900
    @Option(help: "Seconds before a push that failed is tried again.")
    var retryDelay = 10
    @Option(help: "Seconds before a push that APNs answered with a 429 is tried again.")
    var rateLimitedDelay = 60
    @Option(help: ArgumentHelp("A clock that runs faster, for a simulated week.", valueName: "BEGAN/FROM/SPEED"))
    var clock: String?

    func validate() throws {
        guard Self.address(feed) != nil else {
            throw ValidationError("--feed is '\(feed)', and no address such as https://agency.example/alerts.pb.")
        }
        guard clock == nil || TransitClock.Simulation(clock ?? "") != nil else {
            throw ValidationError("--clock is BEGAN/FROM/SPEED.")
        }
        guard every > 0, deadline > 0 else { throw ValidationError("--every and --deadline are more than 0.") }
        // Martlet's own bounds of a request's `retry`.
        guard (0...600).contains(retryDelay), (0...21_600).contains(rateLimitedDelay), maximumAge > 0 else {
            throw ValidationError(
                "--retry-delay is up to 600, --rate-limited-delay up to 21600, and --maximum-age more than 0."
            )
        }
    }

    private static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
            return nil
        }
        return url
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let key = environment["MARTLET_API_KEY"], !key.isEmpty else {
            throw ValidationError(
                "MARTLET_API_KEY is missing; 'martlet keys create --scope send --app APP --name matcher' makes one."
            )
        }
        let name = environment["MARTLET_SERVER"] ?? "http://127.0.0.1:8080"
        guard let server = Self.address(name), let feed = Self.address(feed) else {
            throw ValidationError("MARTLET_SERVER is '\(name)', and no address such as http://127.0.0.1:8080.")
        }
        let clock = clock.flatMap(TransitClock.Simulation.init).map { TransitClock.simulated($0) } ?? .system
        let log = BackendLog.standard(clock: clock)
        let app = environment["APNS_BUNDLE_ID"].flatMap { $0.isEmpty ? nil : $0 }
        let martlet = MartletClient(server: server, key: key)
        let run = BackendRun(try backend(clock, log, app: app), messenger: martlet, timing: timing)
        // Beside what runs: a server that is down stops nothing.
        async let check: Void = log.line(await martlet.check(app: app))
        try await run.run(feed: feed, riders: riders)
        await check
    }

    private var timing: BackendRun.Timing {
        var timing = BackendRun.Timing()
        timing.interval = every
        timing.deadline = deadline
        return timing
    }

    private func backend(_ clock: TransitClock, _ log: BackendLog, app: String?) throws -> Backend {
        let network = try NetworkFile.read(network)
        let file = try StateFile(path: state)
        let waiting = file.ledger.pending.count
        log.line("State \(state): \(file.ledger.alerts.count) alerts, \(waiting) requests to go on with.")
        if file.tornBytes > 0 { log.line("State \(state): a torn end of \(file.tornBytes) bytes was cut off.") }
        var settings = SendSettings()
        settings.app = app
        settings.minimumDelay = retryDelay
        settings.rateLimitedDelay = rateLimitedDelay
        var admission = FeedAdmission(last: file.ledger.feedMade)
        admission.maximumAge = maximumAge
        return try Backend(
            state: file,
            network: network,
            settings: settings,
            admission: admission,
            clock: clock,
            log: log
        )
    }
}
