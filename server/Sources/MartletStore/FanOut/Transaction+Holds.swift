import MartletCore
import MartletWire

/// People who are due later stand in `holds`; what says when, and who reads them, is a row of `fan_outs` as an audience has
/// one. So they are leased, given back and quarantined as audiences are.
extension Transaction {
    /// Writes people who are due later: into the last hold of their moment as long as it has capacity, then into new ones.
    func hold(_ draft: HoldDraft, of head: NotificationHead) throws {
        var people = draft.people
        if let last = try lastHold(like: draft, of: head.row) {
            // Two parts of an audience that follow each other may both have endpoints of one user.
            let known = Set(last.people)
            people.removeAll(where: known.contains)
            let part = people.prefix(Hold.peopleLimit - last.people.count)
            if !part.isEmpty, try isWaiting(FanOutKey(head.row, hold: last.row)) {
                try prepare("UPDATE holds SET people = ?, people_count = ? WHERE notification_id = ? AND id = ?")
                    .bind(PeopleList.encode(last.people + part), last.people.count + part.count, head.row, last.row)
                    .run()
                people.removeFirst(part.count)
            }
        }
        for start in stride(from: 0, to: people.count, by: Hold.peopleLimit) {
            let part = people[start..<min(start + Hold.peopleLimit, people.count)]
            try insertHold(part, like: draft, of: head)
        }
    }

    /// A hold as it is read; `nil` where it is none.
    func readHold(_ key: FanOutKey) throws -> Hold? {
        guard !key.isAudience else { return nil }
        return try prepare(
            "SELECT id, people, expires_at, reason, times FROM holds WHERE notification_id = ? AND id = ?"
        )
        .bind(key.notification, key.hold)
        .one(Hold.init)
    }

    /// Makes the holds of a cancelled notification due, for workers to record what is cancelled with them; those that are
    /// quarantined are over.
    func cancelHolds(of notification: RowID<Notification>) throws {
        let quarantined = try prepare(
            "SELECT notification_id, hold_id FROM fan_outs WHERE notification_id = ? AND hold_id <> 0 AND state = 3"
        )
        .bind(notification)
        .all(FanOutKey.init)
        for key in quarantined { try closeFanOut(key) }
        try prepare(
            """
            UPDATE fan_outs SET state = 1, wait_until = ?
            WHERE notification_id = ? AND hold_id <> 0 AND state = 0
            """
        )
        .bind(now, notification)
        .run()
    }

    /// The last hold of the same people's moment, reason and number of times; `nil` where there is none.
    private func lastHold(like draft: HoldDraft, of notification: RowID<Notification>) throws -> Hold? {
        try prepare(SQL.lastHold)
            .bind(notification, draft.rule.until, draft.rule.reason.code, draft.times)
            // One that cannot be read is quarantined when it is due, and nobody is added to it.
            .first { try? Hold($0) } ?? nil
    }

    /// Whether nobody has a hold yet; nobody can get it before this transaction is over.
    private func isWaiting(_ key: FanOutKey) throws -> Bool {
        try prepare(
            "UPDATE fan_outs SET wait_until = wait_until WHERE notification_id = ? AND hold_id = ? AND state = 0"
        )
        .bind(key.notification, key.hold)
        .changes() > 0
    }

    private func insertHold(_ people: ArraySlice<Subject>, like draft: HoldDraft, of head: NotificationHead) throws {
        let isDue = head.isCancelled || draft.rule.until <= now
        let state: WorkState = isDue ? .ready : .waiting
        let insert = try prepare(
            """
            INSERT INTO fan_outs (notification_id, hold_id, app_id, state, class, wait_until) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (notification_id, hold_id) DO NOTHING
            """
        )
        // Another process may have drawn the same key.
        var row: RowID<Hold>
        repeat {
            row = RowID(keys.nextKey(at: now))
        } while try insert.bind(
            head.row,
            row,
            head.app,
            state.code,
            head.class.code,
            draft.rule.until
        )
        .changes() == 0
        try prepare(
            """
            INSERT INTO holds (notification_id, id, due_at, expires_at, reason, times, people_count, people)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            head.row,
            row,
            draft.rule.until,
            head.expiresAt,
            draft.rule.reason.code,
            draft.times,
            people.count,
            PeopleList.encode(people)
        )
        .run()
    }
}

extension Hold {
    /// A hold from its five columns.
    fileprivate init(_ row: Row) throws {
        guard let people = PeopleList.decode(row.bytes("people")) else { throw Row.damage("the people of a hold") }
        self.init(
            row: row.row("id"),
            people: people,
            expiresAt: row.time("expires_at"),
            reason: try row.code("reason"),
            times: row.count("times")
        )
    }
}
