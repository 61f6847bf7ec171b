import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore

/// The façade as the C functions use it: C's strings in, JSON text out.
enum Bridge {
    /// Hands the system's calls to the SDK: at once on the main thread, else as soon as the main queue comes to it.
    static func installAppDelegate() {
        if Thread.isMainThread {
            MainActor.assumeIsolated { _ = PushNotificationAppDelegate.install() }
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
        try PushNotificationSDK.configure(SDKConfiguration(apiURL: url, apiKey: key, playerAccountId: player))
    }

    /// Hands an error to the error handler; without one it waits for the one that is set next.
    static func report(_ error: PushNotificationError) {
        PushNotificationSDK.handlers.errors.post(error)
    }

    /// Asks for the permission to notify; the answer comes once, on the main queue.
    static func requestPermission(_ completion: @escaping (Result<Bool, PushNotificationError>) -> Void) {
        PushNotificationSDK.requestNotificationPermission(completion: completion)
    }

    /// Sets what is told of notifications.
    static func setNotificationHandler(_ handler: ((UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.onNotificationReceived = handler.map { handler in
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
