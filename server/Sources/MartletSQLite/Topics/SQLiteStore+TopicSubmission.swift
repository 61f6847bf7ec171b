import MartletCore
import MartletWire

extension SQLiteStore {
    /// Submits one notification to a topic: finds the policies that its message matches before the writer is taken.
    func submitToTopic(
        _ draft: NotificationDraft,
        idempotency: IdempotencyRecord?,
        gate: Gate?
    ) async throws -> Submitted {
        let prepared = try await prepare(draft)
        let gate = waitingWrites < Self.busyQueue ? gate : nil
        return try await write { transaction in
            if let idempotency, let id = try transaction.submitted(under: idempotency) {
                return Submitted(id: id, isRepeated: true)
            }
            if let idempotency { try transaction.record(idempotency, for: draft.id) }
            return try transaction.accept(prepared, gate: gate)
        }
    }

    /// How many policies are compiled at most before a notification is accepted. Ours: some milliseconds of work; the
    /// fan-out does the rest.
    private static let compileLimit = 500

    /// Makes a draft's texts, and finds the policies that its message matches.
    func prepare(_ draft: NotificationDraft) async throws -> PreparedDraft {
        let encoded = try EncodedDraft(draft)
        guard case .topic(let selection) = draft.audience else { return PreparedDraft(encoded: encoded) }
        let policies = policies
        let match = try await read { transaction -> PreparedDraft.Match? in
            guard let topic = try transaction.topic(.id(selection.id)) else { return nil }
            let known = policies.last(of: topic.row)
            guard try transaction.policyCount(of: topic.row, after: known, limit: Self.compileLimit) != nil else {
                return nil
            }
            let last = try transaction.lastPolicy(of: topic.row)
            let matched = try transaction.matching(draft.message, of: topic.row, policies)
            return PreparedDraft.Match(policies: matched, last: last)
        }
        return PreparedDraft(
            encoded: encoded,
            topic: selection.id,
            message: try encodedJSON(draft.message),
            match: match
        )
    }
}

/// A draft with what was found before the transaction.
struct PreparedDraft: Sendable {
    /// The policies that the message matches, and the topic's last policy then.
    struct Match: Sendable {
        var policies: Set<Int64>
        var last: Int64
    }

    /// The draft.
    var encoded: EncodedDraft
    /// The topic that its audience is read from.
    var topic: PublicID?
    /// What filters look at, as JSON.
    var message = ""
    /// What was found of the topic's policies; `nil` where that takes longer.
    var match: Match?
}

extension Transaction {
    /// Writes a notification and, where its audience is short, the batches.
    func accept(_ prepared: PreparedDraft, gate: Gate?) throws -> Submitted {
        let draft = prepared.encoded.draft
        guard try app(.row(draft.app)) != nil else { throw Failure.notFound("app") }
        let topic = try prepared.topic.map { try self.topic($0, for: draft.app) }
        let page = try gate.flatMap { gate in
            try (topic.map { try shortAudience(of: prepared, $0) } ?? shortAudience(of: draft)).map(gate.decide)
        }
        let row = try insert(prepared.encoded, isFanOutOpen: page == nil)
        guard let page else {
            if let topic { try insertFanOut(row, topic, message: prepared.message) }
            return Submitted(id: draft.id, isRepeated: false)
        }
        try write(page, of: NotificationHead(row: row, draft: draft, now: now))
        try finishIfOver(row)
        return Submitted(id: draft.id, isRepeated: false, fanOut: page)
    }

    /// A topic that an app may send to: its own, or the server's.
    private func topic(_ id: PublicID, for app: RowID<App>) throws -> RowID<Topic> {
        guard let topic = try topic(.id(id)), topic.app == nil || topic.app == app else {
            throw Failure.notFound("topic")
        }
        return topic.row
    }

    /// All of a topic's audience that is short and to be sent to now; `nil` for every other, and when a policy was made
    /// since the message was matched.
    private func shortAudience(of prepared: PreparedDraft, _ topic: RowID<Topic>) throws -> AudiencePage? {
        let draft = prepared.encoded.draft
        guard let match = prepared.match, draft.sendAt.map({ $0 <= now }) ?? true,
            try lastPolicy(of: topic) <= match.last
        else { return nil }
        let reading = TopicReading(
            topic: topic,
            app: draft.app,
            lastSubscription: try lastSubscription(),
            policies: match.policies
        )
        let page = try subscribers(
            reading,
            after: FanOut.Cursor(),
            limit: Self.shortAudience.endpoints,
            scanLimit: Self.shortAudience.endpoints * 10
        )
        return page.next == nil ? page : nil
    }

    /// The policy of a topic that was made last; 0 for none.
    fileprivate func lastPolicy(of topic: RowID<Topic>) throws -> Int64 {
        try prepare("SELECT coalesce(max(id), 0) FROM filter_policies WHERE topic_id = ?").bind(topic)
            .first { $0.int(0) } ?? 0
    }

    /// How many policies of a topic come after one; `nil` for more than the limit.
    fileprivate func policyCount(of topic: RowID<Topic>, after last: Int64, limit: Int) throws -> Int? {
        let count = try prepare("SELECT id FROM filter_policies WHERE topic_id = ? AND id > ? LIMIT ?")
            .bind(topic, last, limit + 1)
            .all { $0.int(0) }
            .count
        return count > limit ? nil : count
    }
}
