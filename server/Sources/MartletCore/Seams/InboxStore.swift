public import MartletWire

/// What people can read later.
public protocol InboxStore: Sendable {
    /// A person's items; a page's key is an item's number, so that nothing that comes meanwhile shifts it. What is not
    /// theirs, ended or was recalled is not among them.
    func inbox(_ selection: InboxSelection, of owner: InboxOwner, _ page: PageRequest) async throws -> Page<InboxItem>

    /// How many items a person has not read.
    func inboxCounts(of owner: InboxOwner) async throws -> InboxCounts

    /// Does something with a person's items; what is read or archived so is not sent to their devices any more. Where the
    /// app asks for it, their other devices are due to be told, by ``takeBadgeSyncs(limit:)``.
    ///
    /// - Parameter installation: where the person did it; `nil` where that is not known.
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when a single item that is named is not theirs.
    func markInbox(_ mark: InboxMark, of owner: InboxOwner, on installation: PublicID?) async throws -> InboxCounts

    /// Takes an item out of all inboxes and cancels what of its notification has not been sent. Again it changes nothing.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func recall(_ notification: RowID<Notification>) async throws -> Recall

    /// The counts of those people whose inbox changed since the revision that is known of them, with the ids of the
    /// newest items, what changed before the others: what an open stream is told.
    func inboxChanges(since known: [InboxOwner: Int64]) async throws -> [InboxOwner: InboxChange]

    /// Takes what people's devices are to be told after a read, each person at most once in ``BadgeSync/interval``, those
    /// that waited longest first. What is taken is another server's no more, and lost with this one.
    func takeBadgeSyncs(limit: Int) async throws -> [BadgeSync]
}

extension InboxStore {
    /// Does something with a person's items, where it is not known on which of their devices.
    package func markInbox(_ mark: InboxMark, of owner: InboxOwner) async throws -> InboxCounts {
        try await markInbox(mark, of: owner, on: nil)
    }
}
