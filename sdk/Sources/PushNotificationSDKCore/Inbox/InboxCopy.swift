import Foundation
import MartletWire

/// What is kept of one user's inbox: the newest items that were read, and the counts.
struct InboxCopy: Sendable, Codable, Equatable {
    /// The most items, of the specification.
    static let bound = 200

    /// Newest first; none that is archived.
    private(set) var items: [InboxItemResponse] = []
    private(set) var counts: InboxCountsResponse?

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - isWhole: whether these are all that are not archived, from the newest down to the last one of these.
    ///   - isLast: whether there are no older ones.
    mutating func take(_ read: [InboxItemResponse], isWhole: Bool, isLast: Bool) {
        let known = Set(read.map(\.id))
        // What is missing where everything was read was recalled, or has expired.
        let oldest = read.last
        items.removeAll { item in
            known.contains(item.id) || (isWhole && (isLast || oldest.map { !item.isOlder(than: $0) } ?? true))
        }
        items += read.filter { !$0.isArchived }
        items.sort { $1.isOlder(than: $0) }
        items.removeLast(max(0, items.count - Self.bound))
    }

    /// Takes counts, unless newer ones are known.
    ///
    /// - Returns: whether they are others than those that were known.
    @discardableResult
    mutating func take(_ new: InboxCountsResponse) -> Bool {
        // Revisions were larger before they were numbers of JavaScript.
        let isNewer = counts.map { new.revision >= $0.revision || $0.revision >= 1 << 53 } ?? true
        guard isNewer, new != counts else { return false }
        counts = new
        return true
    }

    /// Does what a job says, before the server has done it.
    ///
    /// - Returns: the items that it is about.
    @discardableResult
    mutating func apply(_ job: InboxJob) -> [PublicID] {
        let newest = job.isForAll ? items.first { $0.id == job.item } : nil
        var met: [PublicID] = []
        for index in items.indices where job.covers(items[index], upTo: newest) {
            let (before, after) = (items[index], items[index].after(job.action))
            items[index] = after
            met.append(after.id)
            guard var counts else { continue }
            counts.unread = max(0, counts.unread + (before.isRead ? 1 : 0) - (after.isRead ? 1 : 0))
            counts.unseen = max(0, counts.unseen + (before.isSeen ? 1 : 0) - (after.isSeen ? 1 : 0))
            self.counts = counts
        }
        items.removeAll(where: \.isArchived)
        return met
    }
}
