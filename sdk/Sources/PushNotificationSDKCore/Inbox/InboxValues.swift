import MartletWire

/// Which items a page has.
public enum InboxStatus: String, Sendable, Hashable, CaseIterable {
    /// Those that are not archived.
    case active
    /// Those that were not seen.
    case unseen
    /// Those that were not read.
    case unread
    /// Those that were read and are not archived.
    case read
    /// Those that are archived.
    case archived
}

/// What is done with items.
public enum InboxMark: String, Sendable, Hashable, CaseIterable {
    /// The user saw them in a list.
    case seen
    /// The user did not see them.
    case unseen
    /// The user read them.
    case read
    /// The user did not read them.
    case unread
    /// The user puts them away.
    case archived
    /// The user takes them out again.
    case unarchived

    var action: InboxAction {
        switch self {
        case .seen: .see
        case .unseen: .unsee
        case .read: .read
        case .unread: .unread
        case .archived: .archive
        case .unarchived: .unarchive
        }
    }
}

/// How many items the user has not read.
public struct InboxCounts: Sendable, Hashable {
    /// Those that were not read.
    public let unread: Int
    /// Those that were not seen.
    public let unseen: Int
    /// A number that grows with each change of the inbox.
    public let revision: Int64

    package init(unread: Int, unseen: Int, revision: Int64) {
        self.unread = unread
        self.unseen = unseen
        self.revision = revision
    }

    /// The counts as JSON, under this type's own names.
    public var json: String { value.text }

    var value: JSONValue {
        ["unread": .integer(Int64(unread)), "unseen": .integer(Int64(unseen)), "revision": .integer(revision)]
    }
}

extension InboxCounts {
    init(_ response: InboxCountsResponse) {
        self.init(unread: response.unread, unseen: response.unseen, revision: response.revision)
    }
}

/// A part of the inbox, newest first.
public struct InboxPage: Sendable, Hashable {
    /// The items.
    public let items: [InboxItem]
    /// What to hand in for the next page; `nil` on the last one.
    public let cursor: String?

    package init(items: [InboxItem], cursor: String?) {
        self.items = items
        self.cursor = cursor
    }

    /// The page as JSON, under this type's own names.
    public var json: String {
        var members: [String: JSONValue] = ["items": .array(items.map(\.value))]
        members["cursor"] = cursor.map(JSONValue.string)
        return JSONValue.object(members).text
    }
}

/// What is kept of the inbox for when there is no connection.
public struct CachedInbox: Sendable, Hashable {
    /// The newest items that were read, at most 200, newest first; none that is archived or has left the inbox.
    public let items: [InboxItem]
    /// The counts, once they were read.
    public let counts: InboxCounts?

    package init(items: [InboxItem], counts: InboxCounts?) {
        self.items = items
        self.counts = counts
    }

    /// What is kept as JSON, under this type's own names.
    public var json: String {
        var members: [String: JSONValue] = ["items": .array(items.map(\.value))]
        members["counts"] = counts?.value
        return JSONValue.object(members).text
    }
}

/// Something changed in the inbox: a hint to read the page again that is shown.
public struct InboxUpdate: Sendable, Hashable {
    /// The counts from now on.
    public let counts: InboxCounts
    /// The newest items that changed, at most 20; others may have changed too.
    public let itemIDs: [String]

    package init(counts: InboxCounts, itemIDs: [String]) {
        self.counts = counts
        self.itemIDs = itemIDs
    }

    /// The update as JSON, under this type's own names.
    public var json: String {
        JSONValue.object(["counts": counts.value, "itemIDs": .array(itemIDs.map(JSONValue.string))]).text
    }
}

/// An update, and whose inbox it is about.
package struct InboxNews: Sendable {
    /// The user; `nil` where it was said by the app itself.
    package var user: String?
    /// What changed.
    package var update: InboxUpdate
}
