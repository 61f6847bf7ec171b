package import MartletCore
package import MartletStore
package import MartletWire

/// Registers endpoints and changes them, for every interface: tokens go into the form that their provider wants, what a
/// device says of itself has bounds, and a ``Registrant`` decides the owner.
///
/// Its operations throw a `Failure` that names the field.
package struct Registrar: Sendable {
    private let store: Store
    private let providers: [Platform: any Provider]
    private let vault: Vault

    package init(store: Store, providers: [Platform: any Provider], vault: Vault) {
        (self.store, self.providers, self.vault) = (store, providers, vault)
    }

    /// Registers an installation's token.
    ///
    /// - Parameters:
    ///   - presented: the hash of the installation's secret, where it was presented.
    ///   - deviceLimit: how many devices the user may have with a new one; `nil` is no bound.
    /// - Returns: also the installation's secret, where this call issued it.
    package func register(
        _ request: TokenRegistrationRequest,
        app: App,
        by registrant: Registrant,
        presented: SecretHash?,
        deviceLimit: Int?
    ) async throws -> (Registered, secret: String?) {
        let owner = try registrant.installationOwner(request.userID, identity: app.identity.mode)
        let secret = InstallationSecret.issue(for: request.installationID)
        let key = try await vapidKeyID(for: [request], app: app.row)
        var registration = try registration(
            request,
            app: app,
            owner: owner,
            deviceLimit: deviceLimit,
            vapidKeyID: key
        )
        registration.installation = Registration.InstallationClaim(
            id: request.installationID,
            presented: presented,
            issued: secret.hash
        )
        registration.mayTakeToken = registrant != .client || app.identity.mode == .asserted
        let registered = try await store.register(registration)
        return (registered, registered.isSecretIssued ? secret.text : nil)
    }

    /// Registers a user's device.
    package func register(
        _ request: DeviceRequest,
        app: App,
        by registrant: Registrant,
        deviceLimit: Int?
    ) async throws -> Registered {
        let key = try await vapidKeyID(for: [request], app: app.row)
        return try await store.register(
            registration(request, app: app, by: registrant, deviceLimit: deviceLimit, vapidKeyID: key)
        )
    }

    /// Registers users' devices in their order, with no bound on how many a user has. One that is refused keeps no other
    /// from being registered.
    ///
    /// - Parameter requests: each with its app, or why it was refused before.
    /// - Returns: the outcome of each, by position.
    package func register(
        _ requests: [Result<(DeviceRequest, App), Failure>],
        by registrant: Registrant
    ) async throws -> [Result<Registered, Failure>] {
        var keys: [RowID<App>: String] = [:]
        for case .success(let (device, app)) in requests where device.isWebPush && keys[app.row] == nil {
            keys[app.row] = try await vapidKeyID(for: [device], app: app.row)
        }
        let admitted = requests.map { [keys] request in
            Result { () throws(Failure) in
                let (device, app) = try request.get()
                let key = keys[app.row]
                return try registration(device, app: app, by: registrant, deviceLimit: nil, vapidKeyID: key)
            }
        }
        var stored = try await store.register(admitted.compactMap { try? $0.get() }).makeIterator()
        return admitted.map { one in one.flatMap { _ in stored.next() ?? .failure(.notFound("endpoint")) } }
    }

    /// Changes a device.
    package func update(
        _ endpoint: Endpoint,
        _ request: DeviceUpdate,
        by registrant: Registrant
    ) async throws -> Endpoint {
        var update = EndpointUpdate(owner: try registrant.nextOwner(request.userID))
        update.isEnabled = request.isActive
        let device = try DeviceInfo(request)
        if device != DeviceInfo() { update.device = device }
        return try await store.updateEndpoint(endpoint.row, update)
    }

    /// Makes an endpoint of a platform application, as ``Store/createPlatformEndpoint(_:_:)`` does.
    package func createPlatformEndpoint(
        _ application: PlatformApplication,
        _ draft: PlatformEndpointDraft
    ) async throws -> PlatformEndpointCreation {
        var draft = draft
        draft.token = try providers.normalize(draft.token, platform: application.kind.platform)
        return try await store.createPlatformEndpoint(application, draft)
    }

    /// Changes one, as ``Store/updateEndpoint(_:_:)`` does.
    package func updatePlatformEndpoint(
        _ application: PlatformApplication,
        _ id: PublicID,
        _ update: EndpointUpdate
    ) async throws -> Endpoint {
        var update = update
        update.token = try update.token.map { try providers.normalize($0, platform: application.kind.platform) }
        return try await store.updateEndpoint(.platform(id, of: application), update)
    }

    private func registration(
        _ request: DeviceRequest,
        app: App,
        by registrant: Registrant,
        deviceLimit: Int?,
        vapidKeyID: String?
    ) throws(Failure) -> Registration {
        let owner = try registrant.deviceOwner(request.userID)
        return try registration(
            request,
            app: app,
            owner: owner,
            deviceLimit: deviceLimit,
            vapidKeyID: vapidKeyID
        )
    }

    /// The id of the app's present VAPID key, where a browser registers.
    private func vapidKeyID(for requests: [some TokenStatement], app: RowID<App>) async throws -> String? {
        guard requests.contains(where: \.isWebPush) else { return nil }
        return try await store.credentials(app).first { $0.platform == .webpush }?.summary.keyID
    }

    private func registration(
        _ request: some TokenStatement,
        app: App,
        owner: Registration.Owner,
        deviceLimit: Int?,
        vapidKeyID: String?
    ) throws(Failure) -> Registration {
        let platform = try request.reachedThrough()
        let device = try DeviceInfo(request)
        let subscription = try SubscriptionStatement(request, platform: platform, presentKey: vapidKeyID)
        let token = try providers.normalize(subscription.token, platform: platform, field: subscription.field)
        var registration = Registration(
            app: app.row,
            platform: platform,
            token: token,
            environment: try environment(request.environment, of: token, platform: platform),
            previousToken: try request.previousToken.map { token throws(Failure) in
                try providers.normalize(token, platform: platform, field: "previous_token")
            },
            owner: owner,
            device: device,
            subscription: try subscription.keys.map { keys throws(Failure) in
                try vault.seal(keys, app: app.id, address: token)
            }
        )
        registration.deviceLimit = deviceLimit
        return registration
    }

    /// The environment that a token is in, as its form or the caller says; nothing at a provider that has one only,
    /// whatever its SDK says.
    private func environment(
        _ environment: Environment?,
        of token: String,
        platform: Platform
    ) throws(Failure) -> Environment? {
        if let known = providers[platform]?.environment(of: token) { return known }
        guard let environment else { return nil }
        guard !environment.isPushService else {
            throw .invalid("environment", "It is 'sandbox' or 'production'; what else there is are push services.")
        }
        let known = providers[platform]?.environments ?? [.production, .sandbox]
        return known.contains(environment) ? environment : nil
    }
}

