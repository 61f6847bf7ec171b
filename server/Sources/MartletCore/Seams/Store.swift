public import MartletWire

/// The seam to a database: domain operations, each one transaction, durable when they return.
///
/// Every implementation passes the conformance suite of `MartletTesting`. A `Failure` that an operation throws is the
/// caller's to read; any other error is the store's trouble. Reads see all writes that returned before them.
public protocol Store: AppStore, KeyStore, PlatformApplicationStore, EndpointStore,
    PlatformEndpointStore, TopicStore, SubscriptionStore, PublicationStore, NotificationStore,
    FanOutStore, DeliveryStore, FailedWorkStore, MaintenanceStore, SharedValueStore, WebhookStore,
    EventStore
{
    /// Finishes what is under way and closes the database. Nothing may be called afterwards.
    func close() async
}

/// Apps, their credentials and the pauses of their queues.
public protocol AppStore: Sendable {
    /// Makes an app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the name, or the pair of issuer and audience, is taken.
    func createApp(name: String, identity: Identity) async throws -> App

    /// One app, or `nil`.
    func app(_ selector: AppSelector) async throws -> App?

    /// Apps by age.
    func apps(_ page: PageRequest) async throws -> Page<App>

    /// Changes the name, the identity, or both; `nil` leaves it.
    ///
    /// - Throws: `Failure` as ``createApp(name:identity:)`` does, and ``ErrorCode/notFound``.
    func updateApp(_ app: RowID<App>, name: String?, identity: Identity?) async throws -> App

    /// Deletes an app with everything that is its own.
    func deleteApp(_ app: RowID<App>) async throws

    /// Stores a credential in place of the queue's present one, under a new row, and ends the queue's pause.
    func storeCredential(_ queue: DeliveryQueue, _ draft: StoredCredentialDraft) async throws -> Credential

    /// An app's credentials.
    func credentials(_ app: RowID<App>) async throws -> [Credential]

    /// Deletes a queue's credential; says whether there was one.
    func deleteCredential(_ queue: DeliveryQueue) async throws -> Bool
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

/// A checked and sealed credential on its way into the store.
public struct StoredCredentialDraft: Sendable {
    /// What may be shown.
    public var summary: CredentialSummary
    /// The sealed secret.
    public var sealed: [UInt8]
    /// Another address than the provider's own.
    public var url: String?
    /// Whether the operator named that address, and not somebody with a key of one app.
    public var isURLOfOperator: Bool
    /// PEM certificates to trust there.
    public var trust: String?

    package init(
        summary: CredentialSummary,
        sealed: [UInt8],
        url: String?,
        isURLOfOperator: Bool = false,
        trust: String?
    ) {
        self.summary = summary
        self.sealed = sealed
        self.url = url
        self.isURLOfOperator = isURLOfOperator
        self.trust = trust
    }
}

/// Installations, endpoints and users.
public protocol EndpointStore: Sendable {
    /// Registers a token: what changes is decided by ``RegistrationPlan`` and ``Installation/admit(_:existing:holdsToken:)``.
    ///
    /// - Throws: `Failure` with ``ErrorCode/installationSecretRequired``.
    func register(_ registration: Registration) async throws -> Registered

    /// Whether this is the installation's secret; remembers that it was presented.
    func confirmInstallation(_ app: RowID<App>, _ id: PublicID, secret: SecretHash) async throws -> Bool

    /// One endpoint of an app, or `nil`; removed ones too.
    func endpoint(_ app: RowID<App>, _ selector: EndpointSelector) async throws -> Endpoint?

    /// An app's endpoints by age, without the removed ones; those of one user, or all.
    func endpoints(_ app: RowID<App>, user: String?, _ page: PageRequest) async throws -> Page<Endpoint>

    /// Writes what `update` names; says what the endpoint is afterwards.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func updateEndpoint(_ row: RowID<Endpoint>, _ update: EndpointUpdate) async throws -> Endpoint

    /// An app's users by age.
    func users(_ app: RowID<App>, _ page: PageRequest) async throws -> Page<User>
}

/// How an endpoint is found within its app.
public enum EndpointSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<Endpoint>)
    /// By its id outside.
    case id(PublicID)
    /// By its token.
    case token(Platform, String)
}

/// What is to change about an endpoint; `nil` leaves it.
public struct EndpointUpdate: Sendable {
    /// Enabled, disabled or removed.
    public var status: Endpoint.Status?
    /// Who it belongs to.
    public var owner: Registration.Owner
    /// What the device says about itself, over what is known.
    public var device: DeviceInfo?

    package init(
        status: Endpoint.Status? = nil,
        owner: Registration.Owner = .unchanged,
        device: DeviceInfo? = nil
    ) {
        self.status = status
        self.owner = owner
        self.device = device
    }
}
