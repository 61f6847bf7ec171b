public import MartletWire

/// Work that is tried no more until somebody asks for it.
///
/// Leases take ``LeaseTrial`` at its word; a row that cannot be read is set aside at once. Its deliveries stay pending,
/// and end with their notification's expiry or its cancellation. Where the members of a batch cannot be read, they end
/// by their number alone.
public protocol SetAsideStore: Sendable {
    /// An app's work that is set aside, or everybody's, newest first.
    func setAside(_ app: RowID<App>?, _ page: PageRequest) async throws -> Page<SetAside>

    /// One piece of work that is set aside, or `nil`.
    func setAside(_ id: PublicID) async throws -> SetAside?

    /// Has work tried again, with all its tries before it; says what it was.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is not set aside, or no longer.
    func retrySetAside(_ id: PublicID) async throws -> SetAside
}
