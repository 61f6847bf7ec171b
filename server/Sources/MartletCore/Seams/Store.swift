public import MartletWire

/// The seam to a database: domain operations, each one transaction, durable when they return.
///
/// Every implementation passes the conformance suite of `MartletTesting`. A `Failure` that an operation throws is the
/// caller's to read; any other error is the store's trouble. Reads see all writes that returned before them. A noun is read
/// by a selection and a page; a selection of one thing has one page of at most one.
public protocol Store: AppStore, QueueStore, KeyStore, PlatformApplicationStore, EndpointStore, TopicStore,
    SubscriptionStore, PublicationStore, NotificationStore, FanOutStore, DeliveryStore, ProcessStore, FailedWorkStore,
    MaintenanceStore, SharedValueStore, WebhookStore, EventStore, CategoryStore, PreferenceStore, InboxStore,
    PersonStore, OperatorStore, OperatorSessionStore, SendReviewStore, AuditStore, CountStore,
    NotificationDetailStore, KeyUseStore
{
    /// Finishes what is under way and closes the database. Nothing may be called afterwards.
    func close() async
}

/// Apps.
public protocol AppStore: Sendable {
    /// Makes an app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the name, or the pair of issuer and audience, is taken.
    func createApp(name: String, identity: Identity) async throws -> App

    /// Apps by age.
    func apps(_ selection: AppSelection, _ page: PageRequest) async throws -> Page<App>

    /// Changes the name, the identity, the settings; `nil` leaves it.
    ///
    /// - Throws: `Failure` as ``createApp(name:identity:)`` does, and ``ErrorCode/notFound``.
    func updateApp(
        _ app: RowID<App>,
        name: String?,
        identity: Identity?,
        settings: AppSettings?
    ) async throws -> App

    /// Deletes an app with everything that is its own.
    func deleteApp(_ app: RowID<App>) async throws
}

extension AppStore {
    /// One app, or `nil`.
    public func app(_ selector: AppSelector) async throws -> App? {
        try await apps(.one(selector), PageRequest(count: 1)).items.first
    }

    /// Changes an app and leaves its settings.
    public func updateApp(_ app: RowID<App>, name: String?, identity: Identity?) async throws -> App {
        try await updateApp(app, name: name, identity: identity, settings: nil)
    }

    /// All apps.
    public func apps(_ page: PageRequest) async throws -> Page<App> { try await apps(.all, page) }
}

/// Which apps are asked for.
public enum AppSelection: Sendable, Hashable {
    case one(AppSelector)
    case all
}

/// How an app is found.
public enum AppSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<App>)
    /// By its id outside.
    case id(PublicID)
    /// By its name.
    case name(String)
    /// By the issuer and one of the audiences of a user token.
    case identity(issuer: String, audiences: [String])
}
