import MartletCore
import MartletStore
import Synchronization

/// What is being sent of that which was leased where it was accepted: one message for a few devices each, without a task
/// of its own while all goes well. Its answers are recorded as they come, in commits that others share.
///
/// What has no answer for a tick or two, what cannot be recorded and what the dispatcher's end meets is given to a task,
/// which goes on with it as with any other batch.
final class InlineSends: Sendable {
    /// One batch while it is sent.
    private final class Send: Sendable {
        private struct State {
            var isOver = false
            var isCancelled = false
            var isGivenToTask = false
            var cancel: (@Sendable () -> Void)?
            var waiter: CheckedContinuation<Void, Never>?
        }

        let job: BatchWorker.Job
        let buffer: OutcomeBuffer
        /// Called when the batch is through.
        let ended: @Sendable (Batch) -> Void
        private let state = Mutex(State())

        init(_ job: BatchWorker.Job, ended: @escaping @Sendable (Batch) -> Void) {
            self.job = job
            self.ended = ended
            buffer = OutcomeBuffer(count: job.plan.sends.count)
        }

        /// Keeps what cancels it, until it is over: it holds the requests, and they this.
        func note(_ cancel: @escaping @Sendable () -> Void) {
            let isCancelled = state.withLock { state in
                guard !state.isOver else { return false }
                state.cancel = cancel
                return state.isCancelled
            }
            if isCancelled { cancel() }
        }

        /// Notes that nothing more comes; says whether no task waits for that.
        func end() -> Bool {
            let (waiter, isGivenToTask) = state.withLock { state in
                state.isOver = true
                defer { (state.waiter, state.cancel) = (nil, nil) }
                return (state.waiter, state.isGivenToTask)
            }
            waiter?.resume()
            return !isGivenToTask
        }

        /// Has a task record the answers; says whether there is something to wait for, and no task does yet.
        func giveToTask() -> Bool {
            state.withLock { state in
                guard !state.isOver, !state.isGivenToTask else { return false }
                state.isGivenToTask = true
                return true
            }
        }

