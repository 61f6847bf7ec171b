public import MartletWire

/// What people can read later.
public protocol InboxStore: Sendable {
    /// A person's items; a page's key is an item's number, so that nothing that comes meanwhile shifts it. What is not
    /// theirs, ended or was recalled is not among them.
    func inbox(_ selection: InboxSelection, of owner: InboxOwner, _ page: PageRequest) async throws -> Page<InboxItem>

    /// How many items a person has not read.
    func inboxCounts(of owner: InboxOwner) async throws -> InboxCounts

    /// Does something with a person's items; what is read or archived so is not sent to their devices any more.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when a single item that is named is not theirs.
    func markInbox(_ mark: InboxMark, of owner: InboxOwner) async throws -> InboxCounts

    /// Takes an item out of all inboxes and cancels what of its notification has not been sent.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func recall(_ notification: RowID<Notification>) async throws -> Notification

    /// The counts of those people whose inbox changed since the revision that is known of them, with the ids of the
    /// newest items, what changed before the others: what an open stream is told.
    func inboxChanges(since known: [InboxOwner: Int64]) async throws -> [InboxOwner: InboxChange]

    /// Takes the next turn to tell a person's devices the number on the app's icon, at most one in
    /// ``InboxService/badgeInterval``; says when it is.
    ///
    /// - Returns: `nil` where the app does not ask for it, the person has no device, or a turn is yet to come: it has the
    ///   number of then.
    func beginBadgeSync(of owner: InboxOwner) async throws -> Timestamp?
}
