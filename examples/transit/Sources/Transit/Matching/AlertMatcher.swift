package import Foundation

/// Finds the riders that an alert affects, each once, however many of their favourites it is about.
///
/// A rider is affected when the alert is about a favourite, is active within the favourite's windows from now on, and
/// passes the rider's thresholds.
package struct AlertMatcher: Sendable {
    package let riders: [Rider]
    package let calendar: CityCalendar
    private let table: FavouriteTable
    private let effects: [Set<Effect>?]

    package init(riders: [Rider], network: Network, calendar: CityCalendar) {
        self.riders = riders
        self.calendar = calendar
        table = FavouriteTable(riders, network: network)
        effects = riders.map { $0.effects.map(Set.init) }
    }

    package var favouriteCount: Int { table.rows.count }

    /// The riders' positions in ``riders``, ascending.
    package func affected(by alert: ServiceAlert, now: Date) -> [Int] {
        let active = calendar.minutes(of: alert.periods, from: now)
        guard !active.isEmpty else { return [] }
        var isOpen = [Bool?](repeating: nil, count: table.schedules.count)
        var found: Set<Int32> = []
        for entity in alert.entities {
            guard let selection = EntitySelection(entity, in: table.network) else { continue }
            selection.forEachMatch(in: table) { row in
                guard !found.contains(row.rider), wants(Int(row.rider), alert) else { return }
                if row.schedule >= 0 {
                    let schedule = Int(row.schedule)
                    let open = isOpen[schedule] ?? table.schedules[schedule].intersects(active)
                    isOpen[schedule] = open
                    guard open else { return }
                }
                found.insert(row.rider)
            }
        }
        return found.map(Int.init).sorted()
    }

    private func wants(_ rider: Int, _ alert: ServiceAlert) -> Bool {
        guard alert.severity >= riders[rider].minimumSeverity else { return false }
        return effects[rider]?.contains(alert.effect) ?? (alert.effect != .none)
    }
}
