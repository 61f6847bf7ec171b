import MartletCore
import MartletWire

/// Which of some people have a notification on one of their devices.
extension Transaction {
    /// Those of whose deliveries one was accepted. It looks at what was recorded of the devices that are theirs or were.
    func reached(_ people: Set<RowID<User>>, by notification: RowID<Notification>) throws -> Set<RowID<User>> {
        guard !people.isEmpty, let app = try appOfNotification(notification) else { return [] }
        let devices = try self.devices(of: people.sorted(), app)
        guard let first = devices.first, let last = devices.last else { return [] }
        var reached: Set<RowID<User>> = []
        func add(_ user: RowID<User>?) {
            if let user, people.contains(user) { reached.insert(user) }
        }
        let lists = try prepare(SQL.acceptedRanges).bind(notification, last, first)
            .all { row in (first: row.int("first_endpoint"), last: row.int("last_endpoint")) }
            .filter { devices.hasOne(from: $0.first, through: $0.last) }
        try forEach(SQL.acceptedLists, lists.map(\.first), bind: { $0.bind(notification) }) { row in
            // One that cannot be read is shown as quarantined; the rest of the list is none the worse for it.
            guard let members = try? row.members("members") else { return }
            for member in members { add(member.user) }
        }
        // Answers that came when another worker had the batch are rows.
        try forEach(SQL.acceptedLate, devices, bind: { $0.bind(notification) }) { add($0.optionalRow("user_id")) }
        return reached
    }

    private func appOfNotification(_ notification: RowID<Notification>) throws -> RowID<App>? {
        try prepare("SELECT app_id FROM notifications WHERE id = ?").bind(notification).first { $0.row("app_id") }
    }

    /// The devices that are people's or were, by ascending key.
    private func devices(of people: [RowID<User>], _ app: RowID<App>) throws -> [Int64] {
        var devices: Set<Int64> = []
        for areGone in [false, true] {
            try forEach(SQL.devicesOfPeople(areGone: areGone), people, bind: { $0.bind(app) }) {
                devices.insert($0.int("id"))
            }
        }
        try forEach(SQL.formerDevicesOfPeople, people) { devices.insert($0.int("endpoint_id")) }
        return devices.sorted()
    }
}

extension [Int64] {
    /// Whether one of these, which ascend, is in a range.
    fileprivate func hasOne(from first: Int64, through last: Int64) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < first { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] <= last
    }
}

/// What finds who has a notification; a test reads the plans.
extension SQL {
    /// People's devices: app, users. Those that are gone have an index of their own.
    static func devicesOfPeople(areGone: Bool) -> KeyStatement {
        areGone ? goneDevicesOfPeople : presentDevicesOfPeople
    }

    /// How many devices of people are looked at in one statement, of 1,000 people at most. Ours: who has more is a test's
    /// user or a shop's counter.
    private static let devicesOfPeopleLimit = 20_000

    private static let presentDevicesOfPeople = KeyStatement(after: 1) { users in
        """
        SELECT id FROM endpoints /*+ endpoints_audience */
        WHERE app_id = ?1 AND user_id IN (\(users)) AND status <> 2 ORDER BY id LIMIT \(devicesOfPeopleLimit)
        """
    }

    private static let goneDevicesOfPeople = KeyStatement(after: 1) { users in
        """
        SELECT id FROM endpoints /*+ endpoints_former */
        WHERE app_id = ?1 AND user_id IN (\(users)) AND status = 2 ORDER BY id LIMIT \(devicesOfPeopleLimit)
        """
    }

    /// Devices that were people's and are somebody else's: users.
    static let formerDevicesOfPeople = KeyStatement { users in
        """
        SELECT endpoint_id FROM former_devices WHERE user_id IN (\(users))
        ORDER BY endpoint_id LIMIT \(devicesOfPeopleLimit)
        """
    }

    /// From where to where lists of accepted deliveries go: notification, the last endpoint, the first.
    static let acceptedRanges = """
        SELECT first_endpoint, last_endpoint FROM accepted
        WHERE notification_id = ? AND first_endpoint <= ? AND last_endpoint >= ?
        """

    /// Some of these lists: notification, their first endpoints.
    static let acceptedLists = KeyStatement(after: 1) { firsts in
        "SELECT members FROM accepted WHERE notification_id = ?1 AND first_endpoint IN (\(firsts))"
    }

    /// Accepted deliveries that stand as rows: notification, endpoints.
    static let acceptedLate = KeyStatement(after: 1) { endpoints in
        """
        SELECT user_id FROM deliveries
        WHERE notification_id = ?1 AND endpoint_id IN (\(endpoints)) AND state = 1
        """
    }
}
