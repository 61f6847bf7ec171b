import MartletCore
import MartletPipeline
import MartletStore
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

    /// Sends a notification to the installation itself. It takes no words of the caller's: anybody has the key that is
    /// inside an app.
    func testInstallation(_ call: Call) async throws -> Reply<NotificationAccepted> {
        let (id, app) = try await ownInstallation(of: call)
        guard let endpoint = try await store.endpoint(app.row, .installation(id)) else {
            throw Failure.notFound("installation")
        }
        if let reason = endpoint.disableReason {
            throw Failure(
                .conflict,
                "No pushes are made to this device: \(reason.rawValue).",
                hint: "Register the device again, or switch pushes to it on."
            )
        }
        if call.caller.isClient { try quotas.takeTest(of: id, app, address: call.client) }
        let submission = Submission(
            app: app,
            audience: .endpoints([endpoint.id]),
            content: .test(locale: endpoint.device.locale),
            expiry: .at(clock.now() + Self.testLifetime)
        )
        let submitted = try await submitter.submit(submission, idempotency: nil)
        return Reply(NotificationAccepted(id: submitted.id, status: .sending))
    }

    /// After that nobody looks at the device any more to see whether the test comes.
    private static let testLifetime = Duration.seconds(600)

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

extension Content {
    /// What a device sends itself, in Japanese where that is the device's language, else in English.
    fileprivate static func test(locale: String?) -> Content {
        let language = locale?.split { $0 == "-" || $0 == "_" }.first?.lowercased()
        return language == "ja"
            ? Content(title: "テスト通知", body: "この端末はプッシュ通知を受信しています。", sound: "default")
            : Content(title: "Test notification", body: "This device receives push notifications.", sound: "default")
    }
}
