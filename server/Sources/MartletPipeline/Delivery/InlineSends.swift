import Logging
import MartletCore
import MartletStore
import Synchronization

/// What is being sent of that which was leased where it was accepted: one message for a few devices each, without a task
/// of its own while all goes well. Its answers are recorded when all are there, in a commit that others share.
///
/// What has no answer for a tick or two, what could not be recorded and what the dispatcher's end meets is given to a task,
/// which goes on with it as with any other batch.
final class InlineSends: Sendable {
    private struct State {
        /// Until they are recorded. Bounded by the permits, which each of them has taken.
        var underWay: [RowID<Batch>: InlineSend] = [:]
        /// Those of them that were there at the tick before.
        var old: Set<RowID<Batch>> = []
        var isStopping = false
    }

    private let worker: BatchWorker
    private let state = Mutex(State())

    init(worker: BatchWorker) { self.worker = worker }

    /// Begins to send a batch, where nothing has to be read or waited for first; else says so, and nothing has happened.
    ///
    /// - Parameter ended: called when it is through.
    func begin(
        _ batch: Batch,
        in context: AttemptContext,
        lease: Lease,
        since start: ContinuousClock.Instant,
        ended: @escaping @Sendable (Batch) -> Void
    ) -> Bool {
        guard batch.members.count <= Reservation.limit,
            BatchWorker.endWithoutAttempt(batch, now: worker.clock.now()) == nil
        else { return false }
        let term = LeaseTerm(of: Lease.duration, since: start)
        guard case .send(let push, let provider, let job)? = try? worker.attempt(batch, in: context, lease, term),
            job.plan.sends.count == batch.members.count
        else { return false }
        let send = InlineSend(job, ended: ended)
        let isTaken = state.withLock { state in
            guard !state.isStopping else { return false }
            state.underWay[batch.row] = send
            return true
        }
        guard isTaken else { return false }
        let cancel = provider.begin(push) { [buffer = send.buffer] index, outcome in
            buffer.put(index, outcome)
        } ended: { [self] in
            record(send)
        }
        if let cancel {
            send.phase.note(cancel)
            return true
        }
        // With a task it goes back to the store from there: it was not sent.
        guard send.phase.notBegun() else { return true }
        forget(send)
        return false
    }

    /// Records the answers of a batch, which are all there, unless a task does.
    private func record(_ send: InlineSend) {
        guard send.phase.answer() else { return }
        let answers = send.buffer.take()
        let settlement = worker.checkpoint(answers, for: send.job, isLast: true)
        worker.store.settleSoon(settlement) { [self, settlement] result in
            if case .failure(let error) = result {
                worker.report(error, "a settlement failed and is tried again", send.job.batch)
                send.buffer.putBack(answers.arrived)
                return send.phase.noteCommit(isRecorded: false)
            }
            worker.note(settlement, app: send.job.app)
            worker.count(answers, for: send.job)
            forget(send)
            send.ended(send.job.batch)
            send.phase.noteCommit(isRecorded: true)
        }
    }

    private func forget(_ send: InlineSend) { state.withLock { $0.underWay[send.job.batch.row] = nil } }

    /// Gives what takes longer to tasks, until it is cancelled; then it cancels all sending and returns when what was under
    /// way is recorded.
    func run() async {
        await withDiscardingTaskGroup { group in
            while true {
                let isStopping = (try? await worker.ticker.next()) == nil
                for send in takeOld(isStopping: isStopping) where send.phase.giveToTask(isStopping: isStopping) {
                    group.addTask { [self] in await finish(send) }
                }
                if isStopping { break }
            }
        }
    }

    /// What has been under way since the tick before, or all.
    private func takeOld(isStopping: Bool) -> [InlineSend] {
        state.withLock { state in
            state.isStopping = isStopping
            let old = state.underWay.filter { isStopping || state.old.contains($0.key) }
            state.old = Set(state.underWay.keys)
            return Array(old.values)
        }
    }

    private func finish(_ send: InlineSend) async {
        guard await send.phase.isUnrecorded() else { return }
        do {
            try await worker.record(send.job, send.buffer) { await send.phase.untilAnswered() }
        } catch {
            await worker.leave(send.job.batch, send.job.lease, error)
        }
        forget(send)
        send.ended(send.job.batch)
    }
}

/// One batch while it is sent without a task.
private final class InlineSend: Sendable {
    let job: BatchWorker.Job
    let buffer: OutcomeBuffer
    /// Called when the batch is through.
    let ended: @Sendable (Batch) -> Void
    let phase = InlinePhase()

    init(_ job: BatchWorker.Job, ended: @escaping @Sendable (Batch) -> Void) {
        self.job = job
        self.ended = ended
        buffer = OutcomeBuffer(count: job.plan.sends.count)
    }
}
