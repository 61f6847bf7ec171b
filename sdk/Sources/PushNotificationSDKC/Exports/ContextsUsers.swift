public import CPushNotificationSDK
import PushNotificationSDKCore

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_LoadPreferences(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.loadPreferences(text(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetPreferences(
    _ context: UnsafeMutableRawPointer!,
    _ jsonChange: UnsafePointer<CChar>!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.setPreferences(jsonChange, text(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetPushEnabled(
    _ context: UnsafeMutableRawPointer!,
    _ isEnabled: Int32,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.setPushEnabled(isEnabled != 0, end(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetInboxPage(
    _ context: UnsafeMutableRawPointer!,
    _ jsonQuery: UnsafePointer<CChar>!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.inboxPage(jsonQuery, text(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_GetInboxCounts(
    _ context: UnsafeMutableRawPointer!,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.inboxCounts(text(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_MarkInbox(
    _ context: UnsafeMutableRawPointer!,
    _ jsonItemIDs: UnsafePointer<CChar>!,
    _ mark: UnsafePointer<CChar>!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.markInbox(jsonItemIDs, mark, end(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_MarkWholeInbox(
    _ context: UnsafeMutableRawPointer!,
    _ itemID: UnsafePointer<CChar>!,
    _ mark: UnsafePointer<CChar>!,
    _ category: UnsafePointer<CChar>!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.markWholeInbox(itemID, mark, category, end(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_ArchiveInboxItem(
    _ context: UnsafeMutableRawPointer!,
    _ itemID: UnsafePointer<CChar>!,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    Bridge.archiveInboxItem(itemID, end(ForeignContext(context, release: release), callback))
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetInboxHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setInboxHandler(nil) }
    Bridge.setInboxHandler { handler(context.pointer, $0) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_SetUserTokenHandler(
    _ context: UnsafeMutableRawPointer!,
    _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)!,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)!
) {
    let context = ForeignContext(context, release: release)
    guard let handler else { return Bridge.setUserTokenHandler(nil) }
    Bridge.setUserTokenHandler { handler(context.pointer, $0) }
}

/// See `PushNotificationSDKC.h`.
@c @implementation
public func PushSDK_AnswerUserToken(_ playerAccountId: UnsafePointer<CChar>!, _ userToken: UnsafePointer<CChar>!) {
    Bridge.answerUserToken(playerAccountId, userToken)
}

/// What tells a caller a text, or why there is none.
func text(
    _ context: ForeignContext,
    _ callback: (
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void
    )?
) -> (Result<String, PushNotificationError>) -> Void {
    { result in
        switch result {
        case .success(let text): text.withCString { callback?(context.pointer, $0, nil) }
        case .failure(let reason): ForeignError(reason).withRecord { callback?(context.pointer, nil, $0) }
        }
    }
}

/// What tells a caller how a call ended.
private func end(
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
