package import UserNotifications

/// What a phone does where an app asks the system for something.
@MainActor
package struct ApplicationSystem {
    /// The phone's side of the app's notifications.
    package var notifications: NotificationDevice?
    /// The app asks for a token.
    package var register: @MainActor (UIApplication) -> Void = { _ in }
    /// The app gives its token up.
    package var unregister: @MainActor (UIApplication) -> Void = { _ in }
    /// The app opens a URL; says whether something took it.
    package var open: @MainActor (URL, [UIApplication.OpenExternalURLOptionsKey: Any]) -> Bool = { _, _ in false }
    /// Whether something on the phone takes the URL, as far as the app may know.
    package var canOpen: @MainActor (URL) -> Bool = { _ in false }
    /// Whether the phone was unlocked since it started.
    package var isProtectedDataAvailable: @MainActor () -> Bool = { true }
    /// A background task was ended.
    package var tasksEnded: @MainActor () -> Void = {}

    package nonisolated init() {}
}
