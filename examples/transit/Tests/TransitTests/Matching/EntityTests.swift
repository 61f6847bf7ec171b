import Foundation
import Testing
import Transit

/// Which favourites an informed entity is about, as the standard has it.
@Suite struct EntityTests {
    static let network = Network(
        timeZone: "Australia/Sydney",
        routes: [
            .init(id: "T4", agency: "trains", type: 2, stops: ["central-1", "bondi-1"]),
            .init(id: "T8", agency: "trains", type: 2, stops: ["central-2", "airport-1"]),
            .init(id: "333", agency: "buses", type: 3, stops: ["central-bus", "bondi-bus"]),
        ],
        trips: [
            .init(id: "T4-out", route: "T4", direction: 0), .init(id: "T4-in", route: "T4", direction: 1),
            .init(id: "333-out", route: "333", direction: 0),
        ],
        platforms: [
            .init(id: "central-1", station: "central"), .init(id: "central-2", station: "central"),
            .init(id: "central-bus", station: "central"), .init(id: "bondi-1", station: "bondi"),
            .init(id: "bondi-bus", station: "bondi"), .init(id: "airport-1", station: "airport"),
        ]
    )

    typealias Entity = InformedEntity
    typealias Case = (Entity, Favourite, Bool)

    static let cases: [Case] = [
        // Agency and route type reach what is theirs.
        (Entity(agency: "trains"), Favourite(route: "T4"), true),
        (Entity(agency: "buses"), Favourite(route: "T4"), false),
        (Entity(agency: "buses"), Favourite(stop: "bondi"), true),
        (Entity(agency: "buses"), Favourite(stop: "airport"), false),
        (Entity(agency: "buses"), Favourite(stop: "bondi-1"), false),
        (Entity(routeType: 3), Favourite(route: "333"), true),
        (Entity(routeType: 3), Favourite(trip: "T4-in"), false),
        (Entity(agency: "trains", routeType: 3), Favourite(route: "T4"), false),
        // A route is all of its trips and stops.
        (Entity(route: "T4"), Favourite(route: "T4"), true),
        (Entity(route: "T4"), Favourite(route: "T8"), false),
        (Entity(route: "T4"), Favourite(trip: "T4-in"), true),
        (Entity(route: "T4"), Favourite(stop: "bondi"), true),
        (Entity(route: "T4"), Favourite(stop: "central-1"), true),
        (Entity(route: "T4"), Favourite(stop: "central-2"), false),
        (Entity(route: "T4"), Favourite(stop: "airport"), false),
        (Entity(route: "T4"), Favourite(route: "T4", stop: "bondi-1"), true),
        (Entity(route: "unknown"), Favourite(route: "T4"), false),
        (Entity(route: "night"), Favourite(route: "night"), true),
        // All fields of an entity have to apply.
        (Entity(route: "T4", stop: "central"), Favourite(route: "T4"), true),
        (Entity(route: "T4", stop: "central"), Favourite(stop: "central"), true),
        (Entity(route: "T4", stop: "central"), Favourite(route: "T8"), false),
        (Entity(route: "T4", stop: "airport"), Favourite(route: "T4"), false),
        (Entity(route: "T4", stop: "central"), Favourite(route: "T4", stop: "bondi-1"), false),
        (Entity(agency: "buses", stop: "central"), Favourite(stop: "central"), true),
        (Entity(agency: "buses", stop: "central-1"), Favourite(stop: "central"), false),
        // A stop is about the routes that serve it; a station is its platforms, and two platforms are not each other.
        (Entity(stop: "bondi"), Favourite(route: "T4"), true),
        (Entity(stop: "bondi"), Favourite(route: "T8"), false),
        (Entity(stop: "central"), Favourite(stop: "central-1"), true),
        (Entity(stop: "central-1"), Favourite(stop: "central"), true),
        (Entity(stop: "central-1"), Favourite(stop: "central-2"), false),
        (Entity(stop: "central-2"), Favourite(route: "T4"), false),
        (Entity(stop: "nowhere"), Favourite(route: "T4"), false),
        // Directions.
        (Entity(route: "T4", direction: 0), Favourite(route: "T4"), true),
        (Entity(route: "T4", direction: 0), Favourite(route: "T4", direction: 0), true),
        (Entity(route: "T4", direction: 0), Favourite(route: "T4", direction: 1), false),
        (Entity(route: "T4", direction: 0), Favourite(trip: "T4-in"), false),
        // Trips.
        (Entity(trip: "T4-in"), Favourite(trip: "T4-in"), true),
        (Entity(trip: "T4-in"), Favourite(trip: "T4-out"), false),
        (Entity(trip: "T4-in"), Favourite(route: "T4"), true),
        (Entity(trip: "T4-in"), Favourite(route: "T4", direction: 0), false),
        (Entity(trip: "T4-in"), Favourite(stop: "bondi"), true),
        (Entity(trip: "T4-in"), Favourite(stop: "airport"), false),
        (Entity(trip: "extra"), Favourite(route: "T4"), false),
        (Entity(route: "T4", trip: "extra"), Favourite(route: "T4"), true),
        (Entity(route: "T4", trip: "extra"), Favourite(trip: "T4-in"), false),
        (Entity(trip: "charter"), Favourite(trip: "charter"), true),
    ]

