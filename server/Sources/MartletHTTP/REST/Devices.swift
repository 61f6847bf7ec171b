import Hummingbird
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// A user's devices: the user sees and changes their own, a server key those of any user. What is not theirs is 404.
extension MartletAPI {
    func registerDevice(_ request: DeviceRequest, _ call: Call) async throws -> Reply<DeviceResponse> {
        let app = try await app(request.app, for: call.caller)
        if call.caller.isClient { try quotas.beginRegistration(of: nil, address: call.client) }
        let registered = try await registrar.register(
            request,
            app: app,
            by: call.caller.registrant,
            deviceLimit: deviceLimit(for: call.caller)
        )
        return Reply(DeviceResponse(registered.endpoint), status: registered.isNew ? .created : .ok)
    }

    func listDevices(_ call: Call) async throws -> List<DeviceResponse> {
        let page = try call.page()
        let app = try await app(call.query("app"), for: call.caller)
        var user = call.query("user_id")
        if case .user(let own, _, _) = call.caller {
            guard user.map({ User.isSame($0, own) }) ?? true else { return List([]) }
            user = own
        }
        let isActive = call.query("is_active").map { $0 == "true" }
        let found = try await store.endpoints(app.row, user: user, isEnabled: isActive, page)
        return call.list(found, DeviceResponse.init)
    }

    func listUserEndpoints(_ call: Call) async throws -> List<DeviceResponse> {
        let page = try call.page()
        let app = try await app(call.query("app"), for: call.caller)
        let user = try call.parameter("user")
        return call.list(try await store.endpoints(app.row, user: user, page), DeviceResponse.init)
    }

    func showDevice(_ call: Call) async throws -> Reply<DeviceResponse> {
        Reply(DeviceResponse(try await device(of: call)))
    }

    func updateDevice(_ request: DeviceUpdate, _ call: Call) async throws -> Reply<DeviceResponse> {
        if case .user(let user, let app, _) = call.caller { try quotas.takePreferenceChanges(1, of: user, app) }
        let endpoint = try await device(of: call)
        let changed = DeviceResponse(try await registrar.update(endpoint, request, by: call.caller.registrant))
        await record(
            "device.update",
            of: AuditSubject(endpoint),
            by: call.caller,
            app: endpoint.app,
            before: .shown(DeviceResponse(endpoint)),
            after: .shown(changed)
        )
        return Reply(changed)
    }

    func removeDevice(_ call: Call) async throws -> Nothing {
        let endpoint = try await device(of: call)
        _ = try await store.updateEndpoint(endpoint.row, EndpointUpdate(status: .removed(.byRequest)))
        let before = JSONValue.shown(DeviceResponse(endpoint))
        await record("device.delete", of: AuditSubject(endpoint), by: call.caller, app: endpoint.app, before: before)
        return Nothing()
    }

    /// The device of the path, if the caller may see it.
    private func device(of call: Call) async throws -> Endpoint {
        let id = try call.id("id", of: "device")
        let app = try await app(call.query("app"), for: call.caller)
        guard let endpoint = try await store.endpoint(app.row, .id(id)) else { throw Failure.notFound("device") }
        if case .removed = endpoint.status { throw Failure.notFound("device") }
        if case .user(let own, _, _) = call.caller {
            guard let owner = endpoint.user, User.isSame(owner.id, own) else { throw Failure.notFound("device") }
        }
        return endpoint
    }
}

extension DeviceResponse {
    init(_ endpoint: Endpoint) {
        self.init(
            id: endpoint.id,
            userID: endpoint.user?.id,
            deviceToken: endpoint.token,
            platform: endpoint.system,
            provider: endpoint.platform,
            environment: endpoint.environment,
            installationID: endpoint.installation,
            isActive: endpoint.isEnabled,
            inactiveReason: endpoint.disableReason?.rawValue,
            createdAt: UTCTime(endpoint.createdAt),
            lastSeenAt: UTCTime(endpoint.registeredAt)
        )
        inactiveReasonCode = endpoint.disableReason.map(ReasonCode.text(ofDisabled:))
        deviceModel = endpoint.device.model
        osVersion = endpoint.device.osVersion
        appVersion = endpoint.device.appVersion
        locale = endpoint.device.locale
        timeZone = endpoint.device.timeZone
        permission = endpoint.device.permission
        customUserData = endpoint.customUserData
    }
}
