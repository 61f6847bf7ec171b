import Foundation
import Testing
import Transit
import TransitCity

/// The matcher's answers beside those that are worked out the long way.
@Suite struct LongWayTests {
    @Test("the index finds whom the long way finds, for whole weeks of made-up cities", arguments: 1...6)
    func sameRiders(seed: Int) throws {
        let city = City(seed: UInt64(seed), size: .week(riders: 40))
        let week = CityWeek(seed: UInt64(seed), city: city, alerts: 25, days: 3)
        let zone = try #require(TimeZone(identifier: city.network.timeZone))
        let matcher = AlertMatcher(riders: city.riders, network: city.network, calendar: CityCalendar(zone: zone))
        let longWay = AffectedRiders(city, from: week.start, to: week.end) {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))
        }
        var found = 0
        for phase in week.phases {
            let now = Date(timeIntervalSince1970: Double(phase.from))
            let riders = Set(matcher.affected(by: phase.alert, now: now).map { city.riders[$0].id })
            #expect(riders == longWay.affected(by: phase.alert, at: phase.from), "\(phase.alert.entities)")
            found += riders.count
        }
        #expect(found > 50)
    }
}
