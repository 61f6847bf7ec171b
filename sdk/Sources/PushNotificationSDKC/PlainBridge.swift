import PushNotificationSDKCore

/// The functions without a context, which Unity and Unreal call: what they cannot return goes to the error handler.
enum PlainBridge {
    /// Starts the SDK.
    static func configure(
        _ apiURL: UnsafePointer<CChar>?,
        _ apiKey: UnsafePointer<CChar>?,
        _ playerAccountId: UnsafePointer<CChar>?
    ) {
        do throws(PushNotificationError) {
            try Bridge.configure(apiURL, apiKey, playerAccountId)
        } catch {
            Bridge.report(error)
        }
    }

    /// Sets what the next ``configure(_:_:_:)`` takes beside its arguments.
    static func setOptions(_ json: UnsafePointer<CChar>?) {
        do throws(PushNotificationError) {
            try Bridge.setOptions(json)
        } catch {
            Bridge.report(error)
        }
    }

    /// Somebody logged in.
    static func login(_ playerAccountId: UnsafePointer<CChar>?, _ userToken: UnsafePointer<CChar>?) {
        Bridge.login(playerAccountId, userToken, reportOwn)
    }

    /// The user logged out.
    static func logout() {
        Bridge.logout(reportOwn)
    }

    /// Forgets this device.
    static func forgetDevice() {
        Bridge.forgetDevice { if case .failure(let error) = $0 { Bridge.report(error) } }
    }

    /// What the server refused, and that it was not reached, the registration itself reports.
    private static func reportOwn(_ result: Result<Void, PushNotificationError>) {
        switch result {
        case .failure(.invalidConfiguration(let what)): Bridge.report(.invalidConfiguration(what))
        case .failure(.notConfigured): Bridge.report(.notConfigured)
        default: break
        }
    }

    /// Sets what is told of links into the app.
    static func setLinkHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)?) {
        Bridge.setLinkHandler(handler.map { handler in { handler($0, $1) } })
    }

    /// Asks for the permission to notify; without options for what the façade asks by itself.
    static func requestPermission(for options: CInt? = nil, _ callback: (@convention(c) (CInt) -> Void)?) {
        Bridge.requestPermission(for: options) { tell(callback, $0.map { $0 ? 1 : 0 }) }
    }

    /// Asks the system what the person allows now.
    static func permission(_ callback: (@convention(c) (CInt) -> Void)?) {
        Bridge.permission { tell(callback, $0.map { CInt($0.rawValue) }) }
    }

    /// Opens the app's page in the Settings app.
    static func openSettings(_ callback: (@convention(c) (CInt) -> Void)?) {
        Bridge.openSettings { tell(callback, $0.map { $0 ? 1 : 0 }) }
    }

    private static func tell(
        _ callback: (@convention(c) (CInt) -> Void)?,
        _ result: Result<CInt, PushNotificationError>
    ) {
        switch result {
        case .success(let number): callback?(number)
        case .failure(let error):
            callback?(0)
            Bridge.report(error)
        }
    }

    /// Sets what is told when the person allowed or refused notifications.
    static func setPermissionHandler(_ handler: (@convention(c) (CInt) -> Void)?) {
        Bridge.setPermissionHandler(handler.map { handler in { handler($0) } })
    }

    /// Sets what is told of tapped notifications.
    static func setOpenedHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)?) {
        Bridge.setOpenedHandler(handler.map { handler in { handler($0) } })
    }

    /// Sets what is told of notifications.
    static func setNotificationHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?) -> Void)?) {
        Bridge.setNotificationHandler(handler.map { handler in { handler($0) } })
    }

    /// Sets what is told of actions.
    static func setActionHandler(_ handler: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)?) {
        Bridge.setActionHandler(handler.map { handler in { handler($0, $1) } })
    }

    /// Sets what is told of errors.
    static func setErrorHandler(
        _ handler: (@convention(c) (CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void)?
    ) {
        guard let handler else { return Bridge.setErrorHandler(nil) }
        Bridge.setErrorHandler { error in
            let text = ForeignError(error)
            text.message.withCString { message in
                text.recoverySuggestion.withCString { handler(text.code, message, $0) }
            }
        }
    }
}
