import HTTPTypes
import Hummingbird
import MartletCore
import MartletPipeline
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
        let (registered, secret) = try await registrar.register(
            request,
            app: app,
            by: tokenUser.map(Registrant.user) ?? call.caller.registrant,
            presented: call.header(HeaderName.installationSecret).map(SecretHash.init(of:)),
            deviceLimit: deviceLimit(for: call.caller)
        )
        if call.caller.isClient { quotas.endRegistration(of: request.installationID) }
        let response = TokenRegistrationResponse(
            registered.endpoint,
            installation: request.installationID,
            secret: secret
        )
        return Reply(response, status: registered.isNew ? .created : .ok)
    }

    var registrar: Registrar { Registrar(store: store, providers: providers, vault: vault) }

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
            return (selected, user.subject)
        } catch let failure as Failure {
            throw failure.at(HeaderName.userToken)
        }
    }
}

extension TokenRegistrationResponse {
    init(_ endpoint: Endpoint, installation: PublicID, secret: String?) {
        self.init(
            endpointID: endpoint.id,
            installationID: installation,
            installationSecret: secret,
            userID: endpoint.user?.id,
            platform: endpoint.system,
            provider: endpoint.platform,
            environment: endpoint.environment,
            isActive: endpoint.isEnabled,
            createdAt: UTCTime(endpoint.createdAt),
            registeredAt: UTCTime(endpoint.registeredAt)
        )
    }
}
