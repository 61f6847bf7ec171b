import Foundation
import UIKit
import UserNotifications

#if canImport(ObjectiveC)
    import PushNotificationSDKObjC

    /// Gives delegates methods that their classes have not: each gets a class below its own, which is made at run time.
    enum DelegateMethods {
        @MainActor
        static func add(
            _ forwarding: AutomaticForwarding,
            to delegate: any UIApplicationDelegate,
            of application: UIApplication
        ) {
            guard PushDelegateClassAddToApplicationDelegate(delegate, DelegateCalls(forwarding)) else { return }
            kept[ObjectIdentifier(delegate)] = delegate
            // UIKit asks a delegate what it can when it is set, and not again.
            application.delegate = nil
            application.delegate = delegate
        }

        @MainActor
        static func add(
            _ forwarding: AutomaticForwarding,
            to delegate: any UNUserNotificationCenterDelegate,
            of center: UNUserNotificationCenter
        ) {
            guard PushDelegateClassAddToCenterDelegate(delegate, DelegateCalls(forwarding)) else { return }
            // As above.
            center.delegate = nil
            center.delegate = delegate
        }

        /// Whether a delegate has the methods: another SDK may have given it a class without them since.
        @MainActor
        static func areAdded(to delegate: any UIApplicationDelegate, of application: UIApplication) -> Bool {
            PushDelegateClassIsOfApplicationDelegate(delegate)
        }

        static func areAdded(
            to delegate: any UNUserNotificationCenterDelegate,
            of center: UNUserNotificationCenter
        ) -> Bool {
            PushDelegateClassIsOfCenterDelegate(delegate)
        }

        /// Set anew, an application does not keep its delegate alive: it lives as long as the process, as before.
        @MainActor private static var kept: [ObjectIdentifier: any UIApplicationDelegate] = [:]
    }

    /// The calls of Objective-C in Swift's words.
    private final class DelegateCalls: NSObject, PushDelegateCalls, Sendable {
        private let forwarding: AutomaticForwarding

        init(_ forwarding: AutomaticForwarding) {
            self.forwarding = forwarding
            super.init()
        }

        func didRegister(token: Data, own: @escaping () -> Void) {
            forwarding.didRegister(token: token, in: .shared, own: own)
        }

        func didFailToRegister(_ error: any Error, own: @escaping () -> Void) {
            forwarding.didFailToRegister(error, in: .shared, own: own)
        }

        func didReceiveRemote(
            in application: Any,
            userInfo: [AnyHashable: Any],
            own: ((@escaping (UInt) -> Void) -> Void)?,
            completion: @escaping @Sendable (UInt) -> Void
        ) {
            forwarding.didReceiveRemote(
                userInfo,
                in: .shared,
                own: own.map { own in { answer in own { answer(UIBackgroundFetchResult(rawValue: $0) ?? .noData) } } },
                completion: { completion($0.rawValue) }
            )
        }

        func open(_ url: URL, own: @escaping () -> Bool) -> Bool {
            forwarding.open(url, in: .shared, own: own)
        }

        func continueActivity(_ activity: Any, own: @escaping () -> Bool) -> Bool {
            guard let activity = activity as? NSUserActivity else { return own() }
            return forwarding.continueActivity(activity, in: .shared, own: own)
        }

        func willPresent(
            in center: Any,
            notification: Any,
            own: ((@escaping (UInt) -> Void) -> Void)?,
            completion: @escaping @Sendable (UInt) -> Void
        ) {
            guard let center = center as? UNUserNotificationCenter, let notification = notification as? UNNotification
            else { return completion(0) }
            forwarding.willPresent(
                notification,
                in: center,
                own: own.map { own in { answer in own { answer(UNNotificationPresentationOptions(rawValue: $0)) } } },
                completion: { completion($0.rawValue) }
            )
        }

        func didReceive(
            in center: Any,
            response: Any,
            own: ((@escaping () -> Void) -> Void)?,
            completion: @escaping @Sendable () -> Void
        ) {
            #if os(tvOS)
                // There the system tells of none.
                completion()
            #else
                guard let center = center as? UNUserNotificationCenter,
                    let response = response as? UNNotificationResponse
                else { return completion() }
                forwarding.didReceive(
                    response,
                    in: center,
                    own: own.map { own in { answer in own { answer(()) } } },
                    completion: completion
                )
            #endif
        }
    }
#else
    /// Linux has no Objective-C to make a class with: the stand-ins for Apple's objects keep what the class would do, and a
    /// phone makes the system's calls by way of it. `sdk/Bridges/objc/delegate` shows the class itself, under GNUstep.
    enum DelegateMethods {
        @MainActor
        static func add(
            _ forwarding: AutomaticForwarding,
            to delegate: any UIApplicationDelegate,
            of application: UIApplication
        ) {
            application.addMethods(
                UIApplication.AddedMethods(
                    didRegister: { forwarding.didRegister(token: $1, in: $0, own: $2) },
                    didFailToRegister: { forwarding.didFailToRegister($1, in: $0, own: $2) },
                    didReceiveRemote: { forwarding.didReceiveRemote($1, in: $0, own: $2, completion: $3) },
                    open: { forwarding.open($1, in: $0, own: $2) },
                    continueActivity: { forwarding.continueActivity($1, in: $0, own: $2) }
                ),
                to: delegate
            )
        }

        static func add(
            _ forwarding: AutomaticForwarding,
            to delegate: any UNUserNotificationCenterDelegate,
            of center: UNUserNotificationCenter
        ) {
            // No stand-in runs on tvOS, where the adaptor is only compiled against it.
            #if !os(tvOS)
                center.addMethods(
                    UNUserNotificationCenter.AddedMethods(
                        willPresent: { forwarding.willPresent($1, in: $0, own: $2, completion: $3) },
                        didReceive: { forwarding.didReceive($1, in: $0, own: $2, completion: $3) }
                    ),
                    to: delegate
                )
            #endif
        }

        @MainActor
        static func areAdded(to delegate: any UIApplicationDelegate, of application: UIApplication) -> Bool {
            application.hasAddedMethods(delegate)
        }

        static func areAdded(
            to delegate: any UNUserNotificationCenterDelegate,
            of center: UNUserNotificationCenter
        ) -> Bool {
            #if os(tvOS)
                false
            #else
                center.hasAddedMethods(delegate)
            #endif
        }
    }
#endif