    @Test("an entity is about what all of its fields apply to", arguments: cases.indices)
    func entity(_ index: Int) throws {
        let (entity, favourite, isAffected) = Self.cases[index]
        let riders = [Rider(id: "amira", favourites: [favourite])]
        let alert = ServiceAlert(id: "a", header: TranslatedText([.init("x")]), entities: [entity])
        let affected = try Self.matcher(riders).affected(by: alert, now: Date())
        #expect(affected == (isAffected ? [0] : []), "\(entity) \(favourite)")
    }

    @Test("a rider is affected once, however many favourites and entities match")
    func once() throws {
        let riders = [
            Rider(
                id: "amira",
                favourites: [Favourite(route: "T4"), Favourite(stop: "bondi"), Favourite(trip: "T4-in")]
            ),
            Rider(id: "ben", favourites: [Favourite(route: "T8")]),
        ]
        let alert = ServiceAlert(
            id: "a",
            header: TranslatedText([.init("x")]),
            entities: [Entity(route: "T4"), Entity(stop: "bondi"), Entity(agency: "trains", stop: "bondi")]
        )
        #expect(try Self.matcher(riders).affected(by: alert, now: Date()) == [0])
    }

    @Test(
        "thresholds of severity and effect",
        arguments: [
            (Severity.info, Severity.warning, Effect.detour, [Effect]?.none, false),
            (.warning, .warning, .detour, nil, true),
            (.severe, .warning, .detour, nil, true),
            (.severe, .info, .none, nil, false),
            (.severe, .info, .none, [.none], true),
            (.severe, .info, .detour, [.noService], false),
            (.severe, .info, .noService, [.noService, .detour], true),
        ] as [(Severity, Severity, Effect, [Effect]?, Bool)]
    )
    func thresholds(severity: Severity, minimum: Severity, effect: Effect, effects: [Effect]?, told: Bool) throws {
        let rider = Rider(id: "a", minimumSeverity: minimum, effects: effects, favourites: [Favourite(route: "T4")])
        let alert = ServiceAlert(
            id: "a",
            header: TranslatedText([.init("x")]),
            severity: severity,
            effect: effect,
            entities: [Entity(route: "T4")]
        )
        #expect(try Self.matcher([rider]).affected(by: alert, now: Date()).isEmpty == !told)
    }

    static func matcher(_ riders: [Rider]) throws -> AlertMatcher {
        let zone = try #require(TimeZone(identifier: network.timeZone))
        return AlertMatcher(riders: riders, network: network, calendar: CityCalendar(zone: zone))
    }
}
