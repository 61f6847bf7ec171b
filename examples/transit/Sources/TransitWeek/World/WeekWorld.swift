import Foundation
import Synchronization
import Transit
import TransitCity

/// The programs of the week: Martlet, the simulated APNs, the agency's server and the matcher.
final class WeekWorld: Sendable {
    let options: WeekOptions
    let city: City
    let week: CityWeek
    let server: RunningProgram
    let apns: RunningProgram
    let feed: RunningProgram
    let matcher: RunningProgram
    let bundleID: String
    let tokens: RiderToken

    /// What is known only when they run.
    let arguments = WeekArguments()
    static let secret = "a secret that only the identity provider and Martlet have"
    static let issuer = "https://login.sydneytransit.example"

    init(_ options: WeekOptions) {
        self.options = options
        let city = City(seed: options.seed, size: .week(riders: options.riders))
        self.city = city
        week = CityWeek(seed: options.seed, city: city, alerts: options.alerts, days: options.days)
        bundleID = ProcessInfo.processInfo.environment["APNS_BUNDLE_ID"] ?? "com.sydneytransit.app"
        tokens = RiderToken(secret: Self.secret, issuer: Self.issuer, audience: bundleID)
        let folder = options.folder, bundle = bundleID
        let box = arguments
        apns = RunningProgram("martlet simulate", executable: options.martlet, log: "\(folder)/simulate.log") {
            [
                "simulate", "--port", "0", "--control-port", "0", "--topic", bundle, "--known-tokens-only",
                "--ca", "\(folder)/ca.pem",
            ] + box.signing(folder)
        }
        server = RunningProgram("martlet serve", executable: options.martlet, log: "\(folder)/serve.log") {
            ["serve", "--data", "\(folder)/martlet", "--port", box.get("port", else: "0")]
        }
        feed = RunningProgram("transit-feed", executable: "\(options.programs)/transit-feed", log: "\(folder)/feed.log")
        {
            [
                "--port", "0", "--seed", "\(options.seed)", "--riders", "\(options.riders)", "--alerts",
                "\(options.alerts)", "--days", "\(options.days)", "--clock", box.get("clock"),
            ]
        }
        matcher = RunningProgram(
            "transit-matcher",
            executable: "\(options.programs)/transit-matcher",
            environment: ["APNS_BUNDLE_ID": bundle],
            log: "\(folder)/matcher.log"
        ) {
            [
                "run", "--feed", box.get("feed"), "--riders", "\(folder)/riders.jsonl", "--network",
                "\(folder)/network.json", "--state", "\(folder)/matcher.state", "--every", "0.25", "--deadline", "1",
                "--maximum-age", "86400", "--retry-delay", "1", "--rate-limited-delay", "1",
                "--clock", box.get("clock"),
            ]
        }
    }

    var serverURL: String { arguments.get("server") }
    var controlURL: String { arguments.get("control") }
    var clock: TransitClock.Simulation? { TransitClock.Simulation(arguments.get("clock")) }
}

/// What the programs are told that is known only when others run.
final class WeekArguments: Sendable {
    private let values = Mutex<[String: String]>([:])

    func set(_ name: String, _ value: String) { values.withLock { $0[name] = value } }

    func get(_ name: String, else other: String = "") -> String { values.withLock { $0[name] } ?? other }

    /// The seed's own signing key where there is one, otherwise a new one.
    func signing(_ folder: String) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["APNS_PRIVATE_KEY_PATH"], let key = environment["APNS_KEY_ID"],
            let team = environment["APNS_TEAM_ID"]
        {
            return ["--p8", path, "--key-id", key, "--team-id", team]
        }
        return ["--new-key", "\(folder)/apns.p8"]
    }
}
