import MartletCore

extension Transaction {
    /// Writes a draft as batches of at most ``MemberList/limit`` members.
    ///
    /// - Parameter leasedAt: when its members were leased last: an answer from then may still come.
    func insert(
        _ draft: BatchDraft,
        of head: NotificationHead,
        expiresAt: Timestamp,
        leasedAt: Timestamp? = nil
    ) throws {
        let members = draft.members.sorted { $0.endpoint < $1.endpoint }
        for start in stride(from: 0, to: members.count, by: MemberList.limit) {
            var part = draft
            part.members = Array(members[start..<min(start + MemberList.limit, members.count)])
            try insertRow(part, of: head, expiresAt: expiresAt, leasedAt: leasedAt)
        }
    }

    /// Writes a draft as one batch that is leased already.
    func insertLeased(_ draft: BatchDraft, of head: NotificationHead, _ lease: Lease) throws -> LeasedBatch {
        var draft = draft
        draft.members.sort { $0.endpoint < $1.endpoint }
        let row = try insertRow(draft, of: head, expiresAt: head.expiresAt, leasedAt: now, lease: lease)
        return LeasedBatch(row: row, draft: draft)
    }

    @discardableResult
    private func insertRow(
        _ draft: BatchDraft,
        of head: NotificationHead,
        expiresAt: Timestamp,
        leasedAt: Timestamp?,
        lease: Lease? = nil
    ) throws -> RowID<Batch> {
        let waitUntil = head.isCancelled ? nil : draft.notBefore
        let state: WorkState = waitUntil.map { $0 > now } ?? false ? .waiting : .ready
        let members = draft.members
        let insert = try prepare(SQL.insertBatch)
            .bind(
                Int64(0),
                head.row,
                draft.queue.app,
                draft.queue.platform.code,
                draft.queue.environment.code,
                draft.isEnvironmentKnown,
                state.code,
                head.class.code,
                draft.attempts,
                head.createdAt,
                waitUntil,
                head.isCancelled ? Timestamp.cancelled : expiresAt,
                lease?.process,
                lease?.holder,
                lease.map { _ in now + Lease.duration } ?? Timestamp(milliseconds: 0),
                leasedAt,
                lease == nil ? 0 : 1,
                members.count,
                members[0].endpoint,
                members[members.count - 1].endpoint,
                head.mark,
                draft.lastReason,
                MemberList.encode(members)
            )
        // Another process may have drawn the same key.
        while true {
            let row = RowID<Batch>(keys.nextKey(at: now))
            insert.set(1, row)
            if try insert.writeOne() { return row }
        }
    }

    /// Puts other members into a batch.
    func rewrite(_ members: [Member], in batch: RowID<Batch>) throws {
        let endpoints = members.map(\.endpoint)
        guard let first = endpoints.min(), let last = endpoints.max() else { return try deleteBatch(batch) }
        try prepare("UPDATE batches SET first_endpoint = ?, last_endpoint = ?, members = ? WHERE id = ?")
            .bind(first, last, MemberList.encode(members), batch)
            .run()
    }

    /// Deletes a batch that is over.
    func deleteBatch(_ batch: RowID<Batch>) throws {
        try prepare("DELETE FROM batches WHERE id = ?").bind(batch).run()
    }

    /// Has the keys of batches go on after the last one, so that what waits keeps its order over a restart.
    package func followKeys() throws {
        try keys.follow(prepare("SELECT coalesce(max(id), 0) AS last FROM batches").one { $0.int("last") })
    }

    /// What is leased.
    static let leasedTables = ["batches", "fan_outs", "webhook_deliveries"]

    /// Ends all leases: those of a server that is gone. What may be poison waits a little.
    func releaseAllLeases() throws {
        try followKeys()
        try wakeLeasedQueues()
        for table in Self.leasedTables {
            try prepare(
                """
                UPDATE \(table) SET lease_process = NULL, lease_holder = NULL,
                    lease_until = CASE WHEN lease_count < ? THEN 0 ELSE ? END
                WHERE lease_holder IS NOT NULL
                """
            )
            .bind(LeaseAdmission.isolatedFrom, now + LeaseAdmission.pauseAfterStart)
            .run()
        }
    }
}

/// A batch that was leased as it was written.
struct LeasedBatch {
    /// The key inside the store.
    var row: RowID<Batch>
    /// What was written, the members by ascending endpoint.
    var draft: BatchDraft
}
