package import Transit

/// A made-up city: its network and the people who use it, the same for the same seed.
package struct City: Sendable {
    /// How large it is.
    package struct Size: Sendable {
        package var routes: Int
        package var stopsOfRoute: Int
        package var tripsOfRoute: Int
        package var riders: Int
        package var favouritesOfRider: Int

        package init(routes: Int, stopsOfRoute: Int, tripsOfRoute: Int, riders: Int, favouritesOfRider: Int) {
            self.routes = routes
            self.stopsOfRoute = stopsOfRoute
            self.tripsOfRoute = tripsOfRoute
            self.riders = riders
            self.favouritesOfRider = favouritesOfRider
        }

        /// For `transit-week`.
        package static func week(riders: Int) -> Size {
            Size(routes: 10, stopsOfRoute: 8, tripsOfRoute: 6, riders: riders, favouritesOfRider: 3)
        }

        /// For `transit-matcher bench`: 200,000 favourites.
        package static let large = Size(
            routes: 400,
            stopsOfRoute: 25,
            tripsOfRoute: 40,
            riders: 80_000,
            favouritesOfRider: 3
        )
    }

    package static let timeZone = "Australia/Sydney"
    package static let languages = ["en", "en", "en-AU", "ja", "zh-Hans", "de", "pt"]

    package let network: Network
    package let riders: [Rider]

    package init(seed: UInt64, size: Size) {
        var numbers = SeededNumbers(seed: seed)
        let network = Self.network(size, &numbers)
        self.network = network
        riders = (1...max(1, size.riders)).map { number in
            Rider(
                id: "rider-\(number)",
                language: numbers.pick(Self.languages),
                minimumSeverity: numbers.pick([.info, .info, .warning, .severe]),
                effects: numbers.chance(15) ? [.noService, .significantDelays, .detour] : nil,
                favourites: (0..<(1 + numbers.below(size.favouritesOfRider + 1))).map { _ in
                    Self.favourite(network, &numbers)
                }
            )
        }
    }

    private static func network(_ size: Size, _ numbers: inout SeededNumbers) -> Network {
        var network = Network(timeZone: timeZone)
        var known: Set<String> = []
        // Neighbouring routes share stations, as lines through a centre do.
        let stationCount = max(size.stopsOfRoute, size.routes * size.stopsOfRoute / 2)
        for number in 0..<size.routes {
            let isRail = number % 2 == 0
            let route = isRail ? "T\(number)" : "\(300 + number)"
            let first = number * size.stopsOfRoute / 2
            let stations = (0..<size.stopsOfRoute).map { "station-\((first + $0) % stationCount)" }
            let stops = stations.map { "\($0)-\(isRail ? "rail" : "bus")" }
            for (stop, station) in zip(stops, stations) where known.insert(stop).inserted {
                network.platforms.append(.init(id: stop, station: station))
            }
            network.routes.append(
                .init(id: route, agency: isRail ? "trains" : "buses", type: isRail ? 2 : 3, stops: stops)
            )
            network.trips += (0..<size.tripsOfRoute).map {
                .init(id: "\(route)-\($0)", route: route, direction: $0 % 2)
            }
        }
        return network
    }

    /// A stop is called after its station and what stops there.
    static func station(of stop: String) -> String { stop.split(separator: "-").dropLast().joined(separator: "-") }

    private static func favourite(_ network: Network, _ numbers: inout SeededNumbers) -> Favourite {
        let route = numbers.pick(network.routes)
        var favourite = Favourite(windows: numbers.chance(40) ? nil : windows(&numbers))
        switch numbers.below(10) {
        case 0...3: favourite.route = route.id
        case 4...5:
            favourite.route = route.id
            favourite.direction = numbers.below(2)
        case 6:
            favourite.route = route.id
            favourite.stop = numbers.pick(route.stops)
        case 7:
            favourite.stop = station(of: numbers.pick(route.stops))
        case 8: favourite.stop = numbers.pick(route.stops)
        default: favourite.trip = "\(route.id)-\(numbers.below(4))"
        }
        return favourite
    }

    /// Whole hours: the audit looks at every quarter of an hour.
    private static func windows(_ numbers: inout SeededNumbers) -> [TravelWindow] {
        let workdays = [1, 2, 3, 4, 5]
        switch numbers.below(4) {
        case 0:
            return [
                TravelWindow(days: workdays, from: "07:00", to: "09:00"),
                TravelWindow(days: workdays, from: "16:00", to: "19:00"),
            ]
        case 1: return [TravelWindow(days: [6, 7], from: "09:00", to: "24:00")]
        case 2: return [TravelWindow(days: [5, 6], from: "22:00", to: "04:00")]
        default: return [TravelWindow(days: workdays, from: "06:00", to: "20:00")]
        }
    }
}
