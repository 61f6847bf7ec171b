import Foundation
import Transit
import TransitCity

/// A version as it was published, and the riders who must hear of it.
struct PublishedVersion: Sendable {
    var alert: String
    /// The headers that it has, in all languages, at any time of it.
    var headers: Set<String>
    /// Seconds since 1970, by the city's clock.
    var from: Int
    var to: Int
    var step: Step
    /// Affected when it is published and for some time after.
    var must: Set<String>
    /// Affected when it is published; their last window may be over before anybody could tell them.
    var may: Set<String>
}

/// What riders have to be told in a week.
struct PublishedVersions: Sendable {
    let versions: [PublishedVersion]
    private let byHeader: [String: Int]

    /// - Parameter slack: seconds of the city's clock that a version may take to be told.
    init(_ week: CityWeek, slack: Int) {
        let zone = TimeZone(identifier: week.city.network.timeZone) ?? .gmt
        let riders = AffectedRiders(week.city, from: week.start, to: week.end) {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))
        }
        var versions: [PublishedVersion] = []
        for phase in week.phases {
            let headers = phase.alert.header.translations.map(\.text)
            if !phase.isVersion, versions.last?.alert == phase.alert.id {
                versions[versions.count - 1].headers.formUnion(headers)
                versions[versions.count - 1].to = phase.to
                continue
            }
            let may = riders.affected(by: phase.alert, at: phase.from)
            versions.append(
                PublishedVersion(
                    alert: phase.alert.id,
                    headers: Set(headers),
                    from: phase.from,
                    to: phase.to,
                    step: phase.step,
                    must: may.intersection(riders.affected(by: phase.alert, at: phase.from + slack)),
                    may: may
                )
            )
        }
        self.versions = versions
        byHeader = Dictionary(
            versions.enumerated().flatMap { index, version in version.headers.map { ($0, index) } }
        ) { first, _ in first }
    }

    /// The position of the version whose header a push shows.
    func index(ofText text: String) -> Int? {
        byHeader[text.split(separator: "\n").first.map(String.init) ?? ""]
    }
}
