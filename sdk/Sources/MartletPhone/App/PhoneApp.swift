import Foundation
public import UIKit
package import UserNotifications

/// An app as it is installed on a phone: what its processes do when they start.
public struct PhoneApp: Sendable {
    /// What a process of the app made when it started.
    public struct Objects {
        /// The app's delegate; the process keeps it.
        public var delegate: any UIApplicationDelegate
        /// Makes the delegate of a scene; `nil` for an app without scenes.
        public var makeSceneDelegate: (@MainActor () -> any UISceneDelegate)?
        /// Firebase's `messaging(_:didReceiveRegistrationToken:)`; `nil` for an app that does not listen.
        public var didReceiveFirebaseToken: (@MainActor (String) -> Void)?
        /// Called when the process ends.
        public var end: @Sendable () -> Void

        public init(
            delegate: any UIApplicationDelegate,
            makeSceneDelegate: (@MainActor () -> any UISceneDelegate)? = nil,
            didReceiveFirebaseToken: (@MainActor (String) -> Void)? = nil,
            end: @escaping @Sendable () -> Void = {}
        ) {
            self.delegate = delegate
            self.makeSceneDelegate = makeSceneDelegate
            self.didReceiveFirebaseToken = didReceiveFirebaseToken
            self.end = end
        }
    }

    /// The bundle id, which is the topic of its pushes.
    public var bundleID: String
    /// Whether it has scenes: then they, and not the app's delegate, are told of its life, of URLs and of a cold start.
    public var hasScenes: Bool

    /// The beginning of a process.
    public var start: @MainActor @Sendable (AppProcess) -> Objects
    /// The service extension's principal object, in a process of its own; `nil` where the app brought none.
    package var makeExtension: (@Sendable (ExtensionProcess) -> UNNotificationServiceExtension)?

    /// An app without a service extension.
    public init(
        bundleID: String,
        hasScenes: Bool = true,
        start: @escaping @MainActor @Sendable (AppProcess) -> Objects
    ) {
        self.bundleID = bundleID
        self.hasScenes = hasScenes
        self.start = start
    }

    /// An app that brought a service extension.
    package init(
        bundleID: String,
        hasScenes: Bool = true,
        start: @escaping @MainActor @Sendable (AppProcess) -> Objects,
        makeExtension: (@Sendable (ExtensionProcess) -> UNNotificationServiceExtension)?
    ) {
        self.init(bundleID: bundleID, hasScenes: hasScenes, start: start)
        self.makeExtension = makeExtension
    }
}

/// What a process of a service extension finds on the phone.
package struct ExtensionProcess: Sendable {
    /// The folder that the app and its extension share.
    package let group: URL
    /// The extension's own folder, for files that it is about to hand over.
    package let folder: URL
    /// What it reads and writes by.
    package let files: PhoneFiles
    /// The phone's network.
    package let network: PhoneNetwork
    /// Ends with the process.
    package let gate: ProcessGate
    /// The extension's end of the app's notifications.
    let notifications: NotificationDevice
    /// What kind of phone it is.
    package let settings: PhoneSettings
    let journal: PhoneJournal
}
