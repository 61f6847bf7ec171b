import MartletCore
import MartletWire

/// What a device says about itself beside its registration.
extension MartletAPI {
    func updateInstallation(_ request: InstallationUpdate, _ call: Call) async throws -> Nothing {
        let (id, app) = try await ownInstallation(of: call)
        let device = DeviceInfo(
            locale: request.locale,
            timeZone: request.timeZone,
            permission: request.permission
        )
        .withKnownTimeZone()
        try device.validate()
        guard request != InstallationUpdate() else { return Nothing() }
        let update = EndpointUpdate(device: device == DeviceInfo() ? nil : device, hasPush: request.push)
        _ = try await store.updateEndpoint(.installation(id, of: app.row), update)
        return Nothing()
    }

    func removeInstallation(_ call: Call) async throws -> Nothing {
        let (id, app) = try await ownInstallation(of: call)
        _ = try await store.updateEndpoint(.installation(id, of: app.row), EndpointUpdate(status: .removed(.byRequest)))
        return Nothing()
    }

    /// The installation of the path, which presents its secret.
    private func ownInstallation(of call: Call) async throws -> (PublicID, App) {
        let id = try call.id("id", of: "installation")
        let app = try await app(call.query("app"), for: call.caller)
        guard try await installation(of: call, app: app) == id else {
            // Another one's secret: whether there is this one is not said.
            throw Failure.notFound("installation")
        }
        return (id, app)
    }
}
