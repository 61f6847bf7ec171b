import Foundation
import MartletWire

/// Tells the server what changed about the device since it was registered: `PATCH /api/v1/installations/{id}`, with the
/// installation's secret; and with `DELETE` that it is forgotten.
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
        let call = HTTPCall(
            "DELETE",
            context.configuration.endpoint("installations/\(id)"),
            headers: [
                "Authorization": "Bearer \(context.configuration.apiKey)", "Accept": "application/json",
                HeaderName.installationSecret: secret,
            ],
            timeout: context.configuration.timeout
        )
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await context.environment.transport.send(call)
        } catch {
            throw .networkError(error)
        }
        let isGone = answer.errorCode == .notFound || answer.errorCode == .installationSecretRequired
        guard isGone || (200..<300).contains(answer.status) else { throw PushNotificationError(answer) }
    }

    private func send(_ update: InstallationUpdate) async throws(PushNotificationError) {
        let identity = context.identity
        guard let id = try? identity.installationID(), var headers = try? identity.headers(), !headers.isEmpty else {
            throw .registrationFailed("the device is not registered yet")
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
