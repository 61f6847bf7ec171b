import MartletWire

extension PushNotificationSDK {
    /// What the person allows now, asked of the system.
    ///
    /// - Throws: ``PushNotificationError/notConfigured``.
    public static func permission() async throws(PushNotificationError) -> NotificationPermission {
        guard let client else { throw .notConfigured }
        return await client.permission()
    }

    /// Called when the person allowed or refused notifications: at the prompt, or in the Settings app, which is noticed when
    /// the app comes to the front.
    public static var onPermissionChanged: ((NotificationPermission) -> Void)? {
        get { handlers.permission.handler }
        set { handlers.permission.handler = newValue }
    }

    /// Opens the app's page in the Settings app, where the person can allow what was refused.
    ///
    /// - Returns: whether it opened.
    /// - Throws: ``PushNotificationError/notConfigured``.
    @discardableResult
    public static func openSettings() async throws(PushNotificationError) -> Bool {
        guard let client else { throw .notConfigured }
        return await client.context.environment.platform.openSettings()
    }

    /// The device token that Apple gave the app last, in hexadecimal; `nil` before one came.
    public static var deviceToken: String? { client?.context.identity.apnsToken }

    /// The id by which the server knows this install; `nil` before `configure`, and before the device's first unlock.
    public static var installationID: String? { (try? client?.context.identity.installationID())?.description }
}
