import Foundation
package import MartletWire

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request, and what its answer means.
extension TokenRegistrar {
    /// Whom the device is registered for, and the token that speaks for them.
    struct Owner: Sendable {
        var user: IdentityUser
        var userToken: String?

        /// The user as the request says it: a user that needs a token is not named without it.
        var named: NullablePatch<String> {
            switch user {
            case .unknown: .unset
            case .nobody: .null
            case .somebody(_, isSigned: true) where userToken == nil: .unset
            case .somebody(let id, _): .value(id)
            }
        }
    }

    /// What one attempt came to.
    enum Attempt: Sendable {
        /// The server took it.
        case accepted(TokenRegistrationResponse)
        /// The install was forgotten before anything was sent.
        case forgotten
        /// The server does not believe that this is the installation that it says it is.
        case unknownInstallation(PushNotificationError)
        /// Another attempt would end in the same way.
        case refused(PushNotificationError)
        /// Another attempt may succeed, after what the server asked for, in milliseconds.
        case failed(PushNotificationError, retryAfter: Int64?)
    }

    func attemptOnce(
        _ token: PushToken,
        _ owner: Owner,
        _ permission: AuthorizationStatus,
        as id: PublicID
    ) async -> Attempt {
        let now = context.environment.clock.now
        let facts = await context.environment.platform.deviceFacts()
        do throws(TransportError) {
            guard let call = call(token, owner, permission, facts) else {
                return .refused(.registrationFailed("the device was not unlocked since it was started"))
            }
            let isNew = (try? context.identity.willRegister(token, of: id)) ?? false
            // The call has what is known now, and the user is the one of this install.
            guard isCurrent(id) else { return .forgotten }
            let attempt = Attempt(try await context.environment.transport.send(call), now: now)
            if isNew, attempt.isRefusal { try? context.identity.didRefuse(token, of: id) }
            if case .accepted = attempt, isCurrent(id) {
                installation.said(InstallationReport.current(facts, permission))
            }
            return attempt
        } catch {
            // Also `cancelled`: so ends a connection that the app's own check of the server refused.
            return .failed(.networkError(error), retryAfter: nil)
        }
    }

    /// The request; `nil` while the storage cannot be read.
    private func call(
        _ token: PushToken,
        _ owner: Owner,
        _ permission: AuthorizationStatus,
        _ facts: DeviceFacts
    ) -> HTTPCall? {
        let configuration = context.configuration
        guard let id = try? context.identity.installationID(), var headers = try? context.identity.headers() else {
            return nil
        }
        var request = TokenRegistrationRequest(token, of: id, configuration)
        request.userID = owner.named
        request.permission = PermissionName(permission)
        request.deviceModel = facts.model
        request.osVersion = facts.osVersion
        request.appVersion = facts.appVersion
        request.locale = facts.locale
        request.timeZone = facts.timeZone
        headers["Authorization"] = "Bearer \(configuration.apiKey)"
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        headers[HeaderName.userToken] = owner.userToken
        // The request is made of text and always encodes.
        let body = (try? JSONEncoder().encode(request)) ?? Data()
        return HTTPCall(
            "POST",
            configuration.endpoint("tokens"),
            headers: headers,
            body: body,
            timeout: configuration.timeout
        )
    }
}

extension TokenRegistrationRequest {
    /// What a token is registered with, without what the device says about itself.
    init(_ token: PushToken, of id: PublicID, _ configuration: SDKConfiguration) {
        self.init(
            app: configuration.app,
            installationID: id,
            token: token.text,
            platform: .ios,
            provider: token.platform
        )
        guard token.platform == .apns else { return }
        environment = configuration.apnsEnvironment.flatMap { EnvironmentName(rawValue: $0.rawValue) }
    }
}

extension TokenRegistrar.Attempt {
    /// Whether the server has understood and not taken it: it issued no secret then.
    fileprivate var isRefusal: Bool {
        switch self {
        case .unknownInstallation, .refused(.serverError(400..<500, _)): true
        default: false
        }
    }

    /// What an answer means. A pure function.
    init(_ answer: HTTPAnswer, now: Int64) {
        let error = PushNotificationError(answer)
        switch answer.status {
        case 200..<300:
            if let response = try? JSONDecoder().decode(TokenRegistrationResponse.self, from: answer.body) {
                self = .accepted(response)
            } else if let item = try? JSONDecoder().decode(Item<TokenRegistrationResponse>.self, from: answer.body) {
                self = .accepted(item.data)
            } else {
                self = .refused(.serverError(statusCode: answer.status, message: "The answer is not a registration."))
            }
        case 401 where answer.errorCode == .installationSecretRequired: self = .unknownInstallation(error)
        // The user has as many devices as they may: no other attempt ends better, and nothing else has to wait.
        case 429 where answer.errorDetail?.field == "user_id": self = .refused(error)
        case let status where RetryPolicy.isTemporary(status: status):
            self = .failed(error, retryAfter: answer.retryAfter(now: now))
        default: self = .refused(error)
        }
    }
}

extension PermissionName {
    /// What the person allowed, in the interface's word.
    init(_ status: AuthorizationStatus) {
        switch status {
        case .notDetermined: self = .notDetermined
        case .denied: self = .denied
        case .authorized: self = .authorized
        case .provisional: self = .provisional
        case .ephemeral: self = .ephemeral
        }
    }
}

extension HTTPAnswer {
    /// The server's word for what went wrong.
    package var errorCode: ErrorCode? { errorDetail?.code }

    /// What the server says about an error.
    fileprivate var errorDetail: ErrorBody.Detail? {
        (try? JSONDecoder().decode(ErrorBody.self, from: body))?.error
    }
}

extension PushNotificationError {
    /// An answer that is not a success, in the server's words, or in those of its status.
    package init(_ answer: HTTPAnswer) {
        // A proxy's page is not a message; a long one is not either.
        let message = answer.errorDetail.map { String($0.message.prefix(500)) }
        self = .serverError(
            statusCode: answer.status,
            message: message ?? HTTPURLResponse.localizedString(forStatusCode: answer.status)
        )
    }
}