/// What a request says of a device.
protocol DeviceStatement {
    var system: EventPlatform? { get }
    /// Whether the device says it itself, in the background: a time zone that is none is no reason to refuse it.
    var isOfDevice: Bool { get }
    var deviceModel: String? { get }
    var osVersion: String? { get }
    var appVersion: String? { get }
    var locale: String? { get }
    var timeZone: String? { get }
    var permission: PermissionName? { get }
}

extension DeviceStatement {
    var system: EventPlatform? { nil }
    var isOfDevice: Bool { false }
    var permission: PermissionName? { nil }
}

/// A request that registers a token.
protocol TokenStatement: DeviceStatement {
    var token: String? { get }
    var platform: DevicePlatform? { get }
    var provider: Platform? { get }
    var environment: Environment? { get }
    var previousToken: String? { get }
    var subscription: WebPushSubscription? { get }
    var vapidKeyID: String? { get }
}

extension TokenStatement {
    var system: EventPlatform? { platform?.system }

    /// The provider, as the request names it or its other fields say.
    ///
    /// - Throws: `Failure` where two fields name two.
    func reachedThrough() throws(Failure) -> Platform {
        guard let provider else {
            return platform?.provider ?? (token == nil && subscription != nil ? .webpush : .apns)
        }
        if let platform, platform.system == nil, platform.provider != provider {
            throw .invalid("provider", "It is another one than 'platform' names.", hint: "Leave one of them out.")
        }
        return provider
    }
}

extension TokenRegistrationRequest: TokenStatement {
    var isOfDevice: Bool { true }
}
extension DeviceRequest: TokenStatement {}
extension DeviceUpdate: DeviceStatement {}

extension DeviceInfo {
    fileprivate init(_ request: some DeviceStatement) throws(Failure) {
        self.init(
            system: request.system,
            model: request.deviceModel,
            osVersion: request.osVersion,
            appVersion: request.appVersion,
            locale: request.locale,
            timeZone: request.timeZone,
            permission: request.permission
        )
        if request.isOfDevice { self = withKnownTimeZone() }
        try validate()
    }
}
