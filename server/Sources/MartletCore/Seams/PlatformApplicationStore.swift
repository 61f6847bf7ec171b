public import MartletWire

/// Apps as the clients of Amazon SNS know them. A stored credential makes one where its queue has none, and a credential
/// that is deleted takes such a one with it.
public protocol PlatformApplicationStore: Sendable {
    /// Makes an application with an app of its own and its credential, or finds the one that has the name already and
    /// leaves it as it is.
    func createPlatformApplication(_ draft: PlatformApplicationDraft) async throws -> CreatedPlatformApplication

    /// The application of a name, or `nil`. One that was made under the name goes before an app that is called so.
    func platformApplication(_ name: PlatformApplicationName) async throws -> PlatformApplication?

    /// The application of a queue, or `nil`.
    func platformApplication(of queue: DeliveryQueue) async throws -> PlatformApplication?

    /// A region's applications by age.
    ///
    /// - Parameter isHome: whether the region is the server's own.
    func platformApplications(
        region: String,
        isHome: Bool,
        _ page: PageRequest
    ) async throws -> Page<PlatformApplication>

    /// Writes what `update` names; says what the application is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func updatePlatformApplication(
        _ row: RowID<PlatformApplication>,
        _ update: PlatformApplicationUpdate
    ) async throws -> PlatformApplication

    /// Deletes an application with its credential and its endpoints; says whether there was one. The app goes too when it
    /// was made for it and has nothing else: no other application or credential, no keys, users or topics.
    func deletePlatformApplication(_ row: RowID<PlatformApplication>) async throws -> Bool
}

/// The endpoints of platform applications: those of its app at its provider whose environment is the application's, or,
/// for the oldest application of an app and provider, is not known. Removed ones do not count.
public protocol PlatformEndpointStore: Sendable {
    /// Makes an endpoint, or says which one has the token. A token whose endpoint was removed gets a new one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when the application is gone.
    func createPlatformEndpoint(
        _ application: PlatformApplication,
        _ draft: PlatformEndpointDraft
    ) async throws -> PlatformEndpointCreation

    /// One endpoint, or `nil`.
    func platformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint?

    /// An application's endpoints by age.
    func platformEndpoints(_ application: PlatformApplication, _ page: PageRequest) async throws -> Page<Endpoint>

    /// Writes what `update` names.
    func updatePlatformEndpoint(
        _ application: PlatformApplication,
        _ id: PublicID,
        _ update: PlatformEndpointUpdate
    ) async throws -> PlatformEndpointChange

    /// Removes an endpoint; says which it was, or `nil` when there was none. Its subscriptions stay.
    func removePlatformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint?
}