        /// Returns when nothing more comes; a task that is cancelled cancels the sending.
        func untilOver() async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    let isOver = state.withLock { state in
                        if !state.isOver { state.waiter = waiter }
                        return state.isOver
                    }
                    if isOver { waiter.resume() }
                }
            } onCancel: {
                let cancel = state.withLock { state in
                    state.isCancelled = true
                    return state.cancel
                }
                cancel?()
            }
        }
    }

    /// A batch with all its answers.
    private struct Answered: Sendable {
        var send: Send
        var answers: OutcomeBuffer.Contents
        var settlement: Settlement
    }

    private struct State {
        /// Bounded by the permits, which each of them has taken, as is what is to be recorded by a task.
        var underWay: [RowID<Batch>: Send] = [:]
        /// Those of them that were there at the tick before.
        var old: Set<RowID<Batch>> = []
        var unrecorded: [Answered] = []
        /// How many are not through.
        var openCount = 0
        var isStopping = false
        /// Who waits until something is to be recorded, or all are through.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let worker: BatchWorker
    private let state = Mutex(State())
    private let (left, someLeft) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

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
        guard BatchWorker.endWithoutAttempt(batch, now: worker.clock.now()) == nil else { return false }
        let term = LeaseTerm(of: Lease.duration, since: start)
        guard case .send(let push, let provider, let job)? = try? worker.attempt(batch, in: context, lease, term),
            job.plan.sends.count == batch.members.count
        else { return false }
        let send = Send(job, ended: ended)
        let isTaken = state.withLock { state in
            guard !state.isStopping else { return false }
            state.underWay[batch.row] = send
            state.openCount += 1
            return true
        }
        guard isTaken else { return false }
        let cancel = provider.begin(push) { [buffer = send.buffer] index, outcome in
            buffer.put(index, outcome)
        } ended: { [self] in
            end(send)
        }
        if let cancel {
            send.note(cancel)
            return true
        }
        state.withLock { $0.underWay[batch.row] = nil }
        // With a task it goes back to the store from there: it was not sent.
        guard send.end() else { return true }
        countOut()
        return false
    }

    /// Records the answers of a batch when all are there.
    private func end(_ send: Send) {
        let isOurs = send.end()
        state.withLock { $0.underWay[send.job.batch.row] = nil }
        guard isOurs else { return }
        let answers = send.buffer.take()
        var settlement = worker.checkpoint(answers, for: send.job, isLast: true)
        settlement.isFirst = true
        settlement.hasClaims = send.job.hasClaims
        let answered = Answered(send: send, answers: answers, settlement: settlement)
        // Those are rare, and more than a row is written for them.
        guard settlement.topic == nil, settlement.pause == nil else { return leave(answered) }
        worker.store.settleSoon(settlement) { [self] result in
            guard case .success = result else { return leave(answered) }
            worker.note(answered.settlement, app: send.job.app)
            finish(answered)
        }
    }

    private func finish(_ answered: Answered) {
        worker.count(answered.answers, for: answered.send.job)
        end(answered.send.job.batch, answered.send)
    }

    private func end(_ batch: Batch, _ send: Send) {
        send.ended(batch)
        countOut()
    }

    private func countOut() {
        let waiter = state.withLock { state in
            state.openCount -= 1
            return state.openCount == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Has a task record it.
    private func leave(_ answered: Answered) {
        let waiter = state.withLock { state in
            state.unrecorded.append(answered)
            return state.waiter.take()
        }
        waiter?.resume()
        someLeft.yield()
    }

    /// Goes on with what takes a task, until it is cancelled; then it cancels all sending and returns when what was under
    /// way is recorded.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in await recordLeft() }
            while true {
                let isStopping = (try? await worker.ticker.next()) == nil
                for send in takeOld(isStopping: isStopping) where send.giveToTask() {
                    group.addTask { [self] in await finish(send) }
                }
                if isStopping { break }
            }
        }
        // Whoever recorded them was cancelled.
        repeat {
            for answered in takeUnrecorded() { await record(answered) }
        } while await isMoreToCome()
    }

    /// Returns when there is more to record, or when all are through: then there is none.
    private func isMoreToCome() async -> Bool {
        await withCheckedContinuation { waiter in
            let isDecided = state.withLock { state in
                let isDecided = state.openCount == 0 || !state.unrecorded.isEmpty
                if !isDecided { state.waiter = waiter }
                return isDecided
            }
            if isDecided { waiter.resume() }
        }
        return state.withLock { $0.openCount > 0 }
    }

    /// What has been under way since the tick before, or all.
    private func takeOld(isStopping: Bool) -> [Send] {
        state.withLock { state in
            state.isStopping = isStopping
            let old = state.underWay.filter { isStopping || state.old.contains($0.key) }
            state.old = Set(state.underWay.keys)
            return Array(old.values)
        }
    }

    private func finish(_ send: Send) async {
        do {
            try await worker.record(send.job, send.buffer) { await send.untilOver() }
        } catch {
            await worker.leave(send.job.batch, send.job.lease, error)
        }
        end(send.job.batch, send)
    }

    private func recordLeft() async {
        await withDiscardingTaskGroup { group in
            for await _ in left {
                for answered in takeUnrecorded() { group.addTask { [self] in await record(answered) } }
            }
        }
    }

    private func takeUnrecorded() -> [Answered] {
        state.withLock { state in
            defer { state.unrecorded = [] }
            return state.unrecorded
        }
    }

    private func record(_ answered: Answered) async {
        let job = answered.send.job
        var settlement = answered.settlement
        // It may have been sent with a credential that was replaced as it was accepted: the queue is not to stand still for
        // that one's sake.
        if settlement.pause != nil, let known = try? await worker.store.credentials(job.batch.queue.app),
            !known.contains(where: { $0.row == job.credential })
        {
            settlement.pause = nil
        }
        do {
            try await worker.settle(settlement, app: job.app)
            finish(answered)
        } catch {
            await worker.leave(job.batch, job.lease, error)
            end(job.batch, answered.send)
        }
    }
}
