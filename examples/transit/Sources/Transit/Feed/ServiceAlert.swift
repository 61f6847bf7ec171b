package import Foundation

/// When an alert applies: from `start` on and before `end`, in seconds since 1970; one that is `nil` is open.
package struct ActivePeriod: Sendable, Hashable, Codable {
    package var start: Int?
    package var end: Int?

    package init(start: Int? = nil, end: Int? = nil) {
        self.start = start
        self.end = end
    }
}

/// What of the network an alert is about: everything to which all given fields apply.
package struct InformedEntity: Sendable, Hashable, Codable {
    package var agency: String?
    package var route: String?
    package var routeType: Int?
    package var trip: String?
    package var stop: String?
    package var direction: Int?

    package init(
        agency: String? = nil,
        route: String? = nil,
        routeType: Int? = nil,
        trip: String? = nil,
        stop: String? = nil,
        direction: Int? = nil
    ) {
        self.agency = agency
        self.route = route
        self.routeType = routeType
        self.trip = trip
        self.stop = stop
        self.direction = direction
    }

    /// An entity without a field is about nothing.
    package var isEmpty: Bool {
        agency == nil && route == nil && routeType == nil && trip == nil && stop == nil && direction == nil
    }
}

/// A service alert as a feed has it.
package struct ServiceAlert: Sendable, Hashable, Codable {
    package var id: String
    package var header: TranslatedText
    package var details: TranslatedText
    /// An alert without a level counts as a warning, so that nobody misses it for the agency's omission.
    package var severity: Severity
    package var effect: Effect
    /// None means always.
    package var periods: [ActivePeriod]
    package var entities: [InformedEntity]

    package init(
        id: String,
        header: TranslatedText,
        details: TranslatedText = TranslatedText(),
        severity: Severity = .warning,
        effect: Effect = .unknown,
        periods: [ActivePeriod] = [],
        entities: [InformedEntity]
    ) {
        self.id = id
        self.header = header
        self.details = details
        self.severity = severity
        self.effect = effect
        self.periods = periods
        self.entities = entities
    }

    /// Whether every active period is over.
    package func isOver(at time: Date) -> Bool {
        !periods.isEmpty && periods.allSatisfy { $0.end.map { Double($0) <= time.timeIntervalSince1970 } ?? false }
    }
}
