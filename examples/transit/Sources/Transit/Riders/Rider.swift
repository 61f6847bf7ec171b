/// What a rider wants to hear of.
package struct Rider: Sendable, Codable, Equatable {
    /// The user's id at Martlet, which is the subject of their token.
    package var id: String
    /// A BCP 47 tag.
    package var language: String
    /// What is less bad is not told.
    package var minimumSeverity: Severity
    /// The effects to tell of; `nil` is all but `no_effect`.
    package var effects: [Effect]?
    package var favourites: [Favourite]

    package init(
        id: String,
        language: String = "en",
        minimumSeverity: Severity = .info,
        effects: [Effect]? = nil,
        favourites: [Favourite]
    ) {
        self.id = id
        self.language = language
        self.minimumSeverity = minimumSeverity
        self.effects = effects
        self.favourites = favourites
    }

    enum CodingKeys: String, CodingKey {
        case id, language
        case minimumSeverity = "minimum_severity"
        case effects, favourites
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        language = try values.decodeIfPresent(String.self, forKey: .language) ?? "en"
        minimumSeverity = try values.decodeIfPresent(Severity.self, forKey: .minimumSeverity) ?? .info
        effects = try values.decodeIfPresent([Effect].self, forKey: .effects)
        favourites = try values.decode([Favourite].self, forKey: .favourites)
    }
}

/// A part of the network that a rider uses, and when. A field that is absent stands for all there is.
package struct Favourite: Sendable, Codable, Equatable {
    package var route: String?
    package var stop: String?
    package var trip: String?
    package var direction: Int?
    /// When the rider travels; `nil` is always.
    package var windows: [TravelWindow]?

    package init(
        route: String? = nil,
        stop: String? = nil,
        trip: String? = nil,
        direction: Int? = nil,
        windows: [TravelWindow]? = nil
    ) {
        self.route = route
        self.stop = stop
        self.trip = trip
        self.direction = direction
        self.windows = windows
    }
}

/// A span of the day by the clocks of the city, on some days of the week.
package struct TravelWindow: Sendable, Codable, Hashable {
    /// From 1, Monday, to 7.
    package var days: [Int]
    /// `HH:MM`.
    package var from: String
    /// `HH:MM`; at or before `from` it is on the next day. `24:00` is the end of the day.
    package var to: String

    package init(days: [Int], from: String, to: String) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// The minutes of a time of day; `nil` when it is none.
    package static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hours = Int(parts[0]),
            let minutes = Int(parts[1]), (0..<60).contains(minutes), (0..<24).contains(hours) || text == "24:00"
        else { return nil }
        return hours * 60 + minutes
    }
}
