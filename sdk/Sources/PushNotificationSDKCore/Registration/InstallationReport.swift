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

    /// Deletes an install that was forgotten, with one attempt each call. To a task that is cancelled its time is over.
    ///
    /// - Parameter deadline: when it has failed with a `networkError` at the latest, by the monotonic clock.
    /// - Throws: ``PushNotificationError``, unless the server does not know it, or does not take its secret, any more.
    func delete(_ old: Identity.Forgotten, until deadline: Int64) async throws(PushNotificationError) {
        var secret = old.secret
        for token in old.tokens {
            guard let issued = try await secretIssued(with: token, to: old, until: deadline) else { continue }
            secret = issued
            break
        }
        // The server has none of its tokens.
        guard let secret else { return }
        let answer = try await once("DELETE", "installations/\(old.id)", secret: secret, until: deadline)
        let isGone = answer.errorCode == .notFound || answer.errorCode == .installationSecretRequired
        guard isGone || (200..<300).contains(answer.status) else { throw PushNotificationError(answer) }
    }

    /// Registers a token of a forgotten install once more, for nobody: where the answer to it was lost, the server
    /// issues another secret.
    ///
    /// - Returns: the secret that the server takes now; `nil` where the install has not this token at the server.
    private func secretIssued(
        with token: PushToken,
        to old: Identity.Forgotten,
        until deadline: Int64
    ) async throws(PushNotificationError) -> String? {
        var request = TokenRegistrationRequest(token, of: old.id, context.configuration)
        request.userID = .null
        let body = try? JSONEncoder().encode(request)
        let answer = try await once("POST", "tokens", secret: old.secret, body: body, until: deadline)
        switch TokenRegistrar.Attempt(answer, now: context.environment.clock.now) {
        case .accepted(let response):
            guard let secret = response.installationSecret ?? old.secret else {
                throw .serverError(statusCode: answer.status, message: "The answer has no secret.")
            }
            try? context.identity.keep(secret: secret, with: token, of: old.id)
            return secret
        case .forgotten, .unknownInstallation: return nil
        case .refused(let error), .failed(let error, _): throw error
        }
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
        secret: String?,
        body: Data? = nil,
        until deadline: Int64? = nil
    ) async throws(PushNotificationError) -> HTTPAnswer {
        var call = HTTPCall(
            method,
            context.configuration.endpoint(path),
            headers: ["Authorization": "Bearer \(context.configuration.apiKey)", "Accept": "application/json"],
            body: body,
            timeout: context.configuration.timeout
        )
        call.headers[HeaderName.installationSecret] = secret
        if body != nil { call.headers["Content-Type"] = "application/json" }
        if let deadline {
            let left = deadline - context.environment.clock.monotonic
            guard left > 0, !Task.isCancelled else { throw .networkError(TransportError.timedOut) }
            call.timeout = min(call.timeout, TimeInterval(left) / 1000)
        }
        do throws(TransportError) {
            return try await context.environment.transport.send(call)
        } catch {
            throw .networkError(deadline != nil && Task.isCancelled ? TransportError.timedOut : error)
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
