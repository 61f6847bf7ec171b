package import GTFSRealtime

// The messages of the schema in this package's own values, and back for who makes feeds.

extension Severity {
    init(_ level: TransitRealtime_Alert.SeverityLevel) {
        self =
            switch level {
            case .info: .info
            case .severe: .severe
            case .warning, .unknownSeverity: .warning
            }
    }

    package var level: TransitRealtime_Alert.SeverityLevel {
        switch self {
        case .info: .info
        case .warning: .warning
        case .severe: .severe
        }
    }
}

extension Effect {
    private static let table: [(TransitRealtime_Alert.Effect, Effect)] = [
        (.noService, .noService), (.reducedService, .reducedService), (.significantDelays, .significantDelays),
        (.detour, .detour), (.additionalService, .additionalService), (.modifiedService, .modifiedService),
        (.otherEffect, .other), (.unknownEffect, .unknown), (.stopMoved, .stopMoved), (.noEffect, .none),
        (.accessibilityIssue, .accessibility),
    ]

    init(_ effect: TransitRealtime_Alert.Effect) {
        self = Self.table.first { $0.0 == effect }?.1 ?? .unknown
    }

    package var message: TransitRealtime_Alert.Effect {
        Self.table.first { $0.1 == self }?.0 ?? .unknownEffect
    }
}

extension TranslatedText {
    init(_ text: TransitRealtime_TranslatedString) {
        self.init(text.translation.map { Translation($0.text, language: $0.language.isEmpty ? nil : $0.language) })
    }

    package var message: TransitRealtime_TranslatedString {
        var message = TransitRealtime_TranslatedString()
        message.translation = translations.map { translation in
            var one = TransitRealtime_TranslatedString.Translation()
            one.text = translation.text
            if let language = translation.language { one.language = language }
            return one
        }
        return message
    }
}

extension ActivePeriod {
    init(_ range: TransitRealtime_TimeRange) {
        // 0 stands for an absent time with some agencies.
        self.init(
            start: range.start == 0 ? nil : Int(clamping: range.start),
            end: range.end == 0 ? nil : Int(clamping: range.end)
        )
    }

    package var message: TransitRealtime_TimeRange {
        var range = TransitRealtime_TimeRange()
        if let start { range.start = UInt64(max(0, start)) }
        if let end { range.end = UInt64(max(0, end)) }
        return range
    }
}

extension InformedEntity {
    /// A trip that is named by its route or direction alone stands for those.
    init(_ selector: TransitRealtime_EntitySelector) {
        let trip = selector.trip
        func text(_ value: String) -> String? { value.isEmpty ? nil : value }
        let ownRoute = text(selector.routeID)
        self.init(
            agency: text(selector.agencyID),
            route: ownRoute ?? text(trip.routeID),
            routeType: selector.hasRouteType ? Int(selector.routeType) : nil,
            trip: text(trip.tripID),
            stop: text(selector.stopID),
            direction: selector.hasDirectionID
                ? Int(selector.directionID) : trip.hasDirectionID ? Int(trip.directionID) : nil
        )
    }

    package var message: TransitRealtime_EntitySelector {
        var selector = TransitRealtime_EntitySelector()
        if let agency { selector.agencyID = agency }
        if let route { selector.routeID = route }
        if let routeType { selector.routeType = Int32(clamping: routeType) }
        if let trip { selector.trip.tripID = trip }
        if let stop { selector.stopID = stop }
        if let direction { selector.directionID = UInt32(clamping: direction) }
        return selector
    }
}

extension ServiceAlert {
    package var message: TransitRealtime_FeedEntity {
        var entity = TransitRealtime_FeedEntity()
        entity.id = id
        entity.alert.headerText = header.message
        if !details.isEmpty { entity.alert.descriptionText = details.message }
        entity.alert.severityLevel = severity.level
        entity.alert.effect = effect.message
        entity.alert.activePeriod = periods.map(\.message)
        entity.alert.informedEntity = entities.map(\.message)
        return entity
    }
}
