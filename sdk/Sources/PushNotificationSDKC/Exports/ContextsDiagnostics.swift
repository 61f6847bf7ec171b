public import CPushNotificationSDK

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetDiagnostics(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.diagnostics(text(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SendTestNotification(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.sendTestNotification(text(ForeignContext(context, release: release), callback))
}
