import ArgumentParser
import Foundation
import Transit
import TransitCity

/// `transit-matcher bench`.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures how long 10,000 alerts against some 200,000 favourites take."
    )

    @Option(help: "How many alerts.")
    var alerts = 10_000
    @Option(help: "How often; the shortest and the longest are printed.")
    var rounds = 5

    func run() throws {
        let city = City(seed: 1, size: .large)
        let all = CityWeek(seed: 1, city: city, alerts: alerts, days: 7).firstVersions
        guard let zone = TimeZone(identifier: city.network.timeZone) else { return }
        let clock = ContinuousClock()
        var matcher = AlertMatcher(riders: [], network: city.network, calendar: CityCalendar(zone: zone))
        let building = clock.measure {
            matcher = AlertMatcher(riders: city.riders, network: city.network, calendar: CityCalendar(zone: zone))
        }
        print("\(matcher.favouriteCount) favourites of \(city.riders.count) riders are indexed in \(building.shown).")
        var times: [Duration] = []
        var matches = 0
        for _ in 0..<max(1, rounds) {
            times.append(
                clock.measure {
                    matches = all.reduce(0) { $0 + matcher.affected(by: $1.alert, now: $1.date).count }
                }
            )
        }
        times.sort()
        print(
            "\(all.count) alerts, \(matches) riders affected: \(times[0].shown) to \(times[times.count - 1].shown); goal: under 1000 ms."
        )
    }
}

extension Duration {
    /// In milliseconds.
    fileprivate var shown: String {
        "\(Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)) ms"
    }
}

extension CityWeek {
    /// Every alert as it is published first, with that time.
    fileprivate var firstVersions: [(alert: ServiceAlert, date: Date)] {
        phases.filter { $0.step == .created }.map { ($0.alert, Date(timeIntervalSince1970: Double($0.from))) }
    }
}
