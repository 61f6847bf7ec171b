import Foundation
import PushNotificationSDKCore
import UIKit
import UserNotifications

/// What happens to the system's calls to delegates that the SDK gave methods: a delegate's own method runs as before, and
/// the SDK is told what the app does not forward itself.
final class AutomaticForwarding: Sendable {
    private let sdk: PushNotificationAppDelegate

    init(to sdk: PushNotificationAppDelegate) { self.sdk = sdk }

    /// A delegate's own answer to a call: it runs the method, which answers once.
    typealias Own<Answer> = (_ answer: @escaping @Sendable (Answer) -> Void) -> Void

    /// Gives the delegates that there are their methods. Those that are the SDK's own have them.
    @MainActor
    func begin(in application: UIApplication, _ center: UNUserNotificationCenter) {
        if let delegate = application.delegate, !(delegate is PushNotificationAppDelegate) {
            DelegateMethods.add(self, to: delegate, of: application)
        }
        switch center.delegate {
        case is NotificationHub, is PushNotificationAppDelegate, nil: break
        case let delegate?: DelegateMethods.add(self, to: delegate, of: center)
        }
    }

    @MainActor
    func didRegister(token: Data, in application: UIApplication, own: () -> Void) {
        guard !isForwarded(by: own) else { return }
        sdk.application(application, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    @MainActor
    func didFailToRegister(_ error: any Error, in application: UIApplication, own: () -> Void) {
        guard !isForwarded(by: own) else { return }
        sdk.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }

    /// - Parameter own: `nil` where the delegate has no method for it.
    @MainActor
    func didReceiveRemote(
        _ userInfo: [AnyHashable: Any],
        in application: UIApplication,
        own: Own<UIBackgroundFetchResult>?,
        completion: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let answer = CombinedAnswer(of: own == nil ? 1 : 2, completion)
        if let own, isForwarded(by: { own { answer.add($0) } }) { return answer.add(.noData) }
        // What the async form of the app's method hands on comes later.
        PushClient.forward(userInfo, in: application, to: sdk.client, isAutomatic: true) { answer.add($0) }
    }

    /// A link is the app's own first: it may be what a login comes back with.
    ///
    /// - Parameter own: whether the delegate took it; `false` where it has no method for it.
    @MainActor
    func open(_ url: URL, in application: UIApplication, own: () -> Bool) -> Bool {
        own() || sdk.application(application, open: url, options: [:])
    }

    /// A universal link in an app without scenes: the app's own first, as above.
    @MainActor
    func continueActivity(_ activity: NSUserActivity, in application: UIApplication, own: () -> Bool) -> Bool {
        own() || sdk.application(application, continue: activity, restorationHandler: { _ in })
    }

    /// The delegate says how notifications are shown, and of the SDK's own the SDK does where the app has set it.
    func willPresent(
        _ notification: UNNotification,
        in center: UNUserNotificationCenter,
        own: Own<UNNotificationPresentationOptions>?,
        completion: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        guard let client = sdk.client, client.isOurs(ReceivedNotification(notification)) else {
            guard let own else { return completion([]) }
            return own(completion)
        }
        guard let own else {
            return sdk.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completion)
        }
        guard !client.isPresentationSet else {
            own { _ in }
            return sdk.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completion)
        }
        let answer = Locked<UNNotificationPresentationOptions>([])
        let all = CombinedCompletion(of: 2) { completion(answer.with { $0 }) }
        sdk.userNotificationCenter(center, willPresent: notification) { _ in all.add() }
        own { options in
            answer.with { $0 = options }
            all.add()
        }
    }

    #if !os(tvOS)
        func didReceive(
            _ response: UNNotificationResponse,
            in center: UNUserNotificationCenter,
            own: Own<Void>?,
            completion: @escaping @Sendable () -> Void
        ) {
            let all = CombinedCompletion(of: own == nil ? 1 : 2, completion)
            sdk.userNotificationCenter(center, didReceive: response) { all.add() }
            own? { all.add() }
        }
    #endif

    /// What an app hands on itself while its own method runs is not told twice.
    @MainActor
    private func isForwarded(by own: () -> Void) -> Bool {
        let before = sdk.client?.forwardedCalls
        own()
        return sdk.client?.forwardedCalls != before
    }
}
