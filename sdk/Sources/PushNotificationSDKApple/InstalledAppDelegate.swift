import Foundation
import PushNotificationSDKCore
import UIKit
import UserNotifications

/// The delegate that is put over an app's own: everything goes to the SDK and to those that were there before.
@MainActor
final class InstalledAppDelegate: UIResponder, UIApplicationDelegate {
    let sdk: PushNotificationAppDelegate
    /// The application's delegate that was there before.
    let previous: (any UIApplicationDelegate)?
    private let alerts: InstalledCenterDelegate
    private let application: UIApplication

    /// Takes the delegates' places.
    init(_ sdk: PushNotificationAppDelegate, over application: UIApplication, _ center: UNUserNotificationCenter) {
        self.sdk = sdk
        self.application = application
        previous = application.delegate
        // The SDK's own stand-in would be told twice.
        let own = center.delegate is NotificationHub ? nil : center.delegate
        alerts = InstalledCenterDelegate(sdk, over: own)
        super.init()
        application.delegate = self
        center.delegate = alerts
    }

    /// UIKit does not keep delegates alive, and nobody else knows of this one: it lives as long as the process.
    func keep() { Self.installed[ObjectIdentifier(application)] = self }

    private static var installed: [ObjectIdentifier: InstalledAppDelegate] = [:]

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        sdk.application(application, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
        let method = optional(previous?.application(_:didRegisterForRemoteNotificationsWithDeviceToken:))
        method?(application, deviceToken)
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        sdk.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
        let method = optional(previous?.application(_:didFailToRegisterForRemoteNotificationsWithError:))
        method?(application, error)
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let method = optional(previous?.application(_:didReceiveRemoteNotification:fetchCompletionHandler:))
        let answer = CombinedAnswer(of: method == nil ? 1 : 2, completionHandler)
        sdk.application(application, didReceiveRemoteNotification: userInfo) { answer.add($0) }
        method?(application, userInfo) { answer.add($0) }
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        if sdk.application(app, open: url, options: options) { return true }
        return optional(previous?.application(_:open:options:))?(app, url, options) ?? false
    }

    // What the SDK does not look at is passed on as well.

    func applicationDidBecomeActive(_ application: UIApplication) {
        optional(previous?.applicationDidBecomeActive(_:))?(application)
    }

    func applicationWillResignActive(_ application: UIApplication) {
        optional(previous?.applicationWillResignActive(_:))?(application)
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        optional(previous?.applicationDidEnterBackground(_:))?(application)
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        optional(previous?.applicationWillEnterForeground(_:))?(application)
    }

    func applicationWillTerminate(_ application: UIApplication) {
        optional(previous?.applicationWillTerminate(_:))?(application)
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let method = optional(previous?.application(_:configurationForConnecting:options:))
        return method?(application, session, options) ?? session.configuration
    }

    // Everything else that an app's delegate may have is found by the Objective-C runtime, which Linux does not have.
    #if canImport(ObjectiveC)
        override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || previous?.responds(to: selector) == true
        }

        override func forwardingTarget(for selector: Selector!) -> Any? {
            previous?.responds(to: selector) == true ? previous : super.forwardingTarget(for: selector)
        }
    #endif
}

/// A method that a delegate may have: optional already on Apple's systems, where the runtime knows.
func optional<Method>(_ method: Method?) -> Method? { method }
