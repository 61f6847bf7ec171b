public import MartletCore
public import MartletWire

extension SQLStore {
    /// Merges what is the person's own with what is shared; only the items of the page are read with what they say.
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

    /// Counts through the partial indexes of what was not read and not seen.
    public func inboxCounts(of owner: InboxOwner) async throws -> InboxCounts {
        try await read { transaction in
            try transaction.inboxCounts(of: transaction.user(owner.user, of: owner.app), in: owner.app)
        }
    }
}
