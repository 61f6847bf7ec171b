/// Every rider's favourites as rows, and where to look for those that an entity may be about.
struct FavouriteTable: Sendable {
    /// A favourite with what the timetable says of it; -1 stands for what it leaves open. Small, because most of the time
    /// that matching takes is spent on reading these.
    struct Row: Sendable {
        static let open: Int32 = -1

        var rider: Int32
        var route = open
        var stop = open
        var trip = open
        var direction = open
        /// The windows' number; open is always.
        var schedule: Int32
        var wish: Wish
    }

    /// A rider's thresholds, for a comparison without looking at the rider.
    struct Wish: Sendable {
        private let minimum: UInt8
        private let effects: UInt16

        init(_ rider: Rider) {
            minimum = Self.rank(rider.minimumSeverity)
            effects = (rider.effects ?? Effect.allCases.filter { $0 != .none }).reduce(0) { $0 | Self.bit($1) }
        }

        /// An alert's severity and effect in the same form.
        struct Offer {
            fileprivate let severity: UInt8
            fileprivate let effect: UInt16

            init(_ alert: ServiceAlert) {
                severity = Wish.rank(alert.severity)
                effect = Wish.bit(alert.effect)
            }
        }

        func takes(_ offer: Offer) -> Bool { offer.severity >= minimum && offer.effect & effects != 0 }

        private static func rank(_ severity: Severity) -> UInt8 {
            UInt8(Severity.allCases.firstIndex(of: severity) ?? 0)
        }

        private static func bit(_ effect: Effect) -> UInt16 { 1 << UInt16(Effect.allCases.firstIndex(of: effect) ?? 0) }
    }

    /// The favourites of a route, one after the other in memory.
    struct RouteBucket: Sendable {
        /// For the whole route.
        var whole: [Row] = []
        /// At one stop of it.
        var atStop: [Row] = []
    }

    private(set) var network: NetworkIndex
    private(set) var count = 0
    /// By route.
    private(set) var byRoute: [RouteBucket] = []
    /// Those of a stop, whatever route stops there; by the stop's station.
    private(set) var byStation: [[Row]] = []
    /// Those of a trip that the timetable does not have.
    private(set) var byTrip: [Int: [Row]] = [:]
    /// Routes that favourites name and whose stops the timetable does not have.
    private(set) var unknownRoutes: Set<Int> = []
    private(set) var schedules: [WeekMinutes] = []

    init(_ riders: [Rider], network: Network) {
        self.network = NetworkIndex(network)
        var known: [[TravelWindow]: Int32] = [:]
        for (number, rider) in riders.enumerated() {
            let wish = Wish(rider)
            for favourite in rider.favourites {
                add(favourite, of: Int32(number), schedule: schedule(favourite.windows, &known), wish: wish)
            }
        }
    }

    private mutating func schedule(_ windows: [TravelWindow]?, _ known: inout [[TravelWindow]: Int32]) -> Int32 {
        guard let windows else { return -1 }
        if let number = known[windows] { return number }
        schedules.append(WeekMinutes(windows))
        known[windows] = Int32(schedules.count - 1)
        return Int32(schedules.count - 1)
    }

    private mutating func add(_ favourite: Favourite, of rider: Int32, schedule: Int32, wish: Wish) {
        let trip = favourite.trip.map { network.trip($0) }
        let route = favourite.route.map { network.route($0) } ?? trip.flatMap { network.tripRoutes[$0] }
        let stop = favourite.stop.map { network.stop($0) }
        let direction = favourite.direction ?? trip.flatMap { network.tripDirections[$0] }
        func field(_ value: Int?) -> Int32 { value.map { Int32(clamping: $0) } ?? Row.open }
        let row = Row(
            rider: rider,
            route: field(route),
            stop: field(stop),
            trip: field(trip),
            direction: field(direction),
            schedule: schedule,
            wish: wish
        )
        if let route {
            Self.grow(&byRoute, to: route, RouteBucket())
            if stop == nil { byRoute[route].whole.append(row) } else { byRoute[route].atStop.append(row) }
            if network.stations[route].isEmpty { unknownRoutes.insert(route) }
        } else if let stop {
            let station = network.stationOfStop[stop]
            Self.grow(&byStation, to: station, [])
            byStation[station].append(row)
        } else if let trip {
            byTrip[trip, default: []].append(row)
        } else {
            // A favourite without a place is none.
            return
        }
        count += 1
    }

    private static func grow<Element>(_ list: inout [Element], to index: Int, _ empty: Element) {
        while list.count <= index { list.append(empty) }
    }
}
