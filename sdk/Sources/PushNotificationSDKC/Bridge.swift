import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore

/// The façade as the C functions use it: C's strings in, JSON text out.
enum Bridge {
    /// Hands the system's calls to the SDK: at once on the main thread, else as soon as the main queue comes to it.
    static func installAppDelegate() {
        if Thread.isMainThread {
            MainActor.assumeIsolated { PushNotificationAppDelegate.install() }
        } else {
            DispatchQueue.main.async { PushNotificationAppDelegate.install() }
        }
    }

    /// Starts the SDK.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)``.
    static func configure(
        _ apiURL: UnsafePointer<CChar>?,
        _ apiKey: UnsafePointer<CChar>?,
        _ playerAccountId: UnsafePointer<CChar>?
    ) throws(PushNotificationError) {
        let address = try ForeignText(apiURL, named: "apiURL").required()
        guard let url = URL(string: address) else { throw .invalidConfiguration("apiURL is not an address") }
        let key = try ForeignText(apiKey, named: "apiKey").required()
        let player = try ForeignText(playerAccountId, named: "playerAccountId").optional()
        let options = options.with { $0 }
        var configuration = try SDKConfiguration(
            apiURL: url,
            apiKey: key,
            playerAccountId: player,
            timeout: options.timeout
        )
        configuration.app = options.app
        configuration.apnsEnvironment = options.apnsEnvironment
        configuration.appGroup = options.appGroup
        configuration.categories = options.categories
        configuration.presentation = options.presentation
        configuration.eventStorage = options.eventStorage
        configuration.automaticForwarding = options.automaticForwarding
        configuration.tracksBeforeConsent = options.tracksBeforeConsent
        try PushNotificationSDK.configure(configuration)
    }

    /// What the next `configure` takes beside its arguments.
    private static let options = Locked(ForeignOptions())

    /// Sets what the next ``configure(_:_:_:)`` takes beside its arguments, and at once which links may be opened. NULL
    /// takes the options away; what cannot be read changes nothing.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)``.
    static func setOptions(_ json: UnsafePointer<CChar>?) throws(PushNotificationError) {
        let text = try ForeignText(json, named: "the options").optional()
        let new = try text.map { text throws(PushNotificationError) in try ForeignOptions(json: text) }
        options.with { $0 = new ?? ForeignOptions() }
        if let links = new?.links {
            PushNotificationSDK.linkPolicy = links
        } else {
            PushNotificationSDK.handlers.links.forgetPolicy()
        }
    }

    /// Somebody logged in; the answer comes once, on the main queue.
    static func login(
        _ playerAccountId: UnsafePointer<CChar>?,
        _ userToken: UnsafePointer<CChar>?,
        _ completion: @escaping (Result<Void, PushNotificationError>) -> Void
    ) {
        do throws(PushNotificationError) {
            let player = try ForeignText(playerAccountId, named: "playerAccountId").required()
            let token = try ForeignText(userToken, named: "userToken").optional()
            PushNotificationSDK.login(player, userToken: token, completion: completion)
        } catch {
            MainCompletion(completion)(.failure(error))
        }
    }

    /// The user logged out; the answer comes once, on the main queue.
    static func logout(_ completion: @escaping (Result<Void, PushNotificationError>) -> Void) {
        PushNotificationSDK.logout(completion: completion)
    }

    /// Forgets this device; the answer comes once, on the main queue.
    static func forgetDevice(_ completion: @escaping (Result<Void, PushNotificationError>) -> Void) {
        PushNotificationSDK.forgetDevice(completion: completion)
    }

    /// Takes Firebase's token, or with NULL goes back to Apple's.
    static func setFCMToken(_ token: UnsafePointer<CChar>?) {
        do throws(PushNotificationError) {
            PushNotificationSDK.setFCMToken(try ForeignText(token, named: "token").optional())
        } catch {
            report(.invalidToken)
        }
    }

    /// The system opened the app by a link.
    ///
    /// - Returns: whether the SDK took it.
    static func openURL(_ url: UnsafePointer<CChar>?) -> Bool {
        guard let text = try? ForeignText(url, named: "url").optional(), let url = URL(string: text) else {
            return false
        }
        var link = SystemLink(url)
        // A page comes as a universal link: the app's own where the options allow it, and no error where they do not.
        link.isUnsorted = ["http", "https"].contains(url.scheme?.lowercased())
        return PushNotificationSDK.didOpen(link)
    }

    /// Sets what is told of links into the app: the link, and the notification's JSON where it came with one.
    static func setLinkHandler(_ handler: ((UnsafePointer<CChar>, UnsafePointer<CChar>?) -> Void)?) {
        PushNotificationSDK.onDeepLink = handler.map { handler in
            { url, payload in
                url.absoluteString.withCString { url in
                    guard let payload else { return handler(url, nil) }
                    payload.json.withCString { handler(url, $0) }
                }
            }
        }
    }

    /// Hands an error to the error handler; without one it waits for the one that is set next.
    static func report(_ error: PushNotificationError) {
        PushNotificationSDK.handlers.errors.post(error)
    }

    /// Sets what is told of notifications.
    static func setNotificationHandler(_ handler: ((UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.onNotificationReceived = handler.map { handler in
            { payload in payload.json.withCString(handler) }
        }
    }

    /// Sets what is told of tapped notifications.
    static func setOpenedHandler(_ handler: ((UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.onNotificationOpened = handler.map { handler in
            { payload in payload.json.withCString(handler) }
        }
    }

    /// Sets what is told of actions.
    static func setActionHandler(_ handler: ((UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.onNotificationActionTapped = handler.map { handler in
            { action, payload in
                action.withCString { action in payload.json.withCString { handler(action, $0) } }
            }
        }
    }

    /// Sets what is told of errors.
    static func setErrorHandler(_ handler: ((PushNotificationError) -> Void)?) {
        PushNotificationSDK.onError = handler
    }
}
