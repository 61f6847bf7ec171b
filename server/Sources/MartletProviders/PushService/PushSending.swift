import MartletCore
import MartletTransport
import NIOCore
import Synchronization

/// One push on its way: requests out, outcomes in.
package struct PushSending: Sendable {
    let push: Push
    let context: ProviderContext
    /// When requests without an answer are given up.
    let deadline: NIODeadline
    /// How long what is in flight may take after a cancellation.
    let grace: Duration
    let report: @Sendable (Int, Outcome) -> Void

    /// The queue of the push's credential.
    var queue: DeliveryQueue { push.credential.credential.queue }

    func report(_ outcome: Outcome, for targets: some Sequence<Int>) {
        for index in targets { report(index, outcome) }
    }

    /// Sends requests, and returns when each has its answer or will not be sent.
    ///
    /// When the task is cancelled, what is in flight has the grace period, and what was not sent has no outcome.
    ///
    /// - Parameters:
    ///   - queue: whose account they are on.
    ///   - outcome: what an answer to a target means, asked from any thread.
    func send(
        _ burst: PushBurst,
        over pool: HTTP2ClientPool,
        in queue: DeliveryQueue,
        outcome: @escaping @Sendable (_ target: Int, _ response: HTTP2Response) -> Outcome
    ) async {
        let progress = context.accounts.begin(burst.requests.count, in: queue)
        let isWithdrawn = Atomic(false)
        let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        // With the first no the rest is withdrawn.
        let mayBegin: @Sendable () -> Bool = { [mayBegin = push.mayBegin] in
            if !mayBegin() { isWithdrawn.store(true, ordering: .releasing) }
            return !isWithdrawn.load(ordering: .acquiring)
        }
        let requests = burst.requests.build(
            deadline: deadline,
            isUrgent: push.isUrgent,
            bodies: burst.bodies,
            mayBegin: mayBegin
        ) { [report, targets = burst.targets, missing = burst.missing] position, answer in
            let target = targets?[position] ?? position
            switch answer {
            case .response(let response):
                progress.note(answerTime: response.duration.nanoseconds)
                report(target, outcome(target, response))
            case .failed(.unprocessed) where isWithdrawn.load(ordering: .acquiring): break
            case .failed(let failure): report(target, missing.outcome(of: failure, over: pool))
            }
            if progress.finish() { waiter.withLock { $0.take() }?.resume() }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.withLock { $0 = continuation }
                pool.send(requests)
                // A task cancelled before it came here has called its handler before the requests were there.
                if isWithdrawn.load(ordering: .acquiring) { pool.withdraw(requests) }
            }
        } onCancel: {
            isWithdrawn.store(true, ordering: .releasing)
            pool.withdraw(requests)
            // Not a child: the task that would be its parent has been cancelled. It ends with the grace period.
            Task { [grace] in
                try? await Task.sleep(for: grace)
                pool.cancel(requests)
            }
        }
        context.accounts.end(progress, in: queue)
    }
}

/// Requests of a push that go out together.
struct PushBurst: Sendable {
    var requests: HTTP2Burst.Builder
    /// The places of their targets in the push; `nil` where they are those of all targets.
    var targets: [Int]?
    /// What makes each request's body, by its number, where the template has none for all.
    var bodies: (@Sendable (Int) -> [UInt8])?
    /// What it means that there is no answer.
    var missing = MissingAnswer()
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
