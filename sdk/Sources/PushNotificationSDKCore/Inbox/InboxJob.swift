import Foundation
import MartletWire

/// One mark that the server has yet to hear of: of one item, or of all up to one.
struct InboxJob: Sendable, Hashable, Codable {
    /// What tells it from every other.
    var number = UUID()
    var action: InboxAction
    /// The item, or the newest one of all that are meant.
    var item: PublicID
    /// Whether all up to the item are meant.
    var isForAll = false
    /// With all: only those of this category.
    var category: String?

    init(_ action: InboxAction, _ item: PublicID) {
        self.action = action
        self.item = item
    }

    /// Whether it is about an item, as far as that is known here.
    func covers(_ other: InboxItemResponse, upTo newest: InboxItemResponse?) -> Bool {
        guard isForAll else { return item == other.id }
        guard let newest, category == nil || category == other.category else { return false }
        return other.isOlder(than: newest) || other.id == newest.id
    }
}

extension [InboxJob] {
    /// The most that wait: 500, of the specification.
    static let bound = 500

    /// Adds jobs, unless there would be too many. One that says what the newest word about its item says already is left out;
    /// the newest word about all is one about every item.
    ///
    /// - Returns: whether there was room for all of them.
    mutating func add(_ jobs: [InboxJob]) -> Bool {
        var all = self
        for job in jobs {
            let last = job.isForAll ? all.last : all.last { $0.isForAll || $0.item == job.item }
            let isSaid = last.map { $0.action == job.action && $0.isSame(as: job) } ?? false
            if !isSaid { all.append(job) }
        }
        guard all.count <= Self.bound else { return false }
        self = all
        return true
    }

    /// The first request that is due, and how many jobs it says: those that do the same with single items go together, as
    /// far as order allows.
    ///
    /// - Parameter width: the most items of the request.
    func firstRequest(width: Int) -> (request: InboxActionRequest, jobs: ArraySlice<InboxJob>)? {
        guard let first else { return nil }
        guard !first.isForAll else {
            return (InboxActionRequest(first.action, upTo: first.item, category: first.category), prefix(1))
        }
        let alike = prefix { !$0.isForAll && $0.action == first.action }.prefix(
            Swift.min(width, InboxActionRequest.limit)
        )
        return (InboxActionRequest(first.action, ids: alike.map(\.item)), alike)
    }
}

extension InboxJob {
    fileprivate func isSame(as other: InboxJob) -> Bool {
        item == other.item && isForAll == other.isForAll && category == other.category
    }
}

extension InboxItemResponse {
    /// Whether it stands below another in a list: by time, then by id.
    func isOlder(than other: InboxItemResponse) -> Bool {
        (publishedAt, id) < (other.publishedAt, other.id)
    }

    /// The item after an action: who read it saw it too, and who put it away read it.
    func after(_ action: InboxAction) -> InboxItemResponse {
        var item = self
        switch action {
        case .see: item.isSeen = true
        case .unsee: (item.isSeen, item.isRead) = (false, false)
        case .read: (item.isSeen, item.isRead) = (true, true)
        case .unread: item.isRead = false
        case .archive: (item.isSeen, item.isRead, item.isArchived) = (true, true, true)
        case .unarchive: item.isArchived = false
        }
        return item
    }
}
