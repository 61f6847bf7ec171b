public import MartletCore
import MartletStore
import MartletWire

/// A submission, with what makes a repeated request the same request.
public struct SubmissionRequest: Sendable {
    /// What is asked for.
    public var submission: Submission
    /// What makes it the same as an earlier one; `nil` where nothing does.
    public var idempotency: IdempotencyRecord?

    package init(_ submission: Submission, idempotency: IdempotencyRecord?) {
        self.submission = submission
        self.idempotency = idempotency
    }
}

extension Submitter {
    /// How many notifications are written in one transaction. Ours: ten milliseconds or so for as many of one user each,
    /// in which no other write begins.
    package static let groupLimit = 100

    /// Accepts a submission, or the repetition of one.
    ///
    /// - Throws: `Failure` naming the field at fault, or with ``ErrorCode/overloaded`` when too much waits already;
    ///   nothing is written then.
    public func submit(_ submission: Submission, idempotency: IdempotencyRecord?) async throws -> Submitted {
        try await submit([SubmissionRequest(submission, idempotency: idempotency)])[0].get()
    }

    /// Accepts many, or their repetitions: each for itself, in their order, in few transactions.
    ///
    /// - Returns: what became of each, by position; a refusal is as ``submit(_:idempotency:)`` has it.
    /// - Throws: the database's errors. What came before in the same call may be written then, and is known under its
    ///   idempotency key.
    public func submit(_ requests: [SubmissionRequest]) async throws -> [Result<Submitted, Failure>] {
        var senders: [RowID<App>: Sender] = [:]
        var results: [Result<Submitted, Failure>] = []
        for start in stride(from: 0, to: requests.count, by: Self.groupLimit) {
            let group = Array(requests[start..<min(start + Self.groupLimit, requests.count)])
            var outcomes = try await write(group, for: &senders)
            let taken = outcomes.indices.filter { outcomes[$0] == .idTaken }
            if !taken.isEmpty {
                // Another process drew it in the same millisecond. Twice in a row is a fault.
                let again = try await write(taken.map { group[$0] }, for: &senders)
                for (index, outcome) in zip(taken, again) { outcomes[index] = outcome }
            }
            for outcome in outcomes {
                do { results.append(.success(try outcome.submitted())) } catch let failure as Failure {
                    results.append(.failure(failure))
                }
            }
        }
        return results
    }

    /// What is known of an app while one call is under way: it is asked for once.
    private struct Sender {
        let credentials: [Credential]
        let device: DeviceGate
    }

    /// Writes those of a group that can be sent, in one transaction and under new ids.
    private func write(
        _ group: [SubmissionRequest],
        for senders: inout [RowID<App>: Sender]
    ) async throws -> [SubmitOutcome] {
        var outcomes: [SubmitOutcome?] = []
        var requests: [SubmitRequest] = []
        var contexts: [AttemptContext] = []
        for request in group {
            do {
                let (prepared, credentials) = try await prepare(request, for: &senders)
                requests.append(prepared)
                contexts.append(AttemptContext(app: request.submission.app, credentials: credentials))
                outcomes.append(nil)
            } catch let failure as Failure {
                outcomes.append(.refused(failure))
            }
        }
        guard !requests.isEmpty else { return outcomes.compactMap(\.self) }
        var written = try await write(requests, contexts)[...]
        for index in group.indices where outcomes[index] == nil {
            guard let outcome = written.popFirst() else { break }
            outcomes[index] = outcome
            if case .submitted(let submitted) = outcome { tell(of: submitted, app: group[index].submission.app) }
        }
        return outcomes.compactMap(\.self)
    }

    /// Makes sure that a submission can be sent, under a new id.
    private func prepare(
        _ request: SubmissionRequest,
        for senders: inout [RowID<App>: Sender]
    ) async throws -> (SubmitRequest, [Credential]) {
        let app = request.submission.app
        let sender: Sender
        if let known = senders[app.row] {
            sender = known
        } else {
            let credentials = try await store.credentials(app.row)
            let device = DeviceGate(app: app.row, credentials: credentials, providers: providers)
            sender = Sender(credentials: credentials, device: device)
            senders[app.row] = sender
        }
        let draft = try draft(of: request.submission, id: makeID(), credentials: sender.credentials)
        // Last, so that what can never be sent is said first; nothing before it is written.
        try await backlog.admit([.app(app.row)])
        let gate = Gate(draft, device: sender.device)
        return (SubmitRequest(draft, idempotency: request.idempotency, gate: gate), sender.credentials)
    }

    /// Writes all in one transaction, and hands on what was leased as it was written.
    private func write(_ requests: [SubmitRequest], _ contexts: [AttemptContext]) async throws -> [SubmitOutcome] {
        let requests = requests.map { request in
            var request = request
            request.reservation = request.gate.flatMap { inlineDispatch.begin($0.queues, of: request.draft.class) }
            return request
        }
        do {
            let outcomes = try await store.submit(requests)
            for ((request, context), outcome) in zip(zip(requests, contexts), outcomes) {
                end(request.reservation, leased: outcome.leased(of: request.draft, context))
            }
            if inlineDispatch.hasWaiting { wakeUps.notify(.inlineDispatch) }
            return outcomes
        } catch {
            for request in requests { end(request.reservation, leased: []) }
            guard let failure = error as? Failure else { throw error }
            return requests.map { _ in .refused(failure) }
        }
    }

    private func end(_ reservation: Reservation?, leased batches: [InlineBatch]) {
        if let reservation, inlineDispatch.end(reservation, leased: batches) { wakeUps.notify(.batches) }
    }
}

extension SubmitOutcome {
    /// The batches that were leased as they were written, with what is known for their attempts.
    ///
    /// - Parameter context: what is known for every platform.
    fileprivate func leased(of draft: NotificationDraft, _ context: AttemptContext) -> [InlineBatch] {
        guard case .submitted(let submitted) = self else { return [] }
        return zip(submitted.leased, submitted.targets).map { batch, targets in
            var context = context
            context.credentials.removeAll { $0.platform != batch.queue.platform }
            context.message = draft.messages.first { $0.platform == batch.queue.platform }
            context.targets = targets
            // Badges are read with the rest.
            let hasBadge = context.message?.payload.has(.badge) ?? false
            return InlineBatch(batch: batch, context: hasBadge ? nil : context)
        }
    }
}
