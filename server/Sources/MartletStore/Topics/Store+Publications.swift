public import MartletCore
import MartletWire

extension Store {
    /// Writes messages to topics with their notifications in one transaction, all or none, in their order. One that
    /// repeats a message of its FIFO topic within ``PublicationOrder/window`` writes nothing and gets that message's id
    /// and number; the first of several in the same call counts.
    ///
    /// - Throws: `Failure` as ``Store/submit(_:)`` does, and ``ErrorCode/notFound`` for a topic that is
    ///   gone.
    public func publish(_ publications: [Publication]) async throws -> [Published] {
        var drafts = try await prepare(publications.flatMap(\.drafts))[...]
        let isIdle = waitingWrites < Self.busyQueue
        let prepared = publications.map { publication in
            let count = publication.drafts.count
            defer { drafts = drafts.dropFirst(count) }
            return PreparedPublication(
                publication: publication,
                drafts: Array(drafts.prefix(count)),
                readsAudiences: publication.gates.count == count && isIdle
            )
        }
        // The numbers of a FIFO topic's messages follow each other.
        let isolation: Isolation = publications.contains { $0.request.order != nil } ? .ordered : .serial
        return try await write(isolation: isolation) { transaction in try prepared.map { try transaction.publish($0) } }
    }
}

/// A publication with what was found before the transaction.
private struct PreparedPublication: Sendable {
    var publication: Publication
    var drafts: [PreparedDraft]
    /// Whether short audiences are read where the message is accepted.
    var readsAudiences: Bool
}

extension Transaction {
    fileprivate func publish(_ prepared: PreparedPublication) throws -> Published {
        let publication = prepared.publication.request
        let topic = try prepare("SELECT 1 FROM topics WHERE id = ? AND deleted_at IS NULL").bind(publication.topic)
        guard try topic.exists() else { throw Failure.notFound("topic") }
        var sequence: Int64?
        if let order = publication.order {
            if let earlier = try earlier(order, in: publication.topic) { return earlier }
            let next = try nextSequence(of: publication.topic)
            try record(publication, order, sequence: next)
            sequence = next
        }
        var submitted: [Submitted] = []
        for (index, draft) in prepared.drafts.enumerated() {
            let gate = prepared.readsAudiences ? prepared.publication.gates[index] : nil
            try requireApp(draft.encoded.draft.app)
            submitted.append(try accept(draft, gate: gate))
        }
        if let audit = publication.audit { try record(audit) }
        var webhook = publication.webhook
        webhook?.sequenceNumber = sequence
        return Published(
            id: publication.id,
            sequenceNumber: sequence,
            isRepeated: false,
            submitted: submitted,
            hasWebhooks: try webhook.map(enqueueWebhooks) ?? false
        )
    }

    /// The message that this one repeats, if it does.
    private func earlier(_ order: PublicationOrder, in topic: RowID<Topic>) throws -> Published? {
        try prepare(
            """
            SELECT message, sequence FROM fifo_messages
            WHERE topic_id = ? AND deduplication = ? AND published_at > ?
            """
        )
        .bind(topic, order.deduplication, now - PublicationOrder.window)
        .first { row in
            Published(
                id: try row.publicID("message"),
                sequenceNumber: row.int("sequence"),
                isRepeated: true,
                submitted: [],
                hasWebhooks: false
            )
        }
    }

    private func nextSequence(of topic: RowID<Topic>) throws -> Int64 {
        try prepare(
            """
            INSERT INTO topic_sequences (topic_id, last) VALUES (?, 1)
            ON CONFLICT (topic_id) DO UPDATE SET last = topic_sequences.last + 1
            """
        )
        .bind(topic)
        .run()
        return try prepare("SELECT last FROM topic_sequences WHERE topic_id = ?").bind(topic)
            .first { $0.int("last") } ?? 1
    }

    private func record(_ publication: PublicationRequest, _ order: PublicationOrder, sequence: Int64) throws {
        try prepare(
            """
            INSERT INTO fifo_messages (topic_id, deduplication, message, sequence, published_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (topic_id, deduplication) DO UPDATE SET message = excluded.message,
                sequence = excluded.sequence, published_at = excluded.published_at
            """
        )
        .bind(publication.topic, order.deduplication, publication.id, sequence, now)
        .run()
    }

    /// Forgets messages whose repetition would be a new message; says how many.
    func purgeFIFOMessages(before: Timestamp, limit: Int) throws -> Int {
        let old = try prepare(SQL.oldFIFOMessages).bind(before, limit)
            .all { (topic: $0.int("topic_id"), key: $0.bytes("deduplication")) }
        for row in old { try prepare(SQL.deleteFIFOMessage).bind(row.topic, row.key).run() }
        return old.count
    }
}
