public import MartletWire

/// Installations and endpoints.
public protocol EndpointStore: Sendable {
    /// Registers tokens in their order: what changes is decided by ``RegistrationPlan`` and
    /// ``Installation/admit(_:existing:holdsToken:isAnotherToken:)``. One that is refused has written nothing and keeps no
    /// other from being registered. When this throws, those at the beginning may be registered; registering again is
    /// harmless.
    ///
    /// - Returns: the outcome of each, by position; `Failure` with ``ErrorCode/installationSecretRequired``, or with
    ///   ``ErrorCode/notFound`` when the app is gone.
    func register(_ registrations: [Registration]) async throws -> [Result<Registered, Failure>]

    /// Whether this is the installation's secret; remembers that it was presented.
    func confirmInstallation(_ app: RowID<App>, _ id: PublicID, secret: SecretHash) async throws -> Bool

    /// Makes an endpoint of a platform application, or says which one has the token; one that is the same gets the
    /// draft's owner. A token whose endpoint was removed gets a new one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when the application is gone.
    func createPlatformEndpoint(
        _ application: PlatformApplication,
        _ draft: PlatformEndpointDraft
    ) async throws -> PlatformEndpointCreation

    /// Endpoints by age.
    func endpoints(_ selection: EndpointSelection, _ page: PageRequest) async throws -> Page<Endpoint>

    /// Writes what `update` names, all in one write; says what each endpoint is afterwards, or `nil` where there was none.
    /// The subscriptions of one that is removed stay.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` at `token` when that is another endpoint's; nothing is changed then.
    func updateEndpoints(_ targets: [EndpointTarget], _ update: EndpointUpdate) async throws -> [Endpoint?]
}

extension EndpointStore {
    /// Registers one token.
    ///
    /// - Throws: the `Failure` of the one.
    public func register(_ registration: Registration) async throws -> Registered {
        guard let outcome = try await register([registration]).first else { throw Failure.notFound("endpoint") }
        return try outcome.get()
    }

    /// One endpoint of an app, or `nil`; removed ones too.
    public func endpoint(_ app: RowID<App>, _ selector: EndpointSelector) async throws -> Endpoint? {
        try await endpoints(.one(selector, of: app), PageRequest(count: 1)).items.first
    }

    /// An app's endpoints; those of one user, or all.
    public func endpoints(
        _ app: RowID<App>,
        user: String?,
        isEnabled: Bool? = nil,
        _ page: PageRequest
    ) async throws -> Page<Endpoint> {
        try await endpoints(.app(app, user: user, isEnabled: isEnabled), page)
    }

    /// One endpoint of a platform application, or `nil`.
    public func platformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint? {
        try await endpoints(.onePlatform(id, of: application), PageRequest(count: 1)).items.first
    }

    /// A platform application's endpoints.
    public func platformEndpoints(
        _ application: PlatformApplication,
        _ page: PageRequest
    ) async throws -> Page<Endpoint> {
        try await endpoints(.platform(application), page)
    }

    /// Changes one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, and as ``updateEndpoints(_:_:)`` does.
    public func updateEndpoint(_ target: EndpointTarget, _ update: EndpointUpdate) async throws -> Endpoint {
        guard let changed = try await updateEndpoints([target], update).first ?? nil else {
            throw Failure.notFound("endpoint")
        }
        return changed
    }

    /// Changes the endpoint of a row.
    public func updateEndpoint(_ row: RowID<Endpoint>, _ update: EndpointUpdate) async throws -> Endpoint {
        try await updateEndpoint(.row(row), update)
    }

    /// Removes an endpoint of a platform application; says which it was, or `nil` when there was none.
    public func removePlatformEndpoint(_ application: PlatformApplication, _ id: PublicID) async throws -> Endpoint? {
        do {
            let removed = EndpointUpdate(status: .removed(.byRequest))
            return try await updateEndpoint(.platform(id, of: application), removed)
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }
}

/// Which endpoints are asked for.
///
/// The endpoints of a platform application are those of its app at its provider whose environment is the application's,
/// or, for the oldest application of an app and provider, is not known. Removed ones do not count.
public enum EndpointSelection: Sendable, Hashable {
    /// One of an app, removed ones too.
    case one(EndpointSelector, of: RowID<App>)
    /// An app's, without the removed ones; those of one user, or all, and of these those that pushes are made to or not.
    case app(RowID<App>, user: String?, isEnabled: Bool?)
    /// One of a platform application.
    case onePlatform(PublicID, of: PlatformApplication)
    /// Those of a platform application.
    case platform(PlatformApplication)
}

/// How an endpoint is found within its app.
public enum EndpointSelector: Sendable, Hashable {
    /// By its key inside the store.
    case row(RowID<Endpoint>)
    /// By its id outside.
    case id(PublicID)
    /// By its token.
    case token(Platform, String)
    /// By the installation that it belongs to: the newest that is not removed.
    case installation(PublicID)
}

/// Which endpoint is changed.
public enum EndpointTarget: Sendable, Hashable {
    /// That of a row.
    case row(RowID<Endpoint>)
    /// That of an id, where it is one of the app's and not removed.
    case id(PublicID, of: RowID<App>)
    /// That of an id, where it is one of the platform application's.
    case platform(PublicID, of: PlatformApplication)
    /// All that an installation has and that are not removed; the newest one is answered.
    case installation(PublicID, of: RowID<App>)
}

/// What is to change about an endpoint; `nil` leaves it.
public struct EndpointUpdate: Sendable {
    /// Enabled, disabled or removed.
    public var status: Endpoint.Status?
    /// Whether pushes are made to it: its switch and, with `true`, also its status, whoever disabled it.
    public var isEnabled: Bool?
    /// Who it belongs to.
    public var owner: Registration.Owner
    /// What the device says about itself, over what is known.
    public var device: DeviceInfo?
    /// Another token; the ``Registrar`` normalizes it. A platform application's endpoint gets its environment with it.
    public var token: String?
    /// What the caller of the SNS interface keeps with it.
    public var customUserData: String?
    /// The device's switch.
    public var hasPush: Bool?

    package init(
        status: Endpoint.Status? = nil,
        isEnabled: Bool? = nil,
        owner: Registration.Owner = .unchanged,
        device: DeviceInfo? = nil,
        token: String? = nil,
        customUserData: String? = nil,
        hasPush: Bool? = nil
    ) {
        self.status = status
        self.isEnabled = isEnabled
        self.owner = owner
        self.device = device
        self.token = token
        self.customUserData = customUserData
        self.hasPush = hasPush
    }

    /// The status that an endpoint gets; `nil` leaves it.
    package func status(of endpoint: Endpoint) -> Endpoint.Status? {
        isEnabled == true && endpoint.status != .enabled ? .enabled : status
    }

    /// Its switch; `nil` leaves it.
    package var pushSwitch: Bool? { isEnabled ?? hasPush }
}
