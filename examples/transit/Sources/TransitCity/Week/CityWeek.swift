package import Transit

/// An alert's content from one moment to the next.
package struct Phase: Sendable {
    /// Seconds since 1970.
    package var from: Int
    package var to: Int
    package var alert: ServiceAlert
    /// Whether riders are to be told: a translation that is added, say, tells nobody anything new.
    package var isVersion: Bool
    package var step: Step
}

/// What an agency does with an alert.
package enum Step: String, Sendable, CaseIterable {
    case created, updated, escalated, translated
}

/// How the feed's server fails once.
package enum FeedFault: String, Sendable, CaseIterable {
    case late, twice, malformed, backwards, empty, tenThousand, contentType, tooLarge, slow, failing, future,
        changesOnly
}

/// A week of a city's alerts, the same for the same seed. The clocks go back in its last night.
package struct CityWeek: Sendable {
    /// Monday, 30 March 2026, 00:00 in Sydney; daylight saving time ends there on Sunday, 5 April.
    package static let monday = 1_774_789_200
    private static let hour = 3_600
    /// A version stays for as long at least, so that a backend which was killed just then still sees it.
    private static let shortestPhase = 5

    package let city: City
    package let start: Int
    package let end: Int
    package let phases: [Phase]
    package let faults: [(time: Int, fault: FeedFault)]

    /// - Parameter days: the last so many days of the week.
    package init(seed: UInt64, city: City, alerts: Int, days: Int) {
        self.city = city
        end = Self.monday + (7 * 24 + 1) * Self.hour
        start = end - (days * 24 + 1) * Self.hour
        var numbers = SeededNumbers(seed: seed)
        // What is left is for the feeds in which the last alerts are missing.
        let (begin, last) = (start, end - 12 * Self.hour)
        let hours = (end - start) / Self.hour
        phases = (1...max(1, alerts)).flatMap { number in
            let from = begin + (1 + numbers.below(max(1, hours - 24))) * Self.hour
            return Self.phases(of: "alert-\(number)", from: from, until: last, in: city, &numbers)
        }
        let gap = (end - start) / (FeedFault.allCases.count + 2)
        faults = FeedFault.allCases.enumerated().map { (begin + ($0.offset + 1) * gap + 1_234, $0.element) }
    }

    /// What the feed has at a time.
    package func alerts(at time: Int) -> [ServiceAlert] {
        phases.filter { $0.from <= time && time < $0.to }.map(\.alert)
    }

    private static func phases(
        of id: String,
        from: Int,
        until end: Int,
        in city: City,
        _ numbers: inout SeededNumbers
    ) -> [Phase] {
        var story = AlertStory(id: id, city: city, &numbers)
        var phases: [Phase] = []
        var time = from
        var step = Step.created
        while true {
            let length = (shortestPhase + numbers.below(12)) * hour
            let isLast = phases.count == 4 || time + 2 * length > end || numbers.chance(25)
            let to = min(time + length, end)
            // A new end is a new version, and a translation is to be none.
            if isLast, step != .translated, numbers.chance(50) { story.limit(to: to - hour, since: from) }
            phases.append(Phase(from: time, to: to, alert: story.alert, isVersion: step != .translated, step: step))
            guard !isLast else { return phases }
            time = to
            step = story.advance(&numbers)
        }
    }
}
