package import MartletCore
package import MartletTransport
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
        let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let cancel = begin(burst, over: pool, in: queue, outcome: outcome) { continuation.resume() }
                cancellation.withLock { $0 = cancel }
                // A task cancelled before it came here has called its handler before the requests were there.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancellation.withLock { $0 }?()
        }
    }

    /// Sends requests and returns at once; `ended` is called when each has its answer or will not be sent, from any thread.
    ///
    /// - Returns: what cancels them, as a cancelled task does.
    func begin(
        _ burst: PushBurst,
        over pool: HTTP2ClientPool,
        in queue: DeliveryQueue,
        outcome: @escaping @Sendable (_ target: Int, _ response: HTTP2Response) -> Outcome,
        ended: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let progress = context.accounts.begin(burst.requests.count, in: queue)
        let isWithdrawn = Atomic(false)
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
        ) { [report, accounts = context.accounts, targets = burst.targets, missing = burst.missing] position, answer in
            let target = targets?[position] ?? position
            switch answer {
            case .response(let response):
                progress.note(answerTime: response.duration.nanoseconds)
                report(target, outcome(target, response))
            case .failed(.unprocessed) where isWithdrawn.load(ordering: .acquiring): break
            case .failed(let failure): report(target, missing.outcome(of: failure, over: pool))
            }
            guard progress.finish() else { return }
            accounts.end(progress, in: queue)
            ended()
        }
        pool.send(requests)
        return { [grace] in
            isWithdrawn.store(true, ordering: .releasing)
            pool.withdraw(requests)
            // Not a child: the task that would be its parent has been cancelled. It ends with the grace period.
            Task {
                try? await Task.sleep(for: grace)
                pool.cancel(requests)
            }
        }
    }
}

/// A burst with what an answer to a target means, asked from any thread.
package typealias MeaningfulBurst = (
    burst: PushBurst, outcome: @Sendable (_ target: Int, _ response: HTTP2Response) -> Outcome
)

/// Requests of a push that go out together.
package struct PushBurst: Sendable {
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
