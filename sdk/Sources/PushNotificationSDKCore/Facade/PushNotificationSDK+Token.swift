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

    /// Forwards the system's refusal, from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    public static func didFailToRegister(error: any Error) {
        guard let client else { return handlers.errors.post(.notConfigured) }
        client.didFailToRegister(error)
    }
}
