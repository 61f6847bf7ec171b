public import MartletCore
public import MartletWire

extension Store {
    /// A person's items; a page's key is an item's number, so that nothing that comes meanwhile shifts it. What is not
    /// theirs, ended or was recalled is not among them.
    public func inbox(
        _ selection: InboxSelection,
        of owner: InboxOwner,
        _ page: PageRequest
    ) async throws -> Page<InboxItem> {
        try await read { transaction in
            guard let user = try transaction.user(owner.user, of: owner.app) else { return Page(items: [], next: nil) }
            switch selection {
            case .one(let id): return Page(one: try transaction.inboxItem(id, of: user, in: owner.app))
            case .list(let status, let category):
                return try transaction.inboxPage(status, category: category, of: user, in: owner.app, page)
            }
        }
    }

    /// How many items a person has not read.
    public func inboxCounts(of owner: InboxOwner) async throws -> InboxCounts {
        try await read { transaction in
            try transaction.inboxCounts(of: transaction.user(owner.user, of: owner.app), in: owner.app)
        }
    }
}

extension Store {
    /// Does something with a person's items, where it is not known on which of their devices.
    package func markInbox(_ mark: InboxMark, of owner: InboxOwner) async throws -> InboxCounts {
        try await markInbox(mark, of: owner, on: nil)
    }
}
