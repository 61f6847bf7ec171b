import Foundation

/// The network's file: one JSON object.
package enum NetworkFile {
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    package static func read(_ path: String) throws(Failure) -> Network {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw Failure(description: "The network's file \(path) cannot be read: \(JSONProblem.reading(error))")
        }
        let network: Network
        do { network = try JSONDecoder().decode(Network.self, from: bytes) } catch {
            throw Failure(description: "The network's file \(path): \(JSONProblem.words(error)).")
        }
        guard TimeZone(identifier: network.timeZone) != nil else {
            throw Failure(
                description: """
                    The network's file \(path): there is no time zone '\(network.timeZone)'; it is one of IANA's, such as \
                    Australia/Sydney.
                    """
            )
        }
        return network
    }
}

extension Network {
    /// Favourites that name what the network does not have, which is a mistake more often than a route to come.
    ///
    /// - Returns: how many there are, and the first as words.
    package func unknown(in riders: [Rider]) -> (count: Int, first: String?) {
        let routes = Set(self.routes.map(\.id)), trips = Set(self.trips.map(\.id))
        var stops = Set(self.routes.flatMap(\.stops))
        for platform in platforms { stops.formUnion([platform.id, platform.station]) }
        /// - Returns: what of a favourite is in none of them.
        func wrong(_ favourite: Favourite) -> String? {
            if let route = favourite.route, !routes.contains(route) { return "route '\(route)'" }
            if let trip = favourite.trip, !trips.contains(trip) { return "trip '\(trip)'" }
            if let stop = favourite.stop, !stops.contains(stop) { return "stop '\(stop)'" }
            return nil
        }
        var count = 0
        var first: String?
        for rider in riders {
            for favourite in rider.favourites {
                guard let wrong = wrong(favourite) else { continue }
                count += 1
                if first == nil { first = "\(wrong) of rider '\(rider.id)'" }
            }
        }
        return (count, first)
    }
}
