public import MartletCore
import MartletWire

extension Store {
    /// Takes notifications whose time has come and whose audience is not read to its end, and holds that are due, most
    /// urgent and oldest first; those of expired leases too, as ``LeaseAdmission`` says. Of each app at most its share.
    public func leaseFanOuts(limit: Int, share: FanOutShare, lease: Lease) async throws -> [FanOut] {
        try await write { transaction in
            try transaction.prepare(SQL.beginScheduled).bind(transaction.now).run()
            var share = share
            var leased: [FanOut] = []
            var seen: Set<FanOutKey> = []
            // What is quarantined on the way takes no capacity: behind it is read on.
            while leased.count < limit {
                let open = try transaction.openFanOuts(limit: limit - leased.count, share: share)
                    .filter { seen.insert($0).inserted }
                let taken = try open.compactMap { try transaction.take($0, lease) }
                for fanOut in taken { share.taken[fanOut.notification.app, default: 0] += 1 }
                leased += taken
                if taken.count == open.count { break }
            }
            return leased
        }
    }

    /// Writes one gated part in one transaction: claims (one atomic statement for each subject), suppressions, batches,
    /// holds, counters and the cursor. People who are held until the same moment fill up that moment's last hold. A subject whose dedup key is held by another notification within the cooldown becomes
    /// a `duplicate` suppression; a claim that this notification holds itself passes.
    ///
    /// - Returns: the fan-out as it goes on, `nil` when it is at its end, was cancelled, or the lease is lost.
    public func commit(_ page: GatedPage, of fanOut: FanOut) async throws -> FanOut? {
        try await write { try $0.commit(page, of: fanOut) }
    }
}

extension Transaction {
    /// Ends the lease, if it is still the holder's.
    func release(_ fanOut: FanOut) throws {
        try prepare(
            """
            UPDATE fan_outs SET lease_holder = NULL, lease_until = 0, lease_count = 0
            WHERE notification_id = ? AND hold_id = ? AND lease_holder = ?
            """
        )
        .bind(fanOut.key.notification, fanOut.key.hold, fanOut.lease.holder)
        .run()
    }

    /// Without a holder a fan-out is not under way; the count of its leases stays.
    func nack(_ fanOut: FanOut) throws {
        try prepare(
            "UPDATE fan_outs SET lease_holder = NULL WHERE notification_id = ? AND hold_id = ? AND lease_holder = ?"
        )
        .bind(fanOut.key.notification, fanOut.key.hold, fanOut.lease.holder)
        .run()
    }

    /// Writes a part of an audience: claims, inbox items, batches, holds, suppressions, counters.
    ///
    /// - Returns: the batches that are leased with the reservation.
    @discardableResult
    func write(_ page: PageCommit, of head: NotificationHead, reservation: Reservation? = nil) throws -> [LeasedBatch] {
        var (page, reservation, leased) = (page, reservation, [LeasedBatch]())
        let subjects = head.dedup == nil ? [] : page.subjects
        if let dedup = head.dedup, !subjects.isEmpty {
            page.suppress(heldBy: try claim(subjects, dedup: dedup, of: head))
        }
        try leaveItem(for: page.inboxUsers, of: head)
        for batch in page.batches {
            if let lease = reservation?.lease, try reservation?.take(batch, isPaused: isPaused(batch.queue)) ?? false {
                leased.append(try insertLeased(batch, of: head, lease))
            } else {
                try insert(batch, of: head, expiresAt: head.expiresAt)
            }
        }
        for draft in page.holds { try hold(draft, of: head) }
        var change = CountChange()
        change.planned = page.planned
        change.suppressed = try suppress(page.suppressions, of: head.row, in: head.app)
        change.suppressed += try suppress(page.duplicates, of: head.row, in: head.app)
        try count(change, of: head.row)
        return leased
    }

    /// Ends a fan-out: whether its audience, or its hold, was read to the end or not.
    func closeFanOut(_ key: FanOutKey) throws {
        if key.isAudience {
            try forgetTopic(of: key.notification)
        } else {
            try prepare("DELETE FROM holds WHERE notification_id = ? AND id = ?").bind(key.notification, key.hold).run()
        }
        try prepare("DELETE FROM fan_outs WHERE notification_id = ? AND hold_id = ?")
            .bind(key.notification, key.hold)
            .run()
        try forgetMoves(of: key.notification)
        try finishIfOver(key.notification)
    }

    /// Fan-outs that nobody holds, most urgent and oldest first, of each app at most its share; of those that may be
    /// poison one of an app.
    fileprivate func openFanOuts(limit: Int, share: FanOutShare) throws -> [FanOutKey] {
        var found: [(key: FanOutKey, class: Int64)] = []
        for state in [WorkState.isolated, .ready] {
            var last: RowID<App> = RowID(0)
            while let app = try prepare(SQL.nextFanOutApp).bind(state.code, last).first({
                $0.row("app_id") as RowID<App>
            }) {
                last = app
                let capacity = min(limit, share.capacity(for: app), state == .isolated ? 1 : .max)
                guard capacity > 0, try state == .ready || !isIsolatedLeased(app) else { continue }
                found += try prepare(SQL.openFanOuts).bind(state.code, app, now, capacity)
                    .all { (key: FanOutKey($0), class: $0.int("class")) }
            }
        }
        let sorted = found.sorted {
            ($0.class, $0.key.notification, $0.key.hold) < ($1.class, $1.key.notification, $1.key.hold)
        }
        return sorted.prefix(limit).map(\.key)
    }

