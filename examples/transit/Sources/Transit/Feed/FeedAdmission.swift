package import Foundation

/// Whether a feed that was read is the news, as a decision without a network or a clock.
///
/// A feed that is refused changes nothing: the next good one carries everything again.
package struct FeedAdmission: Sendable, Equatable {
    /// How old a feed may be, in seconds.
    package var maximumAge = 900
    /// How far ahead of this machine's clock a feed may be, in seconds. One from next year would have every later feed
    /// refused as older.
    package var maximumLead = 300
    /// An empty feed is believed when as many in a row were empty.
    package var emptyFeedsToBelieve = 3
    /// When the last accepted feed was made.
    package private(set) var last: Int?
    /// Whether this process has used a feed. What an earlier one has only begun to use, it uses once more.
    private var hasUsedOne = false
    private var emptyInARow = 0
    private var lastEmpty: Int?

    package init(last: Int? = nil) { self.last = last }

    /// - Parameter known: alerts that are known and not over.
    package mutating func admit(_ snapshot: FeedSnapshot, known: Int, now: Date) throws(FeedProblem) {
        let age = Int(now.timeIntervalSince1970) - snapshot.made
        guard age <= maximumAge else { throw .late(seconds: age, limit: maximumAge) }
        guard age >= -maximumLead else { throw .fromTheFuture(seconds: -age) }
        if let last {
            guard snapshot.made >= last else { throw .backwards(seconds: last - snapshot.made) }
            guard snapshot.made > last || !hasUsedOne else { throw .twice }
        }
        try believe(snapshot, known: known)
        last = snapshot.made
        hasUsedOne = true
        // Where one empty feed was believed, the next is too: what was withdrawn is to be missing more than once.
        guard !snapshot.alerts.isEmpty || !snapshot.unreadable.isEmpty else { return }
        emptyInARow = 0
        lastEmpty = nil
    }

    private mutating func believe(_ snapshot: FeedSnapshot, known: Int) throws(FeedProblem) {
        guard snapshot.alerts.isEmpty, snapshot.unreadable.isEmpty, known > 0 else { return }
        if snapshot.made > lastEmpty ?? .min { emptyInARow += 1 }
        lastEmpty = snapshot.made
        guard emptyInARow >= emptyFeedsToBelieve else {
            throw .empty(known: known, seen: emptyInARow, believedAfter: emptyFeedsToBelieve)
        }
    }
}
