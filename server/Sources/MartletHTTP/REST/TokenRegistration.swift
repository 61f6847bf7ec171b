import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// The SDK's registration: an upsert by installation.
extension MartletAPI {
    func registerToken(
        _ request: TokenRegistrationRequest,
        _ call: Call
    ) async throws -> Reply<TokenRegistrationResponse> {
        if call.caller.isClient {
            try quotas.beginRegistration(of: request.installationID, address: call.client)
        }
        let (app, tokenUser) = try await registeringApp(request, call)
        let owner = try Registration.Owner(
            request.userID,
            tokenUser: tokenUser,
            isTokenRequired: app.identity.mode == .signed && call.caller.key?.scope == .client
        )
        let secret = InstallationSecret.issue(for: request.installationID)
        let claim = Registration.InstallationClaim(
            id: request.installationID,
            presented: call.header(HeaderName.installationSecret).map(SecretHash.init(of:)),
            issued: secret.hash
        )
        var registration = try Registration(request, app: app, owner: owner, providers: providers)
        registration.installation = claim
        registration.deviceLimit = deviceLimit(for: call.caller)
        let registered = try await store.register(registration)
        if call.caller.isClient { quotas.endRegistration(of: request.installationID) }
        let response = TokenRegistrationResponse(
            registered.endpoint,
            installation: request.installationID,
            secret: registered.isSecretIssued ? secret.text : nil
        )
        return Reply(response, status: registered.isNew ? .created : .ok)
    }

    /// How many devices a user may have where a client registers one.
    func deviceLimit(for caller: Caller) -> Int? {
        guard caller.isClient, settings.quotas.devicesPerUser > 0 else { return nil }
        return settings.quotas.devicesPerUser
    }

    /// The app, and the user that the user token beside the key speaks for.
    private func registeringApp(_ request: TokenRegistrationRequest, _ call: Call) async throws -> (App, String?) {
        guard let token = call.header(HeaderName.userToken) else {
            return (try await app(request.app, for: call.caller), nil)
        }
        let app = try await optionalApp(request.app, for: call.caller)
        do {
            if let app { return (app, try await authenticator.verify(token, for: app)) }
            let (user, selected) = try await authenticator.user(token)
            return (selected, user)
        } catch let failure as Failure {
            throw failure.at(HeaderName.userToken)
        }
    }
}

extension Registration.Owner {
    /// Decides who an endpoint shall belong to. A pure function.
    ///
    /// - Parameters:
    ///   - said: what the request says.
    ///   - tokenUser: the user that a user token beside it speaks for.
    ///   - isTokenRequired: whether the app's own word is not enough.
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` when a user is named and a token is required, and naming
    ///   `user_id` when the two are not the same.
    init(_ said: NullablePatch<String>, tokenUser: String?, isTokenRequired: Bool) throws(Failure) {
        switch said {
        case .unset: self = tokenUser.map(Self.user) ?? .unchanged
        case .null: self = .nobody
        case .value(let user):
            try User.validate(id: user, field: "user_id")
            guard tokenUser != nil || !isTokenRequired else {
                throw Failure(
                    .unauthorized,
                    "In this app naming a user needs the user's token.",
                    hint: "Send the user's token in the header '\(HeaderName.userToken)'.",
                    field: "user_id"
                )
            }
            if let tokenUser { try User.check(user, isSubject: tokenUser) }
            self = .user(user)
        }
    }
}

extension User {
    /// Checks that a request names nobody but the user whose token came with it.
    ///
    /// - Throws: `Failure` naming `user_id`.
    static func check(_ said: String, isSubject user: String, hint: String = "Leave it out.") throws(Failure) {
        guard isSame(said, user) else {
            throw .invalid("user_id", "It is not the user token's subject.", hint: hint)
        }
    }
}

/// What a request says of a device.
protocol DeviceStatement {
    var deviceModel: String? { get }
    var osVersion: String? { get }
    var appVersion: String? { get }
    var locale: String? { get }
    var timeZone: String? { get }
    var permission: PermissionName? { get }
}

extension DeviceStatement {
    var permission: PermissionName? { nil }
}

/// A request that registers a token.
protocol TokenStatement: DeviceStatement {
    var token: String { get }
    var platform: PlatformName? { get }
    var environment: EnvironmentName? { get }
    var previousToken: String? { get }
}

extension TokenRegistrationRequest: TokenStatement {}
extension DeviceRequest: TokenStatement {}
extension DeviceUpdate: DeviceStatement {}

extension DeviceInfo {
    /// - Throws: `Failure` naming the field.
    init(_ request: some DeviceStatement) throws(Failure) {
        self.init(
            model: request.deviceModel,
            osVersion: request.osVersion,
            appVersion: request.appVersion,
            locale: request.locale,
            timeZone: request.timeZone,
            permission: request.permission
        )
        try validate()
    }
}

extension Registration {
    /// The registration that a request asks for, without an installation.
    ///
    /// - Throws: `Failure` naming the field.
    init(
        _ request: some TokenStatement,
        app: App,
        owner: Owner,
        providers: [Platform: any Provider]
    ) throws(Failure) {
        let platform = request.platform.map(Platform.init) ?? .apns
        let device = try DeviceInfo(request)
        let token = try providers.normalize(request.token, platform: platform)
        var previous: String?
        if let token = request.previousToken {
            previous = try providers.normalize(token, platform: platform, field: "previous_token")
        }
        self.init(
            app: app.row,
            platform: platform,
            token: token,
            environment: request.environment.map(Environment.init),
            previousToken: previous,
            owner: owner,
            device: device
        )
    }
}

extension TokenRegistrationResponse {
    init(_ endpoint: Endpoint, installation: PublicID, secret: String?) {
        self.init(
            endpointID: endpoint.id,
            installationID: installation,
            installationSecret: secret,
            userID: endpoint.user?.id,
            platform: PlatformName(endpoint.platform),
            environment: endpoint.environment.map(EnvironmentName.init),
            isActive: endpoint.isEnabled,
            createdAt: UTCTime(endpoint.createdAt),
            registeredAt: UTCTime(endpoint.registeredAt)
        )
    }
}
