import MartletCore
import MartletWire

extension Store {
    /// How many policies are compiled at most before a notification is accepted. Ours: some milliseconds of work; the
    /// fan-out does the rest.
    private static let compileLimit = 500

    /// Makes the texts of drafts, and finds the policies that their messages match: those of one message to the apps of
    /// a topic's subscribers are the same.
    func prepare(_ drafts: [NotificationDraft]) async throws -> [PreparedDraft] {
        var queries: [PolicyQuery] = []
        // As many queries as a call has messages, ten at most.
        let asked = drafts.map { draft -> Int? in
            guard case .topic(let selection) = draft.audience else { return nil }
            let query = PolicyQuery(topic: selection.id, message: draft.message)
            if let known = queries.firstIndex(of: query) { return known }
            queries.append(query)
            return queries.count - 1
        }
        let matches = try await matches(of: queries)
        let texts = try queries.map { try encodedJSON($0.message) }
        var encoded = try drafts.map { try EncodedDraft($0) }
        for index in encoded.indices { encoded[index].badges = try await storedBadges(of: drafts[index]) }
        return zip(encoded, asked).map { encoded, index in
            guard let index else { return PreparedDraft(encoded: encoded) }
            return PreparedDraft(
                encoded: encoded,
                topic: queries[index].topic,
                message: texts[index],
                match: matches?[index]
            )
        }
    }

    /// The policies that messages match; `nil` where many have to be compiled first.
    private func matches(of queries: [PolicyQuery]) async throws -> [PreparedDraft.Match?]? {
        guard !queries.isEmpty else { return [] }
        let policies = policies
        for _ in 0..<2 {
            do {
                return try await read { transaction in
                    try queries.map { query -> PreparedDraft.Match? in
                        guard let topic = try transaction.topicHead(query.topic)?.row else { return nil }
                        let matched = try transaction.matching(query.message, of: topic, policies)
                        return PreparedDraft.Match(policies: matched, last: try transaction.lastPolicy(of: topic))
                    }
                }
            } catch let missing as MissingPolicies {
                let last = policies.last(of: missing.topic)
                let isShort = try await read {
                    try $0.hasFewPolicies(of: missing.topic, after: last, limit: Self.compileLimit)
                }
                guard isShort else { return nil }
                try await bringIn(missing)
            }
        }
        return nil
    }
}

/// What is asked of a topic's policies.
private struct PolicyQuery: Hashable, Sendable {
    var topic: PublicID
    var message: TopicMessage
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
    /// Writes a notification of an app that there is and, where its audience is short, the batches: leased with the
    /// reservation as far as it has capacity.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for a topic that is gone, and ``NotificationIDTaken``: nothing of
    ///   the notification is written then.
    func accept(_ prepared: PreparedDraft, gate: Gate?, _ reservation: Reservation? = nil) throws -> Submitted {
        let draft = prepared.encoded.draft
        let topic = try prepared.topic.map { try self.topic($0, for: draft.app) }
        // What is read at once is published at once.
        let mark = try gate == nil ? 0 : lastPreferenceChange(of: draft.app)
        var acceptance = Acceptance(draft, gate: try gate.map { try current($0, asOf: mark) }, now: now)
        var targets: [RowID<Endpoint>: TargetState] = [:]
        if acceptance.readsAudience {
            let page =
                try topic.map { try shortAudience(of: prepared, $0) } ?? namedAudience(of: draft, targets: &targets)
            acceptance.read(
                try page.map { try adding(choicesFor: draft.category, asOf: mark, of: draft.app, to: $0) }
            )
        }
        let row = try insert(prepared.encoded, acceptance)
        guard case .complete(let page) = acceptance.fanOut else {
            if let topic { try insertFanOut(row, topic, message: prepared.message) }
            return Submitted(id: draft.id, isRepeated: false)
        }
        var head = NotificationHead(row: row, draft: draft, now: now)
        head.mark = mark
        let leased = try write(PageCommit(page), of: head, reservation: reservation)
        if acceptance.mayGiveBackClaims { try finishIfOver(row) }
        return Submitted(
            id: draft.id,
            isRepeated: false,
            fanOut: page,
            leased: leased.map { Batch($0, of: row, draft) },
            targets: try leased.map { batch in
                let members = batch.draft.members
                return try targets.isEmpty ? self.targets(of: members) : members.map { targets[$0.endpoint] }
            }
        )
    }

    /// A gate with its category as it is now: a default may have changed since the submission was looked at.
    private func current(_ gate: Gate, asOf mark: Int64) throws -> Gate {
        guard mark > 0, let category = gate.person.category else { return gate }
        var gate = gate
        gate.person.category = try self.category(category.row) ?? category
        return gate
    }

    /// A topic that an app may send to: its own, or the server's.
    private func topic(_ id: PublicID, for app: RowID<App>) throws -> RowID<Topic> {
        guard let topic = try topicHead(id), topic.owner == nil || topic.owner == app else {
            throw Failure.notFound("topic")
        }
        return topic.row
    }

    /// Row and owner of a topic; `nil` where there is none or it was deleted.
    func topicHead(_ id: PublicID) throws -> (row: RowID<Topic>, owner: RowID<App>?)? {
        try prepare("SELECT id, app_id FROM topics WHERE public_id = ? AND deleted_at IS NULL").bind(id)
            .first { ($0.row("id"), $0.optionalRow("app_id")) }
    }

    /// The beginning of a topic's audience; `nil` when a policy was made since the message was matched.
    private func shortAudience(of prepared: PreparedDraft, _ topic: RowID<Topic>) throws -> AudiencePage? {
        guard let match = prepared.match, try lastPolicy(of: topic) <= match.last else { return nil }
        let reading = TopicReading(
            topic: topic,
            app: prepared.encoded.draft.app,
            lastSubscription: try lastSubscription(),
            policies: match.policies
        )
        let limit = Acceptance.shortAudience.endpoints
        return try subscribers(reading, after: FanOut.Cursor(), limit: limit, scanLimit: limit * 10)
    }
}