    /// Whether a fan-out of an app is leased that may be poison.
    private func isIsolatedLeased(_ app: RowID<App>) throws -> Bool {
        try prepare(SQL.isFanOutIsolated).bind(app, now).exists()
    }

    fileprivate func take(_ key: FanOutKey, _ lease: Lease) throws -> FanOut? {
        let found = try prepare(
            """
            SELECT cursor_major, cursor_minor, lease_count, state, mark FROM fan_outs
            WHERE notification_id = ? AND hold_id = ?
            """
        )
        .bind(key.notification, key.hold)
        .first {
            (
                cursor: FanOut.Cursor(major: $0.int("cursor_major"), minor: $0.int("cursor_minor")),
                failures: $0.count("lease_count"), state: try $0.code("state", as: WorkState.self),
                mark: $0.optionalInt("mark")
            )
        }
        guard let found else { return nil }
        let (notification, hold): (Notification?, Hold?)
        do {
            (notification, hold) = (try self.notification(key.notification), try readHold(key))
        } catch is Failure {
            try quarantineFanOut(key, .unreadable, tries: found.failures)
            return nil
        }
        guard var notification else { return nil }
        let state: WorkState = found.failures >= LeaseAdmission.isolatedFrom ? .isolated : .ready
        if state != found.state { try setFanOutState(state, of: key) }
        switch LeaseAdmission(failures: found.failures, isOtherIsolated: try isIsolatedLeased(notification.app)) {
        case .lease: break
        case .wait, .extend: return nil
        case .quarantine:
            try quarantineFanOut(key, .crashed, tries: found.failures)
            return nil
        }
        // Published with its first lease: what people change from now on does not move its audience any more.
        let mark = try found.mark ?? lastPreferenceChange(of: notification.app)
        // As it was seen: no one else has leased it since.
        let isMine = try prepare(
            """
            UPDATE fan_outs SET lease_process = ?, lease_holder = ?, lease_until = ?, lease_count = lease_count + 1,
                mark = ?
            WHERE notification_id = ? AND hold_id = ? AND lease_until <= ? AND lease_count = ?
                AND cursor_major = ? AND cursor_minor = ?
            """
        )
        .bind(
            lease.process,
            lease.holder,
            now + Lease.duration,
            mark,
            key.notification,
            key.hold,
            now,
            found.failures,
            found.cursor.major,
            found.cursor.minor
        )
        .changes()
        guard isMine > 0 else { return nil }
        if found.mark != nil, let category = notification.category {
            notification.category = try self.category(category, asOf: mark)
        }
        return FanOut(
            notification: notification,
            hold: hold,
            cursor: found.cursor,
            lease: lease,
            mark: mark,
            alerts: try alerts(of: key.notification)
        )
    }

    private func setFanOutState(_ state: WorkState, of key: FanOutKey) throws {
        try prepare("UPDATE fan_outs SET state = ? WHERE notification_id = ? AND hold_id = ?")
            .bind(state.code, key.notification, key.hold)
            .run()
    }

    fileprivate func commit(_ page: GatedPage, of fanOut: FanOut) throws -> FanOut? {
        let row = fanOut.notification.row
        guard var head = try head(of: row) else { return nil }
        let next = try fanOut.next(after: page.next, hasMoves: hasMoves(row))
        guard let state = try advance(fanOut, to: next ?? fanOut.cursor) else { return nil }
        head.mark = fanOut.mark
        // What is held has an end of its own.
        if let hold = fanOut.hold { head.expiresAt = hold.expiresAt }
        try write(PageCommit(page, met: try met(page, of: fanOut)), of: head)
        guard let next else {
            try closeFanOut(fanOut.key)
            return nil
        }
        if state == .isolated { try setFanOutState(.ready, of: fanOut.key) }
        var further = fanOut
        further.cursor = next
        return further
    }

    /// Moves the cursor and renews the lease, if it is held and the cursor is where the part began: a page whose answer
    /// was lost is not written a second time.
    ///
    /// - Returns: the state of the fan-out; `nil` when it is another holder's, or further on.
    private func advance(_ fanOut: FanOut, to next: FanOut.Cursor) throws -> WorkState? {
        try prepare(
            """
            UPDATE fan_outs SET cursor_major = ?, cursor_minor = ?, lease_until = ?, lease_count = 0
            WHERE notification_id = ? AND hold_id = ? AND lease_holder = ? AND cursor_major = ? AND cursor_minor = ?
            RETURNING state
            """
        )
        .bind(
            next.major,
            next.minor,
            now + Lease.duration,
            fanOut.key.notification,
            fanOut.key.hold,
            fanOut.lease.holder,
            fanOut.cursor.major,
            fanOut.cursor.minor
        )
        .first { try $0.code("state", as: WorkState.self) }
    }
}

extension Store {
    /// Takes notifications whatever app they are of.
    public func leaseFanOuts(limit: Int, lease: Lease) async throws -> [FanOut] {
        try await leaseFanOuts(limit: limit, share: FanOutShare(), lease: lease)
    }
}

extension Store {
    /// Takes a queue's batches, of whatever size.
    public func leaseBatches(_ queue: DeliveryQueue, limit: Int, lease: Lease) async throws -> [Batch] {
        try await leaseBatches(queue, capacity: BatchCapacity(batches: limit), lease: lease).batches
    }
}

extension Store {
    /// The numbers that an operator watches.
    public func statistics() async throws -> StoreStatistics { try await statistics(.operation) }

    /// How much a submission waits for.
    public func waitingDeliveries() async throws -> WaitingDeliveries { try await statistics(.waiting).waiting }
}
