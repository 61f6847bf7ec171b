import Foundation

/// What the person allowed: the values of `UNAuthorizationStatus`.
package enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// Notifications are refused.
    case denied = 1
    /// Notifications are allowed.
    case authorized = 2
    /// Quiet notifications are allowed, without a prompt.
    case provisional = 3
    /// Allowed for the life of an App Clip.
    case ephemeral = 4
}

/// What a prompt asks for, with the values of `UNAuthorizationOptions`.
package struct AuthorizationOptions: OptionSet, Sendable, Hashable {
    /// Apple's bits.
    package let rawValue: UInt
    /// Options from Apple's bits, known or not.
    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// The number on the app's icon.
    package static let badge = AuthorizationOptions(rawValue: 1 << 0)
    /// Sounds.
    package static let sound = AuthorizationOptions(rawValue: 1 << 1)
    /// Alerts.
    package static let alert = AuthorizationOptions(rawValue: 1 << 2)
    /// Quiet notifications without a prompt.
    package static let provisional = AuthorizationOptions(rawValue: 1 << 6)
}

/// Whether the app is in front, as `UIApplication.State` says it.
package enum ApplicationState: Sendable, Hashable {
    /// In front and receiving touches.
    case active
    /// In front, with something of the system over it, or on the way from one state to the other.
    case inactive
    /// Not on the screen.
    case background
}

/// What a background push brought: the values of `UIBackgroundFetchResult`.
package enum FetchResult: UInt, Sendable, Hashable {
    /// Something was fetched.
    case newData = 0
    /// There was nothing.
    case noData = 1
    /// Fetching failed.
    case failed = 2
}

/// Where a link is opened.
package enum LinkTarget: Sendable, Hashable {
    /// In a browser over the app.
    case inAppBrowser
    /// By whatever app the system chooses.
    case system
}

/// The time that the system gives a task in the background.
package struct BackgroundTask: Sendable, Hashable {
    /// The system's number for it.
    package let rawValue: Int
    /// A task by its number.
    package init(rawValue: Int) { self.rawValue = rawValue }
}

/// Who hears the system's calls to its two delegates.
package struct DelegateForwarding: Sendable, Hashable {
    /// Of the application.
    package var application: PushNotificationDiagnostics.Forwarding
    /// Of the notification center.
    package var center: PushNotificationDiagnostics.Forwarding

    /// Forwarding by each.
    package init(
        application: PushNotificationDiagnostics.Forwarding,
        center: PushNotificationDiagnostics.Forwarding
    ) {
        self.application = application
        self.center = center
    }
}

/// What a device says about itself, as it is registered and as it stands in events.
package struct DeviceFacts: Sendable, Hashable {
    /// The hardware, such as `iPhone16,1`.
    package var model: String?
    /// The operating system's version.
    package var osVersion: String?
    /// The app's version.
    package var appVersion: String?
    /// The language and region, such as `ja-JP`.
    package var locale: String?
    /// The IANA time zone, such as `Asia/Tokyo`.
    package var timeZone: String?
    /// The app's bundle identifier.
    package var bundleID: String?

    /// Nothing known; all is set afterwards.
    package init() {}
}
