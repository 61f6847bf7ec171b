/// When the uploader may ask: decisions only, no clock and no network. Moments are the monotonic clock's.
package struct UploadSchedule: Sendable, Equatable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// There is nothing to do until something happens.
        case rest
        /// Look again at a moment, or when something happens.
        case wait(until: Int64)
        /// Send a batch.
        case send
    }

    /// How long after the first new event a request is made, so that what happens together goes together: sdk.md asks
    /// for about 2 s.
    package static let gathering: Int64 = 2000
    /// The first bound of the wait after a failure, doubled with each: ours.
    package static let firstWait: Int64 = 2000
    /// The last bound: ours, five minutes.
    package static let longestWait: Int64 = 300_000
    /// As many single events refused in a row that it is not the events: nothing more is thrown away. Ours.
    package static let refusedInARow = 16

    /// When a request is due; `nil` while nothing new happened.
    private var due: Int64?
    /// No request before this, because of failures.
    private var backoff: Int64 = 0
    /// No request before this, because the server said so. Nothing shortens it.
    private var asked: Int64 = 0
    private var failures = 0
    private var refused = 0
    /// Whether the server refused in a way that another request does not change.
    package private(set) var isStopped = false

    /// Nothing has happened yet.
    package init() {}

    /// An event was added to the queue.
    package mutating func recorded(at now: Int64) {
        due = min(due ?? .max, now + Self.gathering)
    }

    /// The queue is wanted to be sent now, and not after the two seconds in which events gather.
    ///
    /// - Parameter ignoringBackoff: nor after the wait that a failure brought.
    package mutating func wanted(at now: Int64, ignoringBackoff: Bool = false) {
        due = now
        if ignoringBackoff { backoff = 0 }
    }

    /// The app came to the front: even what was stopped is tried once more, and what failed waits for its back-off.
    package mutating func resumed(at now: Int64) {
        isStopped = false
        refused = 0
        due = now
    }

    /// What to do now.
    package func next(at now: Int64) -> Step {
        guard !isStopped, let due else { return .rest }
        let moment = max(due, backoff, asked)
        return moment <= now ? .send : .wait(until: moment)
    }

    /// The queue is empty.
    package mutating func emptied() {
        due = nil
    }

    /// The server took a batch, or refused single events of it for good.
    package mutating func settled() {
        failures = 0
        refused = 0
    }

    /// There was no answer, or one that asks for another try: full jitter, and what the server asked for.
    ///
    /// - Parameters:
    ///   - after: milliseconds that the server asked to wait.
    ///   - random: a number from 0 up to 1.
    package mutating func failed(at now: Int64, after: Int64?, random: Double) {
        // 8 doublings of 2 s are beyond the longest wait.
        let bound = min(Self.longestWait, Self.firstWait << Int64(min(failures, 8)))
        failures += 1
        backoff = now + Int64(Double(bound) * random)
        if let after { asked = now + after }
        due = min(due ?? now, now)
    }

    /// A single event was refused as a whole request.
    ///
    /// - Returns: whether it may be thrown away; when not, the uploader has stopped.
    package mutating func refusedAlone() -> Bool {
        refused += 1
        if refused > Self.refusedInARow { isStopped = true }
        return !isStopped
    }

    /// The server refused in a way that another request does not change.
    package mutating func stopped() {
        isStopped = true
    }
}
