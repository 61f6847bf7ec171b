/// An entity of an alert in the network's numbers, and whether it is about a favourite.
///
/// An entity is about what all of its fields apply to. A favourite is affected when something that it stands for is
/// among that: "line T4" stands for all trips and stops of the line, "Central" for all lines that stop there.
struct EntitySelection {
    let agency: String?
    let type: Int?
    /// Named, or that of the trip.
    let route: Int?
    let trip: Int?
    /// It names a trip that the timetable does not have: an extra train, say. Favourites of other trips are not meant.
    let isUnknownTrip: Bool
    let stop: Int?
    let station: Int?
    let direction: Int?

    /// `nil` where it names something that neither the timetable nor a favourite has: nobody is affected.
    init?(_ entity: InformedEntity, in network: NetworkIndex) {
        agency = entity.agency
        type = entity.routeType
        trip = entity.trip.flatMap { network.trips[$0] }
        isUnknownTrip = entity.trip != nil && trip == nil
        stop = entity.stop.flatMap { network.stops[$0] }
        station = stop.map { network.stationOfStop[$0] }
        let named = entity.route.flatMap { network.routes[$0] }
        let ofTrip = trip.flatMap { network.tripRoutes[$0] }
        if entity.route != nil, named == nil { return nil }
        if entity.stop != nil, stop == nil { return nil }
        if isUnknownTrip, named == nil { return nil }
        if let named, let ofTrip, named != ofTrip { return nil }
        let tripDirection = trip.flatMap { network.tripDirections[$0] }
        if let asked = entity.direction, let tripDirection, asked != tripDirection { return nil }
        route = named ?? ofTrip
        direction = entity.direction ?? tripDirection
    }

    /// Calls the closure with every favourite that it is about; some may come twice.
    func forEachMatch(in table: FavouriteTable, _ body: (FavouriteTable.Row) -> Void) {
        let network = table.network
        for route in routes(in: table) where route < table.byRoute.count && isOf(route, in: network) {
            forEachMatch(of: route, in: table, body)
        }
        for station in stations(in: table) where station < table.byStation.count {
            for row in table.byStation[station] where isAtTime(row) && isAboutStop(Int(row.stop), in: network) {
                body(row)
            }
        }
        for row in trip.flatMap({ table.byTrip[$0] }) ?? [] { body(row) }
    }

    /// Favourites of one route, which is among what the entity is about.
    private func forEachMatch(
        of number: Int,
        in table: FavouriteTable,
        _ body: (FavouriteTable.Row) -> Void
    ) {
        let network = table.network
        // Of a route that the timetable does not have entity and rider know better.
        let isUnknown = network.stations[number].isEmpty
        if stop.map({ isUnknown ? route == number : network.serves(number, $0) }) ?? true {
            for row in table.byRoute[number].whole where isAtTime(row) { body(row) }
        }
        for row in table.byRoute[number].atStop where isAtTime(row) {
            guard let place = place(with: Int(row.stop), in: network) else { continue }
            if isUnknown || network.serves(number, place) { body(row) }
        }
    }

    /// The routes at whose favourites to look.
    private func routes(in table: FavouriteTable) -> [Int] {
        if let route { return [route] }
        guard let station else { return Array(table.byRoute.indices) }
        return table.network.routesOfStop[station] + table.unknownRoutes
    }

    /// The stations at whose favourites to look.
    private func stations(in table: FavouriteTable) -> [Int] {
        if let station { return [station] }
        if let route { return table.network.stations[route] }
        return Array(table.byStation.indices)
    }

    /// Whether it is about the favourite's trip and direction.
    private func isAtTime(_ row: FavouriteTable.Row) -> Bool {
        let open = FavouriteTable.Row.open
        if row.trip != open {
            if isUnknownTrip { return false }
            if let trip, Int(row.trip) != trip { return false }
        }
        guard let direction, row.direction != open else { return true }
        return Int(row.direction) == direction
    }

    /// Whether it is about a stop, whatever route stops there.
    private func isAboutStop(_ own: Int, in network: NetworkIndex) -> Bool {
        guard let place = place(with: own, in: network) else { return false }
        guard agency != nil || type != nil || route != nil else { return true }
        let serving = network.routesOfStop[place]
        return serving.isEmpty ? stop != nil : serving.contains { isOf($0, in: network) }
    }

    /// What the entity's stop and a favourite's have in common; `nil` is nothing.
    private func place(with own: Int, in network: NetworkIndex) -> Int? {
        guard let stop, stop != own else { return own }
        // A station is all of its platforms; two platforms are not each other.
        if network.stationOfStop[own] == stop { return own }
        return station == own ? stop : nil
    }

    private func isOf(_ number: Int, in network: NetworkIndex) -> Bool {
        if let route, route != number { return false }
        if let agency, network.agencies[number] != agency { return false }
        if let type, network.types[number] != type { return false }
        return true
    }
}
