public import MartletWire

/// Work that is tried no more until somebody asks for it.
///
/// Leases follow ``LeaseAdmission``; a row that cannot be read is quarantined at once. Its deliveries stay pending,
/// and end with their notification's expiry or its cancellation. Where the members of a batch cannot be read, they end
/// by their number alone.
public protocol QuarantineStore: Sendable {
    /// An app's work that is quarantined, or everybody's, newest first.
    func quarantined(_ app: RowID<App>?, _ page: PageRequest) async throws -> Page<QuarantinedWork>

    /// One piece of work that is quarantined, or `nil`.
    func quarantined(_ id: PublicID) async throws -> QuarantinedWork?

    /// Has work tried again, with all its tries before it; says what it was.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is not quarantined, or no longer.
    func retryQuarantined(_ id: PublicID) async throws -> QuarantinedWork
}
