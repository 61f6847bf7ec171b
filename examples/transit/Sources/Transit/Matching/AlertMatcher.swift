package import Foundation

/// Finds the riders that an alert affects, each once, however many of their favourites it is about.
///
/// A rider is affected when the alert is about a favourite, is active within the favourite's windows from now on, and
/// passes the rider's thresholds.
package struct AlertMatcher: Sendable {
    package let riders: [Rider]
    package let calendar: CityCalendar
    private let table: FavouriteTable

    package init(riders: [Rider], network: Network, calendar: CityCalendar) {
        self.riders = riders
        self.calendar = calendar
        table = FavouriteTable(riders, network: network)
    }

    package var favouriteCount: Int { table.count }

    /// The riders' positions in ``riders``, ascending.
    package func affected(by alert: ServiceAlert, now: Date) -> [Int] {
        let active = calendar.minutes(of: alert.periods, from: now)
        guard !active.isEmpty else { return [] }
        var isOpen = [Bool?](repeating: nil, count: table.schedules.count)
        let offer = FavouriteTable.Wish.Offer(alert)
        var found = NumberSet(count: riders.count)
        for entity in alert.entities {
            guard let selection = EntitySelection(entity, in: table.network) else { continue }
            selection.forEachMatch(in: table) { row in
                let rider = Int(row.rider)
                guard row.wish.takes(offer), !found.contains(rider) else { return }
                if row.schedule >= 0 {
                    let schedule = Int(row.schedule)
                    let open = isOpen[schedule] ?? table.schedules[schedule].intersects(active)
                    isOpen[schedule] = open
                    guard open else { return }
                }
                found.insert(rider)
            }
        }
        return found.numbers
    }
}
