import MartletCore

/// Which row of `fan_outs`: a notification's audience, or one of its holds.
struct FanOutKey: Hashable {
    var notification: RowID<Notification>
    /// The hold; 0 is the audience.
    var hold: RowID<Hold>

    /// An audience's, unless a hold is named.
    init(_ notification: RowID<Notification>, hold: RowID<Hold> = RowID(0)) {
        self.notification = notification
        self.hold = hold
    }

    /// The key of a row with both columns.
    init(_ row: Row) { self.init(row.row("notification_id"), hold: row.row("hold_id")) }

    /// Whether it is an audience.
    var isAudience: Bool { hold.rawValue == 0 }
}

extension FanOut {
    /// Its row.
    var key: FanOutKey { FanOutKey(notification.row, hold: hold?.row ?? RowID(0)) }
}
