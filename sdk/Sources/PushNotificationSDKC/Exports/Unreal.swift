import CPushNotificationSDK
import PushNotificationSDKCore

// `@c @implementation` has the compiler compare each signature with the header's.

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_Configure(
    _ apiURL: UnsafePointer<CChar>!,
    _ apiKey: UnsafePointer<CChar>!,
    _ playerAccountId: UnsafePointer<CChar>!
) {
    PlainBridge.configure(apiURL, apiKey, playerAccountId)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_RequestPermission(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.requestPermission(callback)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_RequestPermissionWithOptions(
    _ options: CInt,
    _ callback: (@convention(c) (CInt) -> Void)!
) {
    PlainBridge.requestPermission(for: options, callback)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_GetPermission(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.permission(callback)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetPermissionHandler(_ handler: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.setPermissionHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_OpenSettings(_ callback: (@convention(c) (CInt) -> Void)!) {
    PlainBridge.openSettings(callback)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_GetDeviceToken(_ text: UnsafeMutablePointer<CChar>!, _ size: CInt) -> CInt {
    ForeignPlace(text, size: size).write(PushNotificationSDK.deviceToken)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_GetInstallationID(_ text: UnsafeMutablePointer<CChar>!, _ size: CInt) -> CInt {
    ForeignPlace(text, size: size).write(PushNotificationSDK.installationID)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetNotificationHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)!) {
    PlainBridge.setNotificationHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetOpenedHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)!) {
    PlainBridge.setOpenedHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetActionHandler(
    _ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setActionHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetErrorHandler(
    _ handler: (@convention(c) (CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setErrorHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetOptions(_ jsonOptions: UnsafePointer<CChar>!) {
    PlainBridge.setOptions(jsonOptions)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_Login(_ playerAccountId: UnsafePointer<CChar>!, _ userToken: UnsafePointer<CChar>!) {
    PlainBridge.login(playerAccountId, userToken)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_Logout() {
    PlainBridge.logout()
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_ForgetDevice() {
    PlainBridge.forgetDevice()
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetLinkHandler(
    _ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!
) {
    PlainBridge.setLinkHandler(handler)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_OpenURL(_ url: UnsafePointer<CChar>!) -> CInt {
    Bridge.openURL(url) ? 1 : 0
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetBadge(_ number: CInt) {
    PushNotificationSDK.setBadge(Int(number))
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetFCMToken(_ token: UnsafePointer<CChar>!) {
    Bridge.setFCMToken(token)
}

/// See `UnrealPushSDKBridge.h`.
@c @implementation
public func UnrealPushSDK_SetTrackingEnabled(_ isEnabled: CInt) {
    PushNotificationSDK.isTrackingEnabled = isEnabled != 0
}
