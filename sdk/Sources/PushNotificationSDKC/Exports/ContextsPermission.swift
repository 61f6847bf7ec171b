public import CPushNotificationSDK
import PushNotificationSDKCore

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_RequestPermission(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let answer = number(ForeignContext(context, release: release), callback)
    Bridge.requestPermission { answer($0.map { $0 ? 1 : 0 }) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_RequestPermissionWithOptions(
    _ context: UnsafeMutableRawPointer!,
    _ options: Int32,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let answer = number(ForeignContext(context, release: release), callback)
    Bridge.requestPermission(for: options) { answer($0.map { $0 ? 1 : 0 }) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetPermission(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let answer = number(ForeignContext(context, release: release), callback)
    Bridge.permission { answer($0.map { Int32($0.rawValue) }) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetPermissionHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, Int32) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setPermissionHandler(nil) }
    Bridge.setPermissionHandler { handler(context.pointer, $0) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_OpenSettings(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let answer = number(ForeignContext(context, release: release), callback)
    Bridge.openSettings { answer($0.map { $0 ? 1 : 0 }) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetDeviceToken(_ text: UnsafeMutablePointer<CChar>!, _ size: Int32) -> Int32 {
    ForeignPlace(text, size: size).write(PushNotificationSDK.deviceToken)
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetInstallationID(_ text: UnsafeMutablePointer<CChar>!, _ size: Int32) -> Int32 {
    ForeignPlace(text, size: size).write(PushNotificationSDK.installationID)
}

/// What tells a caller a number, or why there is none.
private func number(
    _ context: ForeignContext,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<PushSDKError>?) -> Void)?
) -> (Result<Int32, PushNotificationError>) -> Void {
    { result in
        switch result {
        case .success(let number): callback?(context.pointer, number, nil)
        case .failure(let reason): ForeignError(reason).withRecord { callback?(context.pointer, 0, $0) }
        }
    }
}
