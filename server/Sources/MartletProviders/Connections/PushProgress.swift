import MartletCore
import Synchronization

/// How one push gets on: counted on the event loops as its answers come, read by whoever looks.
///
/// There is one for each push and none for its queue, so that event loops do not write to the same memory.
final class PushProgress: @unchecked Sendable {  // its memory is atomics, made in init and freed in deinit only
    private let unanswered: Atomic<Int>
    private let nanoseconds = Atomic<UInt64>(0)
    private let counts: UnsafeMutablePointer<Atomic<UInt64>>

    /// A push of so many requests.
    init(count: Int) {
        unanswered = Atomic(count)
        counts = .allocate(capacity: DurationCounts.buckets)
        for index in 0..<DurationCounts.buckets { (counts + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: DurationCounts.buckets)
        counts.deallocate()
    }

    /// Notes how long an answer took, in nanoseconds; a negative time, of clocks that disagree, as none at all.
    func note(answerTime: Int64) {
        let time = max(0, answerTime)
        counts[DurationCounts.bucket(ofNanoseconds: time)].wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(UInt64(time), ordering: .relaxed)
    }

    /// Notes that a request has its outcome; says whether it was the last one.
    func finish() -> Bool { unanswered.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// Requests without an outcome.
    var inFlight: Int { max(0, unanswered.load(ordering: .relaxed)) }

    /// How long answers took so far.
    var answerTimes: DurationCounts {
        DurationCounts(
            counts: (0..<DurationCounts.buckets).map { counts[$0].load(ordering: .relaxed) },
            nanoseconds: nanoseconds.load(ordering: .relaxed)
        )
    }
}
