import Foundation

/// Sends what waits in a queue to one destination: one request at a time, and nothing is taken from the queue before
/// the server answered for it.
package final class EventUploader: Sendable {
    private struct State {
        var schedule = UploadSchedule()
        /// Parts of a batch that could not be read as a whole, the next one last.
        var parts: [[PushEvent]] = []
        var runner: Task<Void, Never>?
        var sleeper: Task<Void, Never>?
        /// Counts what may change the schedule, so that nothing is slept over.
        var changes = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isClosed = false
    }

    private let store: EventStore
    private let destination: any EventDestination
    private let environment: UploadEnvironment
    private let state = Locked(State())

    /// An uploader that rests until something happens.
    package init(_ store: EventStore, to destination: any EventDestination, _ environment: UploadEnvironment) {
        self.store = store
        self.destination = destination
        self.environment = environment
    }

    /// An event was added to the queue: a request follows in about two seconds.
    package func recorded() {
        change { $0.recorded(at: environment.clock.monotonic) }
    }

    /// The app came to the front, or is somebody else now: what was stopped is tried again.
    package func resume() {
        change { $0.resumed(at: environment.clock.monotonic) }
    }

    /// Sends what waits, now. It returns when the queue is empty or a try has failed, and at once where a server asked
    /// for time that is not over. Cancelling the task gives up the request that is under way.
    ///
    /// - Parameter ignoringBackoff: whether it sends also while the wait after a failure is not over; else it returns at
    ///   once then.
    package func flush(ignoringBackoff: Bool = true) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                state.with { state in
                    state.waiters.append(waiter)
                    state.schedule.wanted(at: environment.clock.monotonic, ignoringBackoff: ignoringBackoff)
                    wake(&state)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Gives up the request that is under way: the system takes the app's time away.
    package func cancel() {
        state.with { $0.runner }?.cancel()
    }

    /// Forgets what is being tried, after the queue was emptied.
    package func forget() {
        state.with { $0.parts = [] }
        cancel()
    }

    /// Ends for good.
    package func close() {
        state.with { $0.isClosed = true }
        cancel()
    }

    deinit {
        state.with { state in
            state.runner?.cancel()
            state.sleeper?.cancel()
        }
    }

    // MARK: - Waking

    private func change(_ body: (inout UploadSchedule) -> Void) {
        state.with { state in
            let before = state.schedule
            body(&state.schedule)
            state.changes += 1
            if state.schedule != before || state.runner == nil { wake(&state) }
        }
    }

    private func wake(_ state: inout State) {
        state.changes += 1
        state.sleeper?.cancel()
        guard state.runner == nil else { return }
        // While it sleeps it does not keep the uploader, so that a client that is let go ends.
        state.runner = Task.detached(priority: .utility) { [weak self] in
            while let sleeper = await self?.sendWhatIsDue() { await Self.wait(for: sleeper) }
        }
    }

    // MARK: - The one task

    /// Sends as long as something is due.
    ///
    /// - Returns: what to wait for; `nil` when there is nothing to do.
    private func sendWhatIsDue() async -> Task<Void, Never>? {
        while true {
            let isReady = destination.isReady()
            let (step, changes) = state.with { state in
                let isActive = isReady && !state.isClosed && !Task.isCancelled
                return (isActive ? state.schedule.next(at: environment.clock.monotonic) : .rest, state.changes)
            }
            switch step {
            case .send:
                if let batch = nextBatch() { await send(batch) } else { empty(unless: changes) }
            case .wait(let moment):
                if let sleeper = pause(until: moment, unless: changes) { return sleeper }
            case .rest:
                if rest(unless: changes) { return nil }
            }
        }
    }

    private static func wait(for sleeper: Task<Void, Never>) async {
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }

    private func nextBatch() -> [PushEvent]? {
        let oldest = store.peek(destination.limits.events)
        while let part = state.with({ $0.parts.popLast() }) {
            // What had to make room meanwhile was counted as dropped. The rest of a part is among the oldest still.
            let waiting = Set(oldest.map(\.id))
            let rest = part.filter { waiting.contains($0.id) }
            if !rest.isEmpty { return rest }
        }
        let batch = destination.limits.batch(oldest)
        return batch.isEmpty ? nil : batch
    }

    private func empty(unless changes: Int) {
        // An event that was added since the queue was looked at keeps its request.
        state.with { if $0.changes == changes { $0.schedule.emptied() } }
    }

    private func pause(until moment: Int64, unless changes: Int) -> Task<Void, Never>? {
        let (sleeper, waiters) = state.with { state -> (Task<Void, Never>?, [CheckedContinuation<Void, Never>]) in
            guard state.changes == changes else { return (nil, []) }
            // A cancelled sleep is a reason to look again, like one that is over.
            let sleeper = Task.detached { [clock = environment.clock] in
                _ = try? await clock.sleep(until: clock.now + moment - clock.monotonic)
            }
            state.sleeper = sleeper
            defer { state.waiters = [] }
            return (sleeper, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return sleeper
    }

    private func rest(unless changes: Int) -> Bool {
        let waiters = state.with { state -> [CheckedContinuation<Void, Never>]? in
            guard state.changes == changes || Task.isCancelled else { return nil }
            state.runner = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters != nil
    }

    private func send(_ batch: [PushEvent]) async {
        let here = await environment.context()
        let events = batch.map { event in
            var event = event
            event.context = event.context.sent(by: here)
            return event
        }
        guard let call = destination.call(for: events) else {
            // Nothing can be said before the installation is known: the queue keeps it.
            return state.with { $0.schedule.emptied() }
        }
        let answer: HTTPAnswer?
        do throws(TransportError) {
            answer = try await environment.transport.send(call)
        } catch {
            answer = nil
        }
        let meaning = UploadAnswer(answer, of: destination, count: batch.count, now: environment.clock.now)
        take(meaning, for: batch, at: environment.clock.monotonic)
    }

    // MARK: - What an answer does

    private func take(_ answer: UploadAnswer, for batch: [PushEvent], at now: Int64) {
        environment.log(.debug, "\(batch.count) events to \(destination.name): \(answer.word)")
        switch answer {
        case .receipts(let verdicts):
            settle(batch, verdicts, at: now)
        case .again(let after):
            state.with { state in
                state.schedule.failed(at: now, after: after, random: environment.random())
                state.parts.append(batch)
            }
        case .bisect:
            bisect(batch)
        case .stop(let status, let message):
            state.with { state in
                state.schedule.stopped()
                state.parts = []
            }
            environment.report(.serverError(statusCode: status, message: message))
        }
    }

    private func settle(_ batch: [PushEvent], _ verdicts: [ReceiptVerdict], at now: Int64) {
        let pairs = zip(batch, verdicts)
        let done = Set(pairs.filter { $1 != .later }.map(\.0.id))
        state.with { state in
            // Another client may write to the queue by now; its server does not count these again.
            guard !state.isClosed else { return }
            store.acknowledge(done)
            state.schedule.settled()
            if verdicts.contains(.later) {
                state.parts = []
                state.schedule.failed(at: now, after: nil, random: environment.random())
            }
        }
        let refusals = verdicts.compactMap { if case .refused(let name) = $0 { name } else { nil } }
        if let first = refusals.first {
            environment.report(.eventsRejected(count: refusals.count, message: first))
        }
    }

    private func bisect(_ batch: [PushEvent]) {
        guard batch.count == 1 else {
            let middle = batch.count / 2
            return state.with { state in
                state.parts.append(Array(batch[middle...]))
                state.parts.append(Array(batch[..<middle]))
            }
        }
        let isThrownAway = state.with { state in
            let isThrownAway = state.schedule.refusedAlone()
            if !isThrownAway { state.parts = [] }
            if isThrownAway, !state.isClosed { store.acknowledge(Set(batch.map(\.id))) }
            return isThrownAway
        }
        if isThrownAway {
            environment.report(.eventsRejected(count: 1, message: "The request could not be read."))
        } else {
            environment.report(.serverError(statusCode: 400, message: "The requests could not be read."))
        }
    }
}

/// What an uploader needs of its surroundings.
package struct UploadEnvironment: Sendable {
    /// The way to the server.
    package var transport: any HTTPTransport
    /// The time.
    package var clock: any SDKClock
    /// A number from 0 up to 1, for jitter.
    package var random: @Sendable () -> Double
    /// Whose device this is now: it completes events that were recorded before that was known.
    package var context: @Sendable () async -> EventContext
    /// Where errors go.
    package var report: @Sendable (PushNotificationError) -> Void
    package var log: Log

    /// Surroundings from their parts.
    package init(
        transport: any HTTPTransport,
        clock: any SDKClock,
        random: @escaping @Sendable () -> Double,
        context: @escaping @Sendable () async -> EventContext,
        report: @escaping @Sendable (PushNotificationError) -> Void,
        log: Log
    ) {
        self.transport = transport
        self.clock = clock
        self.random = random
        self.context = context
        self.report = report
        self.log = log
    }
}

extension UploadAnswer {
    /// One word for the log.
    fileprivate var word: String {
        switch self {
        case .receipts: "answered"
        case .again: "again later"
        case .bisect: "not readable as a whole"
        case .stop(let status, _): "refused with \(status)"
        }
    }
}
