import CPushHooks
import Foundation
import UIKit
import UserNotifications

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Start(_ person: Int32) {
    MainActor.assumeIsolated { Phone.start(Phone.Person(rawValue: person) ?? .denies) }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Deliver(_ payload: UnsafePointer<CChar>!) {
    let payload = Data(String(cString: payload).utf8)
    DispatchQueue.global().async {
        let center = UNUserNotificationCenter.current()
        center.delegate?.userNotificationCenter(center, willPresent: Phone.notification(payload)) { _ in }
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Tap(_ actionId: UnsafePointer<CChar>!, _ payload: UnsafePointer<CChar>!) {
    let action = String(cString: actionId)
    let payload = Data(String(cString: payload).utf8)
    DispatchQueue.global().async {
        let center = UNUserNotificationCenter.current()
        let response = UNNotificationResponse(Phone.notification(payload), actionIdentifier: action)
        center.delegate?.userNotificationCenter(center, didReceive: response) {}
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_FailRegistration() {
    // UIKit tells its delegate on the main thread.
    MainActor.assumeIsolated {
        let application = UIApplication.shared
        let error = CocoaError(.featureUnsupported)
        application.delegate?.application(application, didFailToRegisterForRemoteNotificationsWithError: error)
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_ServeMainQueue() {
    Phone.serveMainQueue()
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_IsMainThread() -> Int32 {
    Thread.isMainThread ? 1 : 0
}
