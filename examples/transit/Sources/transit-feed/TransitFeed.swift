import ArgumentParser
import Foundation
import Synchronization
import Transit
import TransitCity

/// `transit-feed`: an agency's server that plays a week of a made-up city.
@main
struct TransitFeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit-feed",
        abstract: "Serves a week of a made-up city's service alerts as GTFS-Realtime, with every fault of a feed once."
    )

    @Option(help: "The port to listen on, 0 for a free one.")
    var port: UInt16 = 9_500
    @Option(help: "What the week is made from; the same number makes the same week.")
    var seed: UInt64 = 1
    @Option(help: "How many riders the city has, which changes what is drawn after them.")
    var riders = 60
    @Option(help: "How many alerts the week has.")
    var alerts = 60
    @Option(help: "How many of the week's days, the last ones.")
    var days = 7
    @Option(
        help: ArgumentHelp(
            "A clock that runs faster. Default: the week from now on, in --seconds",
            valueName: "BEGAN/FROM/SPEED"
        )
    )
    var clock: String?
    @Option(help: "How many seconds the week takes where there is no --clock.")
    var seconds = 120.0
    @Option(help: "A folder to write riders.jsonl and network.json of the city into.")
    var files: String?

    func validate() throws {
        guard clock == nil || TransitClock.Simulation(clock ?? "") != nil else {
            throw ValidationError("--clock is BEGAN/FROM/SPEED.")
        }
        guard (1...7).contains(days), (1...10_000).contains(alerts), (1...100_000).contains(riders) else {
            throw ValidationError("--days is from 1 to 7, --alerts to 10000, --riders to 100000.")
        }
        guard seconds >= 10 else { throw ValidationError("--seconds is at least 10.") }
    }

    func run() async throws {
        let city = City(seed: seed, size: .week(riders: riders))
        let week = CityWeek(seed: seed, city: city, alerts: alerts, days: days)
        if let files { try city.write(to: files) }
        let own = TransitClock.Simulation(
            began: Date().timeIntervalSince1970,
            from: Double(week.start),
            speed: Double(week.end - week.start) / seconds
        )
        let simulation = clock.flatMap(TransitClock.Simulation.init) ?? own
        let player = Mutex(FeedPlayer(week))
        let server = try FeedServer(port: port, clock: .simulated(simulation)) { time, tag in
            try player.withLock { try $0.answer(at: time, tag: tag) }
        }
        try await server.run { port in
            print("The feed is listening on http://127.0.0.1:\(port)/alerts.pb, with the clock \(simulation.text)")
            fflush(nil)
        }
    }
}
