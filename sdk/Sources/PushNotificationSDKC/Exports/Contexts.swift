public import CPushNotificationSDK
import PushNotificationSDKCore

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_InstallAppDelegate() {
    Bridge.installAppDelegate()
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_Configure(
    _ apiURL: UnsafePointer<CChar>!,
    _ apiKey: UnsafePointer<CChar>!,
    _ playerAccountId: UnsafePointer<CChar>!,
    _ error: UnsafeMutablePointer<PushSDKError>!
) -> Int32 {
    do throws(PushNotificationError) {
        try Bridge.configure(apiURL, apiKey, playerAccountId)
    } catch let reason {
        (error as UnsafeMutablePointer<PushSDKError>?)?.pointee = ForeignError(reason).record
        return 0
    }
    (error as UnsafeMutablePointer<PushSDKError>?)?.pointee = PushSDKError()
    return 1
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetNotificationHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setNotificationHandler(nil) }
    Bridge.setNotificationHandler { handler(context.pointer, $0) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetOpenedHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setOpenedHandler(nil) }
    Bridge.setOpenedHandler { handler(context.pointer, $0) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetActionHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setActionHandler(nil) }
    Bridge.setActionHandler { handler(context.pointer, $0, $1) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetErrorHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setErrorHandler(nil) }
    Bridge.setErrorHandler { error in
        ForeignError(error).withRecord { handler(context.pointer, $0) }
    }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetOptions(
    _ jsonOptions: UnsafePointer<CChar>!,
    _ error: UnsafeMutablePointer<PushSDKError>!
) -> Int32 {
    do throws(PushNotificationError) {
        try Bridge.setOptions(jsonOptions)
    } catch let reason {
        (error as UnsafeMutablePointer<PushSDKError>?)?.pointee = ForeignError(reason).record
        return 0
    }
    (error as UnsafeMutablePointer<PushSDKError>?)?.pointee = PushSDKError()
    return 1
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_Login(
    _ context: UnsafeMutableRawPointer!,
    _ playerAccountId: UnsafePointer<CChar>!,
    _ userToken: UnsafePointer<CChar>!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.login(playerAccountId, userToken, answer(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_Logout(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.logout(answer(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_ForgetDevice(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.forgetDevice(answer(ForeignContext(context, release: release), callback))
}

/// What tells a caller how a call ended.
private func answer(
    _ context: ForeignContext,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)?
) -> (Result<Void, PushNotificationError>) -> Void {
    { result in
        switch result {
        case .success: callback?(context.pointer, nil)
        case .failure(let reason): ForeignError(reason).withRecord { callback?(context.pointer, $0) }
        }
    }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetFCMToken(_ token: UnsafePointer<CChar>!) {
    Bridge.setFCMToken(token)
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_OpenURL(_ url: UnsafePointer<CChar>!) -> Int32 {
    Bridge.openURL(url) ? 1 : 0
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetLinkHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setLinkHandler(nil) }
    Bridge.setLinkHandler { handler(context.pointer, $0, $1) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetBadge(_ number: Int32) {
    PushNotificationSDK.setBadge(Int(number))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetTrackingEnabled(_ isEnabled: Int32) {
    PushNotificationSDK.isTrackingEnabled = isEnabled != 0
}
