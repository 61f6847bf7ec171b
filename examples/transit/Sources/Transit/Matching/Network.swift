/// What the matcher knows of the city's network from its timetable: GTFS's routes, trips and stops.
package struct Network: Sendable, Codable, Equatable {
    package struct Route: Sendable, Codable, Equatable {
        package var id: String
        package var agency: String?
        /// GTFS's `route_type`.
        package var type: Int?
        /// The stops that it serves.
        package var stops: [String]

        package init(id: String, agency: String? = nil, type: Int? = nil, stops: [String] = []) {
            self.id = id
            self.agency = agency
            self.type = type
            self.stops = stops
        }
    }

    package struct Trip: Sendable, Codable, Equatable {
        package var id: String
        package var route: String
        package var direction: Int?

        package init(id: String, route: String, direction: Int? = nil) {
            self.id = id
            self.route = route
            self.direction = direction
        }
    }

    /// A platform with its station, which GTFS calls the parent.
    package struct Platform: Sendable, Codable, Equatable {
        package var id: String
        package var station: String

        package init(id: String, station: String) {
            self.id = id
            self.station = station
        }
    }

    /// The IANA time zone of the city.
    package var timeZone: String
    package var routes: [Route]
    package var trips: [Trip]
    package var platforms: [Platform]

    package init(timeZone: String, routes: [Route] = [], trips: [Trip] = [], platforms: [Platform] = []) {
        self.timeZone = timeZone
        self.routes = routes
        self.trips = trips
        self.platforms = platforms
    }
}
