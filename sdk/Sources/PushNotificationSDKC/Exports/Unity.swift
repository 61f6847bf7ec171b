import CPushNotificationSDK
import PushNotificationSDKCore

// `@c @implementation` has the compiler compare each signature with the header's.

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_Configure(
    _ apiURL: UnsafePointer<CChar>!,
    _ apiKey: UnsafePointer<CChar>!,
    _ playerAccountId: UnsafePointer<CChar>!
) {
    PlainBridge.configure(apiURL, apiKey, playerAccountId)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_RequestPermission(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.requestPermission(callback)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_RequestPermissionWithOptions(
    _ options: CInt,
    _ callback: (@convention(c) (CInt) -> Void)!
) {
    PlainBridge.requestPermission(for: options, callback)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_GetPermission(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.permission(callback)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetPermissionHandler(_ handler: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.setPermissionHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_OpenSettings(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.openSettings(callback)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_GetDeviceToken(_ text: UnsafeMutablePointer<CChar>!, _ size: CInt) -> CInt {
    ForeignPlace(text, size: size).write(PushNotificationSDK.deviceToken)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_GetInstallationID(_ text: UnsafeMutablePointer<CChar>!, _ size: CInt) -> CInt {
    ForeignPlace(text, size: size).write(PushNotificationSDK.installationID)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetNotificationHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)!) {
    PlainBridge.setNotificationHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetOpenedHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)!) {
    PlainBridge.setOpenedHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetActionHandler(
    _ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setActionHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetErrorHandler(
    _ handler: (@convention(c) (CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setErrorHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetOptions(_ jsonOptions: UnsafePointer<CChar>!) {
    PlainBridge.setOptions(jsonOptions)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_Login(_ playerAccountId: UnsafePointer<CChar>!, _ userToken: UnsafePointer<CChar>!) {
    PlainBridge.login(playerAccountId, userToken)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_Logout() {
    PlainBridge.logout()
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_ForgetDevice() {
    PlainBridge.forgetDevice()
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetLinkHandler(
    _ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setLinkHandler(handler)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_OpenURL(_ url: UnsafePointer<CChar>!) -> CInt {
    Bridge.openURL(url) ? 1 : 0
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetBadge(_ number: CInt) {
    PushNotificationSDK.setBadge(Int(number))
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetFCMToken(_ token: UnsafePointer<CChar>!) {
    Bridge.setFCMToken(token)
}

/// See `UnityPushSDKBridge.h`.
@c @implementation
public func UnityPushSDK_SetTrackingEnabled(_ isEnabled: CInt) {
    PushNotificationSDK.isTrackingEnabled = isEnabled != 0
}
