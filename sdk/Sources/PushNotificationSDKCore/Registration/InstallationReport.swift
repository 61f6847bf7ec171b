import Foundation
import MartletWire

/// Tells the server what changed about the device since it was registered: `PATCH /api/v1/installations/{id}`, with the
/// installation's secret; with `DELETE` that it is forgotten, and with `POST` that a test shall be sent to it.
final class InstallationReport: Sendable {
    private let context: ClientContext
    /// What the server took last in this launch; `nil` before it took a registration.
    private let said = Locked<InstallationUpdate?>(nil)
    private let updates = JobQueue()

    init(_ context: ClientContext) { self.context = context }

    /// What the device says about itself now.
    static func current(_ facts: DeviceFacts, _ permission: AuthorizationStatus) -> InstallationUpdate {
        InstallationUpdate(permission: PermissionName(permission), locale: facts.locale, timeZone: facts.timeZone)
    }

    /// A registration said it.
    func said(_ update: InstallationUpdate) { said.with { $0 = update } }

    /// Tells what changed, where something did; what cannot be delivered now is told the next time.
    func report() {
        updates.add { [self] in
            guard let before = said.with({ $0 }) else { return }
            let platform = context.environment.platform
            let now = Self.current(await platform.deviceFacts(), await platform.authorizationStatus())
            let change = now.difference(to: before)
            guard change != InstallationUpdate() else { return }
            do throws(PushNotificationError) {
                try await send(change)
                said.with { $0 = now }
            } catch {
                context.log(.warning, "What changed about the device was not told to the server.")
            }
        }
    }

    /// Switches pushes to this device on or off, in the order of the calls.
    func setPushEnabled(_ isEnabled: Bool) -> UserWork<Void> {
        updates.begin { [self] () async throws(PushNotificationError) in
            try await send(InstallationUpdate(push: isEnabled))
        }
    }

    /// The server knows nothing of the install that is there now.
    func forget() { said.with { $0 = nil } }

    /// Deletes an install that was forgotten, in one attempt.
    ///
    /// - Throws: ``PushNotificationError``, unless the server does not know it, or does not take its secret, any more.
    func delete(_ id: String, secret: String) async throws(PushNotificationError) {
        let answer = try await once("DELETE", "installations/\(id)", secret: secret)
        let isGone = answer.errorCode == .notFound || answer.errorCode == .installationSecretRequired
        guard isGone || (200..<300).contains(answer.status) else { throw PushNotificationError(answer) }
    }

    /// Has the server send a push to this device, in one attempt: a repeated one might come twice.
    ///
    /// - Returns: the id that the push is counted by.
    /// - Throws: ``PushNotificationError``.
    func sendTest() async throws(PushNotificationError) -> String {
        let identity = context.identity
        guard let id = try? identity.installationID(), let secret = try? identity.secret() else { throw Self.unknown }
        let answer = try await once("POST", "installations/\(id)/test", secret: secret)
        guard (200..<300).contains(answer.status) else { throw PushNotificationError(answer) }
        guard let test = answer.value(Test.self) else {
            throw .serverError(statusCode: answer.status, message: "The answer names no notification.")
        }
        return test.id.description
    }

    /// What the server says of a test that it sends.
    private struct Test: Decodable {
        var id: PublicID
    }

    private static let unknown = PushNotificationError.registrationFailed("the device is not registered yet")

    private func once(
        _ method: String,
        _ path: String,
        secret: String
    ) async throws(PushNotificationError) -> HTTPAnswer {
        let call = HTTPCall(
            method,
            context.configuration.endpoint(path),
            headers: [
                "Authorization": "Bearer \(context.configuration.apiKey)", "Accept": "application/json",
                HeaderName.installationSecret: secret,
            ],
            timeout: context.configuration.timeout
        )
        do throws(TransportError) {
            return try await context.environment.transport.send(call)
        } catch {
            throw .networkError(error)
        }
    }

    private func send(_ update: InstallationUpdate) async throws(PushNotificationError) {
        let identity = context.identity
        guard let id = try? identity.installationID(), var headers = try? identity.headers(), !headers.isEmpty else {
            throw Self.unknown
        }
        headers["Authorization"] = "Bearer \(context.configuration.apiKey)"
        headers["Accept"] = "application/json"
        headers["Content-Type"] = "application/json"
        let call = HTTPCall(
            "PATCH",
            context.configuration.endpoint("installations/\(id)"),
            headers: headers,
            body: try? JSONEncoder().encode(update),
            timeout: context.configuration.timeout
        )
        _ = try await RepeatedCall(call, in: context).answer()
    }
}

extension InstallationUpdate {
    /// What is not as it was.
    func difference(to before: InstallationUpdate) -> InstallationUpdate {
        InstallationUpdate(
            permission: permission == before.permission ? nil : permission,
            locale: locale == before.locale ? nil : locale,
            timeZone: timeZone == before.timeZone ? nil : timeZone
        )
    }
}
