public import MartletCore
public import MartletWire

extension SQLStore {
    public func inbox(_ selection: InboxSelection, of owner: InboxOwner, _ page: PageRequest) async throws -> Page<
        InboxItem
    > { throw Failure.notFound("inbox") }
    public func inboxCounts(of owner: InboxOwner) async throws -> InboxCounts { InboxCounts() }
    public func markInbox(_ mark: InboxMark, of owner: InboxOwner) async throws -> InboxCounts { InboxCounts() }
    public func recall(_ notification: RowID<MartletCore.Notification>) async throws -> MartletCore.Notification {
        throw Failure.notFound("notification")
    }
    public func inboxChanges(since known: [InboxOwner: Int64]) async throws -> [InboxOwner: InboxChange] { [:] }
}
