/// The network and the favourites' names for it, as numbers.
struct NetworkIndex: Sendable {
    private(set) var routes: [String: Int] = [:]
    private(set) var trips: [String: Int] = [:]
    private(set) var stops: [String: Int] = [:]
    /// By route.
    private(set) var agencies: [String?] = []
    private(set) var types: [Int?] = []
    /// By route: the stations that it serves, none where the timetable does not have it; a stop without a station is its
    /// own.
    private(set) var stations: [[Int]] = []
    /// By trip.
    private(set) var tripRoutes: [Int?] = []
    private(set) var tripDirections: [Int?] = []
    /// By stop: its station, or itself.
    private(set) var stationOfStop: [Int] = []
    /// By stop or station: the few routes that serve it.
    private(set) var routesOfStop: [[Int]] = []

    init(_ network: Network) {
        for platform in network.platforms {
            let station = stop(platform.station)
            stationOfStop[stop(platform.id)] = station
        }
        for route in network.routes {
            let number = self.route(route.id)
            agencies[number] = route.agency
            types[number] = route.type
            for id in route.stops {
                let stop = stop(id), station = stationOfStop[stop]
                if !stations[number].contains(station) { stations[number].append(station) }
                for place in [stop, station] where !serves(number, place) { routesOfStop[place].append(number) }
            }
        }
        for trip in network.trips {
            let number = self.trip(trip.id)
            tripRoutes[number] = route(trip.route)
            tripDirections[number] = trip.direction
        }
    }

    /// Whether a route serves a stop or station.
    func serves(_ route: Int, _ place: Int) -> Bool { routesOfStop[place].contains(route) }

    /// The number of a route; one that the timetable does not have gets one too, since a favourite may name it.
    mutating func route(_ id: String) -> Int {
        if let known = routes[id] { return known }
        routes[id] = agencies.count
        agencies.append(nil)
        types.append(nil)
        stations.append([])
        return agencies.count - 1
    }

    mutating func trip(_ id: String) -> Int {
        if let known = trips[id] { return known }
        trips[id] = tripRoutes.count
        tripRoutes.append(nil)
        tripDirections.append(nil)
        return tripRoutes.count - 1
    }

    mutating func stop(_ id: String) -> Int {
        if let known = stops[id] { return known }
        stops[id] = stationOfStop.count
        stationOfStop.append(stationOfStop.count)
        routesOfStop.append([])
        return stationOfStop.count - 1
    }
}
