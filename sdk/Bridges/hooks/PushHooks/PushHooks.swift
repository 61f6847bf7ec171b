import CPushHooks
import Foundation
import PushNotificationSDKCore
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
        center.present(Phone.notification(payload)) { _ in }
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
        center.receive(response) {}
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Write(
    _ actionId: UnsafePointer<CChar>!,
    _ userText: UnsafePointer<CChar>!,
    _ payload: UnsafePointer<CChar>!
) {
    let action = String(cString: actionId)
    let text = String(cString: userText)
    let payload = Data(String(cString: payload).utf8)
    DispatchQueue.global().async {
        let notification = Phone.notification(payload)
        let response = UNTextInputNotificationResponse(notification, actionIdentifier: action, userText: text)
        UNUserNotificationCenter.current().receive(response) {}
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Open(_ payload: UnsafePointer<CChar>!) {
    UNNotificationDefaultActionIdentifier.withCString { PushHooks_Tap($0, payload) }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_OpenURL(_ url: UnsafePointer<CChar>!) -> Int32 {
    guard let url = URL(string: String(cString: url)) else { return 0 }
    return MainActor.assumeIsolated { UIApplication.shared.receiveLink(url) ? 1 : 0 }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Register() {
    MainActor.assumeIsolated {
        UIApplication.shared.receiveToken(Data(repeating: 0xAB, count: 32))
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_LastUser() -> UnsafePointer<CChar>! {
    Phone.lend(Phone.lastUser)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Buttons(_ category: UnsafePointer<CChar>!) -> Int32 {
    let name = String(cString: category)
    let known = UNUserNotificationCenter.current().device.categories.first { $0.identifier == name }
    return known.map { Int32($0.actions.count) } ?? -1
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Field(
    _ category: UnsafePointer<CChar>!,
    _ actionId: UnsafePointer<CChar>!
) -> UnsafePointer<CChar>! {
    let (name, action) = (String(cString: category), String(cString: actionId))
    let known = UNUserNotificationCenter.current().device.categories.first { $0.identifier == name }
    let input = known?.actions.first { $0.identifier == action }?.input
    return Phone.lend(input.map { "\($0.buttonTitle)/\($0.placeholder)" })
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_AppGroup() -> UnsafePointer<CChar>! {
    Phone.lend(PushNotificationSDK.client?.context.configuration.appGroup)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_LastToken() -> UnsafePointer<CChar>! {
    Phone.lend(Phone.lastToken)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_LastInstallation() -> UnsafePointer<CChar>! {
    Phone.lend(Phone.lastInstallation)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_ChangePermission(_ isAllowed: Int32) {
    MainActor.assumeIsolated { Phone.changePermission(isAllowed != 0) }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Granted() -> Int32 {
    Int32(UNUserNotificationCenter.current().device.permission.granted.rawValue)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_LastOpened() -> UnsafePointer<CChar>! {
    Phone.lend(Phone.opened.with { $0 }?.absoluteString)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_OpenNothing() {
    MainActor.assumeIsolated { UIApplication.shared.system.open = { _, _ in false } }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_Badge() -> Int32 {
    Int32(UNUserNotificationCenter.current().device.badge)
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_IsTracking() -> Int32 {
    PushNotificationSDK.isTrackingEnabled ? 1 : 0
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_FailRegistration() {
    // UIKit tells its delegate on the main thread.
    MainActor.assumeIsolated {
        UIApplication.shared.receiveFailure(CocoaError(.featureUnsupported))
    }
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_LastRequest() -> UnsafePointer<CChar>! {
    Phone.lend(Phone.users.with { $0 }?.last.with { $0 })
}

/// See `PushHooks.h`.
@c @implementation
public func PushHooks_AllowToken(_ userToken: UnsafePointer<CChar>!) {
    let text = String(cString: userToken)
    Phone.users.with { $0 }?.token.with { $0 = text }
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
