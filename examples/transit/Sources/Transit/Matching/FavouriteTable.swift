/// Every rider's favourites as rows, and where to look for those that an entity may be about.
struct FavouriteTable: Sendable {
    /// A favourite with what the timetable says of it.
    struct Row: Sendable {
        var rider: Int32
        var route: Int?
        var stop: Int?
        var trip: Int?
        var direction: Int?
        /// The windows' number; -1 is always.
        var schedule: Int32
    }

    /// The favourites of a route.
    struct RouteBucket: Sendable {
        /// For the whole route.
        var whole: [Int32] = []
        /// At one stop of it, by the stop's station.
        var atStation: [Int: [Int32]] = [:]
    }

    private(set) var network: NetworkIndex
    private(set) var rows: [Row] = []
    private(set) var byRoute: [Int: RouteBucket] = [:]
    /// Those of a trip that the timetable does not have.
    private(set) var byTrip: [Int: [Int32]] = [:]
    /// Those of a stop, whatever route stops there; by the stop's station.
    private(set) var byStation: [Int: [Int32]] = [:]
    private(set) var schedules: [WeekMinutes] = []

    init(_ riders: [Rider], network: Network) {
        self.network = NetworkIndex(network)
        var known: [[TravelWindow]: Int32] = [:]
        for (number, rider) in riders.enumerated() {
            for favourite in rider.favourites {
                add(favourite, of: Int32(number), schedule: schedule(favourite.windows, &known))
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

    private mutating func add(_ favourite: Favourite, of rider: Int32, schedule: Int32) {
        let trip = favourite.trip.map { network.trip($0) }
        let row = Row(
            rider: rider,
            route: favourite.route.map { network.route($0) } ?? trip.flatMap { network.tripRoutes[$0] },
            stop: favourite.stop.map { network.stop($0) },
            trip: trip,
            direction: favourite.direction ?? trip.flatMap { network.tripDirections[$0] },
            schedule: schedule
        )
        let number = Int32(rows.count)
        if let route = row.route {
            if let stop = row.stop {
                let station = network.stationOfStop[stop]
                byRoute[route, default: RouteBucket()].atStation[station, default: []].append(number)
            } else {
                byRoute[route, default: RouteBucket()].whole.append(number)
            }
        } else if let stop = row.stop {
            byStation[network.stationOfStop[stop], default: []].append(number)
        } else if let trip = row.trip {
            byTrip[trip, default: []].append(number)
        } else {
            // A favourite without a place is none.
            return
        }
        rows.append(row)
    }
}
