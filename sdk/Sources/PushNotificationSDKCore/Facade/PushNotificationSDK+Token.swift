public import Foundation

extension PushNotificationSDK {
    /// Registers a token with the server; called by the SDK when the system gives one.
    ///
    /// It ends within 3 s. What was not delivered by then goes on behind it.
    ///
    /// - Throws: ``PushNotificationError``: `invalidToken`, `networkError`, `serverError`, `notConfigured`.
    internal static func registerDeviceToken(
        _ deviceToken: Data
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        guard let client else { throw .notConfigured }
        return try await client.register(DeviceTokenText(deviceToken), within: PushClient.registrationLimit)
    }

    /// Registers a token that is in hexadecimal already.
    ///
    /// - Throws: ``PushNotificationError``: `invalidToken` for anything that is not hexadecimal, and as above.
    package static func registerDeviceToken(
        hex: String
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        guard let client else { throw .notConfigured }
        return try await client.register(DeviceTokenText(hex: hex), within: PushClient.registrationLimit)
    }

    /// Forwards the system's token, from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    public static func didRegister(deviceToken: Data) {
        guard let client else { return handlers.errors.post(.notConfigured) }
        client.didRegister(token: deviceToken)
    }

    /// Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly: takes the
    /// registration token that Firebase gives. `nil` goes back to Apple's token.
    ///
    /// An install is reached in one way: Apple's token is remembered and not registered meanwhile. Firebase's outlives the
    /// app's launches and becomes part of every event. It may be set before `configure`; a token that cannot be one of
    /// Firebase's changes nothing, and ``onError`` is told ``PushNotificationError/invalidToken``.
    public static func setFCMToken(_ token: String?) {
        do throws(PushNotificationError) {
            set(fcmToken: try token.map(PushToken.checked(fcm:)))
        } catch {
            handlers.errors.post(error)
        }
    }

    /// Forwards the system's refusal, from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    public static func didFailToRegister(error: any Error) {
        guard let client else { return handlers.errors.post(.notConfigured) }
        client.didFailToRegister(error)
    }
}
