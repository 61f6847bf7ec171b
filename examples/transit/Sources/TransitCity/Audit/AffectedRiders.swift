package import Transit

/// Who an alert affects, worked out the long way: every trip at every stop is looked at by itself, and every quarter of
/// an hour. It shares no code with the matcher, so that a mistake in one shows in the other.
package struct AffectedRiders: Sendable {
    private struct Place: Hashable {
        var route: String
        var agency: String?
        var type: Int?
        var trip: String
        var direction: Int?
        var stop: String
        var station: String
    }

    private struct Moment {
        var time: Int
        /// Minutes since Monday, by the city's clocks.
        var weekMinute: Int
    }

    private let riders: [Rider]
    private let places: [Place]
    private let moments: [Moment]
    private static let quarter = 900

    /// - Parameter offset: the city's clocks' seconds before UTC's at a time.
    package init(_ city: City, from start: Int, to end: Int, offset: (Int) -> Int) {
        riders = city.riders
        let stations = Dictionary(city.network.platforms.map { ($0.id, $0.station) }) { first, _ in first }
        let trips = Dictionary(grouping: city.network.trips, by: \.route)
        places = city.network.routes.flatMap { route in
            (trips[route.id] ?? []).flatMap { trip in
                route.stops.map { stop in
                    Place(
                        route: route.id,
                        agency: route.agency,
                        type: route.type,
                        trip: trip.id,
                        direction: trip.direction,
                        stop: stop,
                        station: stations[stop] ?? stop
                    )
                }
            }
        }
        // Beyond the end everything repeats weekly; alerts without an end go on for longer than that.
        moments = stride(from: start, to: end + 9 * 86_400, by: Self.quarter).map { time in
            Moment(time: time, weekMinute: (((time + offset(time)) / 60) + 3 * 1_440) % 10_080)
        }
    }

    /// The riders' ids.
    package func affected(by alert: ServiceAlert, at now: Int) -> Set<String> {
        let meant = places.filter { place in alert.entities.contains { Self.applies($0, to: place) } }
        let active = moments.filter { moment in
            moment.time >= now && (alert.periods.isEmpty || alert.periods.contains { Self.holds($0, moment.time) })
        }
        var open: [[TravelWindow]: Bool] = [:]
        var found: Set<String> = []
        for rider in riders where alert.severity >= rider.minimumSeverity {
            if let effects = rider.effects, !effects.contains(alert.effect) { continue }
            for favourite in rider.favourites where meant.contains(where: { Self.covers(favourite, $0) }) {
                if let windows = favourite.windows {
                    let isOpen = open[windows] ?? active.contains { Self.holds(windows, $0.weekMinute) }
                    open[windows] = isOpen
                    if isOpen { found.insert(rider.id) }
                } else if !active.isEmpty {
                    found.insert(rider.id)
                }
            }
        }
        return found
    }

    private static func applies(_ entity: InformedEntity, to place: Place) -> Bool {
        (entity.agency == nil || entity.agency == place.agency) && (entity.route == nil || entity.route == place.route)
            && (entity.routeType == nil || entity.routeType == place.type)
            && (entity.trip == nil || entity.trip == place.trip)
            && (entity.direction == nil || entity.direction == place.direction)
            && (entity.stop == nil || entity.stop == place.stop || entity.stop == place.station)
    }

    private static func covers(_ favourite: Favourite, _ place: Place) -> Bool {
        (favourite.route == nil || favourite.route == place.route)
            && (favourite.trip == nil || favourite.trip == place.trip)
            && (favourite.direction == nil || favourite.direction == place.direction)
            && (favourite.stop == nil || favourite.stop == place.stop || favourite.stop == place.station)
    }

    private static func holds(_ period: ActivePeriod, _ time: Int) -> Bool {
        (period.start ?? .min) <= time && time < (period.end ?? .max)
    }

    private static func holds(_ windows: [TravelWindow], _ minute: Int) -> Bool {
        let (day, time) = (minute / 1_440 + 1, minute % 1_440)
        return windows.contains { window in
            guard let from = TravelWindow.minutes(window.from), let to = TravelWindow.minutes(window.to) else {
                return false
            }
            if to > from { return window.days.contains(day) && from <= time && time < to }
            let before = day == 1 ? 7 : day - 1
            return window.days.contains(day) && time >= from || window.days.contains(before) && time < to
        }
    }
}
