import MartletCore

extension Transaction {
    /// Writes a draft as batches of at most ``MemberList/limit`` members; says how many members there are.
    ///
    /// - Parameter leasedAt: when its members were leased last: an answer from then may still come.
    func insert(
        _ draft: BatchDraft,
        of head: NotificationHead,
        expiresAt: Timestamp,
        leasedAt: Timestamp? = nil
    ) throws -> Int {
        let members = draft.members.sorted { $0.endpoint < $1.endpoint }
        for start in stride(from: 0, to: members.count, by: MemberList.limit) {
            var part = draft
            part.members = Array(members[start..<min(start + MemberList.limit, members.count)])
            try insertRow(part, of: head, expiresAt: expiresAt, leasedAt: leasedAt)
        }
        return members.count
    }

    /// Writes a draft as one batch that is leased already, where the reservation has room and the queue is not paused;
    /// `nil` where it is not written.
    func begin(_ draft: BatchDraft, of head: NotificationHead, _ reservation: Reservation) throws -> BegunBatch? {
        guard draft.notBefore == nil, 1...MemberList.limit ~= draft.members.count, try !isPaused(draft.queue),
            reservation.take(draft.members.count, in: draft.queue)
        else { return nil }
        var draft = draft
        draft.members.sort { $0.endpoint < $1.endpoint }
        let row = try insertRow(draft, of: head, expiresAt: head.expiresAt, leasedAt: now, lease: reservation.lease)
        return BegunBatch(row: row, draft: draft)
    }

    @discardableResult
    private func insertRow(
        _ draft: BatchDraft,
        of head: NotificationHead,
        expiresAt: Timestamp,
        leasedAt: Timestamp?,
        lease: Lease? = nil
    ) throws -> RowID<Batch> {
        let isCancelled = head.state == .cancelled
        let notBefore = isCancelled ? nil : draft.notBefore
        let dueAt = lease.map { _ in now + Lease.duration } ?? notBefore
        let members = draft.members
        return try prepare(
            """
            INSERT INTO batches (notification_id, app_id, platform, environment, is_environment_known, priority,
                attempts, not_before, due_at, expires_at, ends_at, lease_process, lease_holder, leased_at, lease_count,
                accepted_at, first_endpoint, last_endpoint, member_count, members)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING id
            """
        )
        .bind(
            head.row,
            draft.queue.app,
            draft.queue.platform.code,
            draft.queue.environment.code,
            draft.isEnvironmentKnown,
            head.priority.code,
            draft.attempts,
            notBefore,
            dueAt?.rawValue ?? 0,
            expiresAt,
            isCancelled ? Timestamp(milliseconds: 0) : expiresAt,
            lease?.process,
            lease?.holder,
            leasedAt,
            lease == nil ? 0 : 1,
            head.createdAt,
            members[0].endpoint,
            members[members.count - 1].endpoint,
            members.count,
            MemberList.encode(members)
        )
        .one { $0.row("id") }
    }

    /// Leaves only these members in a batch, which goes when there are none; says by how much what is pending moves.
    /// That somebody came so far clears the batch of the leases before.
    func keep(_ members: [Member], in batch: RowID<Batch>) throws -> Int {
        let before =
            try prepare("SELECT member_count FROM batches WHERE id = ?").bind(batch)
            .first { $0.count("member_count") } ?? 0
        let endpoints = members.map(\.endpoint)
        guard let first = endpoints.min(), let last = endpoints.max() else {
            try prepare("DELETE FROM batches WHERE id = ?").bind(batch).run()
            return -before
        }
        try prepare(
            """
            UPDATE batches SET members = ?, member_count = ?, first_endpoint = ?, last_endpoint = ?, lease_count = 0
            WHERE id = ?
            """
        )
        .bind(MemberList.encode(members), members.count, first, last, batch)
        .run()
        return members.count - before
    }

    /// Ends all leases: those of a server that is gone. What may be poison waits a little.
    func releaseAllLeases() throws {
        try prepare(
            """
            UPDATE batches SET lease_process = NULL, lease_holder = NULL,
                due_at = CASE WHEN lease_count < ? THEN coalesce(not_before, 0) ELSE ? END
            WHERE lease_holder IS NOT NULL
            """
        )
        .bind(LeaseAdmission.aloneFrom, now + LeaseAdmission.pauseAfterStart)
        .run()
        try prepare(
            """
            UPDATE notifications SET fan_out_holder = NULL,
                fan_out_until = CASE WHEN fan_out_lease_count < ? THEN 0 ELSE ? END
            WHERE state = 1 AND is_fan_out_open = 1 AND fan_out_holder IS NOT NULL
            """
        )
        .bind(LeaseAdmission.aloneFrom, now + LeaseAdmission.pauseAfterStart)
        .run()
        try releaseWebhookLeases()
    }
}

/// A batch that was leased as it was written.
struct BegunBatch {
    /// The key inside the store.
    var row: RowID<Batch>
    /// What was written, the members by ascending endpoint.
    var draft: BatchDraft
}
