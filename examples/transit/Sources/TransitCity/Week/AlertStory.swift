import Transit

/// An alert as its agency writes it, and what the agency makes of it later.
struct AlertStory {
    private(set) var alert: ServiceAlert
    private var report = 1
    private let place: String

    init(id: String, city: City, _ numbers: inout SeededNumbers) {
        let entities = (0..<(1 + numbers.below(3))).map { _ in Self.entity(city.network, &numbers) }
        place = entities.first.map { $0.route ?? $0.trip ?? $0.stop ?? $0.agency ?? "the network" } ?? "the network"
        alert = ServiceAlert(
            id: id,
            header: TranslatedText(),
            severity: numbers.pick([.info, .warning, .warning, .severe]),
            effect: numbers.pick([.noService, .significantDelays, .detour, .reducedService, .other]),
            entities: entities
        )
        write(languages: numbers.chance(50) ? ["en"] : ["en", "ja"])
    }

    /// - Returns: what the agency did.
    mutating func advance(_ numbers: inout SeededNumbers) -> Step {
        let languages = alert.header.translations.compactMap(\.language)
        switch numbers.below(4) {
        case 0 where alert.severity < .severe:
            alert.severity = alert.severity == .info ? .warning : .severe
            report += 1
            write(languages: languages)
            return .escalated
        case 1 where !languages.contains("de"):
            write(languages: languages + ["de"])
            return .translated
        default:
            report += 1
            write(languages: languages)
            return .updated
        }
    }

    /// The agency says when it is over.
    mutating func limit(to end: Int, since start: Int) {
        alert.periods = [ActivePeriod(start: start, end: end)]
    }

    /// The text names alert and report, so that a phone's record says which version it is.
    private mutating func write(languages: [String]) {
        let words = ["en": "Disruption", "ja": "運行障害", "de": "Störung"]
        alert.header = TranslatedText(
            languages.map { .init("\(words[$0] ?? "") \(place) [\(alert.id)/\(report)]", language: $0) }
        )
        alert.details = TranslatedText(languages.map { .init("\(words[$0] ?? "") \(report)", language: $0) })
    }

    private static func entity(_ network: Network, _ numbers: inout SeededNumbers) -> InformedEntity {
        let route = numbers.pick(network.routes)
        switch numbers.below(12) {
        case 0...3: return InformedEntity(route: route.id)
        case 4...5: return InformedEntity(route: route.id, direction: numbers.below(2))
        case 6: return InformedEntity(route: route.id, stop: numbers.pick(route.stops))
        case 7: return InformedEntity(stop: numbers.pick(route.stops))
        case 8:
            return InformedEntity(stop: City.station(of: numbers.pick(route.stops)))
        case 9...10: return InformedEntity(trip: "\(route.id)-\(numbers.below(4))")
        default:
            return numbers.chance(50)
                ? InformedEntity(agency: route.agency, stop: numbers.pick(route.stops))
                : InformedEntity(routeType: route.type, stop: numbers.pick(route.stops))
        }
    }
}
