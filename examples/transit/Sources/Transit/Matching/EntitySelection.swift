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
        func check(_ numbers: [Int32]?) {
            for number in numbers ?? [] where isAbout(table.rows[Int(number)], in: table.network) {
                body(table.rows[Int(number)])
            }
        }
        for route in routes(in: table) {
            guard let bucket = table.byRoute[route] else { continue }
            check(bucket.whole)
            if let station {
                check(bucket.atStation[station])
            } else {
                for numbers in bucket.atStation.values { check(numbers) }
            }
        }
        for station in stations(in: table) { check(table.byStation[station]) }
        if let trip { check(table.byTrip[trip]) }
    }

    /// The routes at whose favourites to look.
    private func routes(in table: FavouriteTable) -> [Int] {
        if let route { return [route] }
        if agency != nil || type != nil {
            return table.network.agencies.indices.filter { isOfOperator($0, in: table.network) }
        }
        if let station { return routesWithFavourites(at: station, in: table) }
        return Array(table.byRoute.keys)
    }

    /// Those that serve the station, and those that only a favourite says do.
    private func routesWithFavourites(at station: Int, in table: FavouriteTable) -> [Int] {
        let serving = table.network.routesOfStop[station] ?? []
        let others = table.byRoute.filter { route, bucket in
            table.network.stations[route].isEmpty && bucket.atStation[station] != nil
        }
        return serving + others.keys.filter { !serving.contains($0) }
    }

    private func stations(in table: FavouriteTable) -> [Int] {
        if let station { return [station] }
        if let route { return Array(table.network.stations[route]) }
        return Array(table.byStation.keys)
    }

    private func isAbout(_ row: FavouriteTable.Row, in network: NetworkIndex) -> Bool {
        if isUnknownTrip, row.trip != nil { return false }
        if let trip, let own = row.trip, trip != own { return false }
        if let direction, let own = row.direction, direction != own { return false }
        guard let place = place(with: row, in: network) else { return false }
        if let own = row.route { return isOf(own, in: network) && serves(own, place, row, in: network) }
        guard let stop = place.stop else { return row.trip != nil }
        guard agency != nil || type != nil || route != nil else { return true }
        let serving = network.routesOfStop[stop] ?? []
        return serving.isEmpty ? self.stop != nil : serving.contains { isOf($0, in: network) }
    }

    /// A stop, or all of them.
    private struct Place {
        var stop: Int?
    }

    /// What the entity's stop and the favourite's have in common; `nil` is nothing.
    private func place(with row: FavouriteTable.Row, in network: NetworkIndex) -> Place? {
        guard let stop, let own = row.stop, stop != own else { return Place(stop: stop ?? row.stop) }
        // A station is all of its platforms; two platforms are not each other.
        if network.stationOfStop[own] == stop { return Place(stop: own) }
        return station == own ? Place(stop: stop) : nil
    }

    private func serves(_ own: Int, _ place: Place, _ row: FavouriteTable.Row, in network: NetworkIndex) -> Bool {
        guard let stop = place.stop else { return true }
        // Of a route that the timetable does not have the rider or the entity knows better.
        if network.served[own].isEmpty { return row.stop != nil || route == own }
        return network.served[own].contains(stop)
    }

    private func isOf(_ number: Int, in network: NetworkIndex) -> Bool {
        if let route, route != number { return false }
        return isOfOperator(number, in: network)
    }

    private func isOfOperator(_ number: Int, in network: NetworkIndex) -> Bool {
        if let agency, network.agencies[number] != agency { return false }
        if let type, network.types[number] != type { return false }
        return true
    }
}
