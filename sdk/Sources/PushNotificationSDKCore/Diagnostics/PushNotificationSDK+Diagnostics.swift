import Foundation
import MartletWire

extension PushNotificationSDK {
    /// Why pushes come to this device or do not: asked of the system, and gathered from what the SDK knows.
    ///
    /// - Throws: ``PushNotificationError/notConfigured``.
    public static func diagnostics() async throws(PushNotificationError) -> PushNotificationDiagnostics {
        guard let client else { throw .notConfigured }
        return await client.diagnostics()
    }

    /// Has the server send a notification to this device, and to no other, with a text of its own. It takes a few in an
    /// hour.
    ///
    /// - Returns: the notification's id, which the push has as its ``NotificationPayload/messageID``.
    /// - Throws: ``PushNotificationError``: `registrationFailed` where the device is not registered yet, `serverError`
    ///   also where pushes to it are off, `networkError`, `notConfigured`.
    @discardableResult
    public static func sendTestNotification() async throws(PushNotificationError) -> String {
        guard let client else { throw .notConfigured }
        return try await client.sendTest()
    }
}

extension PushClient {
    /// Why pushes come to this device or do not.
    package func diagnostics() async -> PushNotificationDiagnostics {
        let (identity, configuration, environment) = (context.identity, context.configuration, context.environment)
        let delegates = await environment.platform.forwarding()
        let permission = await permission()
        var found = PushNotificationDiagnostics(
            date: Date(milliseconds: environment.clock.now),
            apiURL: configuration.apiURL
        )
        found.permission = permission
        found.isStorageReadable = environment.storage.isReadable
        found.installationID = (try? identity.installationID())?.description
        found.deviceToken = identity.apnsToken
        found.isDeviceTokenFresh = identity.freshToken != nil
        found.usesFirebase = (try? identity.fcmToken()) != nil
        found.automaticForwarding = configuration.automaticForwarding
        found.applicationDelegate = delegates.application
        found.centerDelegate = delegates.center
        found.hasNotificationHandler = handlers.received.hasListener
        found.isTrackingEnabled = isTrackingEnabled
        found.eventQueue = eventQueue
        add(registrar.lastRegistration, to: &found)
        addUser(to: &found)
        found.history = history.entries
        return found
    }

    private func add(_ registration: RegistrationRecord?, to found: inout PushNotificationDiagnostics) {
        found.registeredAt = registration.map { Date(milliseconds: $0.time) }
        found.isActive = registration?.response.isActive
        let word = registration?.response.environment?.rawValue
        found.environment = word.flatMap(APNsEnvironment.init(rawValue:)) ?? context.configuration.apnsEnvironment
    }

    private func addUser(to found: inout PushNotificationDiagnostics) {
        guard let user = try? context.identity.user() else { return }
        found.user = user.id
        found.isUserSet = user != .unknown
        if case .somebody(let id, let isSigned) = user {
            found.needsUserToken = isSigned
            found.hasUserToken = context.identity.userToken(of: id) != nil
        }
        found.owners = try? context.identity.owners()
    }

    /// Has the server send a notification to this device.
    ///
    /// - Returns: its id.
    package func sendTest() async throws(PushNotificationError) -> String {
        try await registrar.installation.sendTest()
    }

    /// Keeps that a push reached the SDK. Notifications of the app's own are none of its.
    func note(
        _ notification: ReceivedNotification,
        _ arrival: PushNotificationDiagnostics.Arrival,
        isHandled: Bool
    ) {
        guard notification.isRemote else { return }
        let push = PushNotificationDiagnostics.Push(
            arrival: arrival,
            messageID: notification.payload.messageID,
            isCounted: notification.payload.isCounted,
            isHandled: isHandled
        )
        history.add(.push(push))
    }
}

extension PushNotificationDiagnostics.Arrival {
    /// How a push reaches the SDK with which a person did something.
    init(_ action: PersonResponse.Action) {
        switch action {
        case .tap: self = .tapped
        case .dismiss: self = .dismissed
        case .button: self = .buttonTapped
        }
    }
}
