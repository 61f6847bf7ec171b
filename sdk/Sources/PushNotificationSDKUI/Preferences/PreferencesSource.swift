package import PushNotificationSDKCore

/// What the preferences' view asks of the SDK. A preview answers by itself.
@MainActor
package protocol PreferencesSource: UserSource {
    /// What was read last.
    var cached: NotificationPreferences? { get }

    func load() async throws(PushNotificationError) -> NotificationPreferences
    /// Makes a change; changes count in the order of the calls.
    func set(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences
    /// What the person allows the app; `nil` before `configure`.
    func permission() async -> NotificationPermission?
    /// Opens the app's page in the Settings app.
    func openSettings() async
}

/// The SDK's own preferences.
package struct SDKPreferences: PreferencesSource {
    private let preferences: PushNotificationSDK.Preferences

    package init(_ preferences: PushNotificationSDK.Preferences) { self.preferences = preferences }

    package var user: String? { preferences.user }
    package var userChanges: AsyncStream<Void> { preferences.userChanges }
    package var cached: NotificationPreferences? { preferences.cached }

    package func load() async throws(PushNotificationError) -> NotificationPreferences {
        try await preferences.load()
    }

    package func set(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences {
        // The form with a completion begins at once.
        try await answer { preferences.set(change, completion: $0) }.get()
    }

    package func permission() async -> NotificationPermission? { try? await PushNotificationSDK.permission() }

    package func openSettings() async { _ = try? await PushNotificationSDK.openSettings() }
}
