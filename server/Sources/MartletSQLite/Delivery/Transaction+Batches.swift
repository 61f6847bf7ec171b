import MartletCore

extension Transaction {
    /// Writes a draft as batches of at most ``MemberList/limit`` members; says how many members there are.
    func insert(_ draft: BatchDraft, of head: NotificationHead, expiresAt: Timestamp) throws -> Int {
        let isCancelled = head.state == .cancelled
        let notBefore = isCancelled ? nil : draft.notBefore
        let members = draft.members.sorted { $0.endpoint < $1.endpoint }
        for start in stride(from: 0, to: members.count, by: MemberList.limit) {
            let part = Array(members[start..<min(start + MemberList.limit, members.count)])
            try prepare(
                """
                INSERT INTO batches (notification_id, app_id, platform, environment, is_environment_known, priority,
                    attempts, not_before, due_at, expires_at, ends_at, accepted_at, first_endpoint, last_endpoint,
                    member_count, members)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
            )
            .bind(
                head.row,
                draft.lane.app,
                draft.lane.platform.code,
                draft.lane.environment.code,
                draft.isEnvironmentKnown,
                head.priority.code,
                draft.attempts,
                notBefore,
                notBefore?.rawValue ?? 0,
                expiresAt,
                isCancelled ? Timestamp(milliseconds: 0) : expiresAt,
                head.createdAt,
                part[0].endpoint,
                part[part.count - 1].endpoint,
                part.count,
                MemberList.encode(part)
            )
            .run()
        }
        return members.count
    }

    /// Leaves only these members in a batch, which goes when there are none; says by how much what is pending moves.
    /// That somebody came so far clears the batch of the leases before.
    func keep(_ members: [Member], in batch: RowID<Batch>) throws -> Int {
        let before = try prepare("SELECT member_count FROM batches WHERE id = ?").bind(batch).first { $0.count(0) } ?? 0
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

    /// Ends all leases: those of a server that is gone. What is suspect waits a little.
    func releaseAllLeases() throws {
        try prepare(
            """
            UPDATE batches SET lease_holder = NULL, due_at = iif(lease_count < ?, coalesce(not_before, 0), ?)
            WHERE lease_holder IS NOT NULL
            """
        )
        .bind(LeaseTrial.suspectFrom, now + LeaseTrial.pauseAfterStart)
        .run()
        try prepare(
            """
            UPDATE notifications SET fan_out_holder = NULL, fan_out_until = iif(fan_out_lease_count < ?, 0, ?)
            WHERE state = 1 AND is_fan_out_open = 1 AND fan_out_holder IS NOT NULL
            """
        )
        .bind(LeaseTrial.suspectFrom, now + LeaseTrial.pauseAfterStart)
        .run()
        try releaseWebhookLeases()
    }
}
