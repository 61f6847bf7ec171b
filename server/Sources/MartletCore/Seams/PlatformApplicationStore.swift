/// Apps as the clients of Amazon SNS know them. A stored credential makes one where its queue has none, and a credential
/// that is deleted takes such a one with it.
public protocol PlatformApplicationStore: Sendable {
    /// Makes an application with an app of its own and its credential, or finds the one that has the name already and
    /// leaves it as it is.
    func createPlatformApplication(_ draft: PlatformApplicationDraft) async throws -> CreatedPlatformApplication

    /// Applications by age.
    func platformApplications(
        _ selection: PlatformApplicationSelection,
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

extension PlatformApplicationStore {
    /// The application of a name, or `nil`.
    public func platformApplication(_ name: PlatformApplicationName) async throws -> PlatformApplication? {
        try await platformApplications(.name(name), PageRequest(count: 1)).items.first
    }

    /// The application of a queue, or `nil`.
    public func platformApplication(of queue: DeliveryQueue) async throws -> PlatformApplication? {
        try await platformApplications(.queue(queue), PageRequest(count: 1)).items.first
    }
}

/// Which platform applications are asked for.
public enum PlatformApplicationSelection: Sendable, Hashable {
    /// That of a name. One that was made under the name goes before an app that is called so.
    case name(PlatformApplicationName)
    /// That of a queue.
    case queue(DeliveryQueue)
    /// A region's, which may be the server's own.
    case region(String, isHome: Bool)
}
