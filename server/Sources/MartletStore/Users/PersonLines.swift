import MartletCore
import MartletWire

/// A person as the tables of deliveries know them.
struct PersonKey {
    /// The user.
    var user: RowID<User>
    /// Their devices' keys, in order; those that are gone too, or somebody else's by now.
    let devices: [Int64]

    init(user: RowID<User>, devices: [Int64], former: [Int64]) {
        self.user = user
        self.devices = Set(devices).union(former).sorted()
    }

    /// The keys under which something may be recorded of them: those of the devices, and that of an anonymous device.
    fileprivate var keys: [Int64] { [SuppressionKey.user + user.rawValue] + devices }
}

/// What was recorded of a notification and a person.
struct PersonLines {
    private(set) var byKey: [Int64: ReportLine] = [:]
    /// How many lists of members were read for it.
    private(set) var lists = 0

    /// Reads it, by the person's devices.
    ///
    /// - Parameters:
    ///   - isWhole: whether everything of the notification is looked through, for devices that were the person's then.
    ///   - hasPending: whether those that wait are asked for too.
    init(
        _ transaction: Transaction,
        _ notification: RowID<Notification>,
        _ person: PersonKey,
        isWhole: Bool,
        hasPending: Bool
    ) throws {
        // As in a report, a result takes precedence over the others.
        if hasPending { try addMembers(transaction, SQL.personPending, notification, person, isWhole, .pending) }
        try addSuppressions(transaction, notification, person, isWhole)
        try addMembers(transaction, SQL.personAccepted, notification, person, isWhole, .accepted)
        try addResults(transaction, notification, person, isWhole)
    }

    /// The lines, the person's own first.
    var sorted: [ReportLine] { byKey.values.sorted { $0.key < $1.key } }

    private mutating func addMembers(
        _ transaction: Transaction,
        _ sql: String,
        _ notification: RowID<Notification>,
        _ person: PersonKey,
        _ isWhole: Bool,
        _ state: DeliveryState
    ) throws {
        let first = isWhole ? 0 : person.devices.first
        let last = isWhole ? Int64.max : person.devices.last
        guard let first, let last else { return }
        try transaction.prepare(sql).bind(notification, last, first).forEach { row in
            lists += 1
            // One that cannot be read is shown as quarantined.
            guard let members = try? row.members("members") else { return }
            let line = ReportLine(row, state)
            for member in members where member.user == person.user {
                byKey[member.endpoint.rawValue] = line.of(member)
            }
        }
    }

    private mutating func addSuppressions(
        _ transaction: Transaction,
        _ notification: RowID<Notification>,
        _ person: PersonKey,
        _ isWhole: Bool
    ) throws {
        try forEachRow(
            transaction,
            SQL.allPersonSuppressions,
            SQL.personSuppressions,
            notification,
            person,
            isWhole,
            keys: person.keys
        ) { row in
            byKey[row.int("key")] = ReportLine(
                key: row.int("key"),
                user: person.user,
                state: .suppressed,
                reason: try row.code("reason", as: Suppression.Reason.self).rawValue,
                heldBy: row.optionalRow("held_by"),
                detail: row.optionalText("detail").flatMap(Suppression.Detail.init),
                attempts: 0,
                at: row.time("created_at")
            )
        }
    }

    private mutating func addResults(
        _ transaction: Transaction,
        _ notification: RowID<Notification>,
        _ person: PersonKey,
        _ isWhole: Bool
    ) throws {
        try forEachRow(
            transaction,
            SQL.allPersonResults,
            SQL.personResults,
            notification,
            person,
            isWhole,
            keys: person.devices
        ) { row in
            byKey[row.int("endpoint_id")] = ReportLine(
                key: row.int("endpoint_id"),
                user: person.user,
                state: DeliveryState(try row.code("state", as: DeliveryResult.State.self)),
                reason: row.optionalText("reason"),
                attempts: row.count("attempts"),
                at: row.time("settled_at")
            )
        }
    }

    /// Calls `body` with the rows of all keys, or of so many keys at a time.
    private func forEachRow(
        _ transaction: Transaction,
        _ whole: String,
        _ byKeys: String,
        _ notification: RowID<Notification>,
        _ person: PersonKey,
        _ isWhole: Bool,
        keys: [Int64],
        _ body: (Row) throws -> Void
    ) throws {
        guard !isWhole else {
            return try transaction.prepare(whole).bind(notification, person.user).forEach(body)
        }
        for start in stride(from: 0, to: keys.count, by: SQL.devices) {
            let statement = try transaction.prepare(byKeys).bind(notification, person.user)
            for place in 0..<SQL.devices {
                statement.set(Int32(3 + place), keys[min(start + place, keys.count - 1)])
            }
            try statement.forEach(body)
        }
    }
}
