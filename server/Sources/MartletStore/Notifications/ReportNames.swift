import MartletCore
import MartletWire

/// What stands in a report in place of keys, for some lines of it.
struct ReportNames {
    private struct Device {
        var id: PublicID
        var platform: Platform
        var hasUser: Bool
    }

    private var devices: [RowID<Endpoint>: Device] = [:]
    private var users: [RowID<User>: String] = [:]
    private var notifications: [RowID<Notification>: PublicID] = [:]

    init(_ transaction: Transaction, _ lines: [ReportLine]) throws {
        try transaction.forEach(SQL.reportDevices, Self.keys(lines, \.endpoint)) { row in
            devices[row.row("id")] = Device(
                id: try row.publicID("public_id"),
                platform: try row.code("platform"),
                hasUser: !row.isNull("user_id")
            )
        }
        try transaction.forEach(SQL.reportUsers, Self.keys(lines, \.user)) { row in
            users[row.row("id")] = row.optionalText("external_id")
        }
        try transaction.forEach(SQL.reportNotifications, Self.keys(lines, \.heldBy)) { row in
            notifications[row.row("id")] = try row.publicID("public_id")
        }
    }

    /// The keys of one kind, each once and in order: those of a page stand near each other.
    private static func keys<Thing>(_ lines: [ReportLine], _ key: (ReportLine) -> RowID<Thing>?) -> [RowID<Thing>] {
        Set(lines.compactMap(key)).sorted()
    }

    func report(_ line: ReportLine) -> DeliveryReport {
        let device = line.endpoint.flatMap { devices[$0] }
        return DeliveryReport(
            endpoint: device?.id,
            endpointRow: line.endpoint,
            platform: device?.platform,
            user: line.user.flatMap { users[$0] },
            hasUser: device?.hasUser ?? false,
            isReachedOtherwise: line.isReachedOtherwise,
            state: line.state,
            reason: line.reason ?? line.waiting?.reason,
            heldBy: line.heldBy.flatMap { notifications[$0] },
            detail: line.detail,
            attempts: line.attempts,
            at: line.at,
            waiting: line.waiting
        )
    }
}

extension SQL {
    /// Devices by their keys.
    static let reportDevices = KeyStatement { keys in
        "SELECT id, public_id, platform, user_id FROM endpoints WHERE id IN (\(keys))"
    }

    /// Users by theirs.
    static let reportUsers = KeyStatement { "SELECT id, external_id FROM users WHERE id IN (\($0))" }

    /// Notifications by theirs.
    static let reportNotifications = KeyStatement { "SELECT id, public_id FROM notifications WHERE id IN (\($0))" }
}
