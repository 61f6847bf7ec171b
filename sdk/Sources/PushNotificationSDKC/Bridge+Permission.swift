import PushNotificationSDKApple
import PushNotificationSDKCore
import UserNotifications

/// What the person allows, as the C functions use it. Each answer comes once, on the main queue.
extension Bridge {
    /// Asks for the permission to notify.
    ///
    /// - Parameter options: the bits of `UNAuthorizationOptions`; without any the façade's own.
    static func requestPermission(
        for options: Int32? = nil,
        _ completion: @escaping (Result<Bool, PushNotificationError>) -> Void
    ) {
        guard let options else { return PushNotificationSDK.requestNotificationPermission(completion: completion) }
        let bits = UInt(UInt32(bitPattern: options))
        PushNotificationSDK.requestNotificationPermission(options: .init(rawValue: bits), completion: completion)
    }

    /// Asks the system what the person allows now.
    static func permission(
        _ completion: @escaping (Result<PushNotificationSDKCore.NotificationPermission, PushNotificationError>) -> Void
    ) {
        answer(completion) { () async throws(PushNotificationError) in try await PushNotificationSDK.permission() }
    }

    /// Opens the app's page in the Settings app; the answer is whether it opened.
    static func openSettings(_ completion: @escaping (Result<Bool, PushNotificationError>) -> Void) {
        answer(completion) { () async throws(PushNotificationError) in try await PushNotificationSDK.openSettings() }
    }

    /// Sets what is told when the person allowed or refused notifications.
    static func setPermissionHandler(_ handler: ((Int32) -> Void)?) {
        PushNotificationSDK.onPermissionChanged = handler.map { handler in { handler(Int32($0.rawValue)) } }
    }

    /// Answers with what some work comes to, on the main queue.
    static func answer<Value: Sendable>(
        _ completion: @escaping (Result<Value, PushNotificationError>) -> Void,
        with work: @escaping @Sendable () async throws(PushNotificationError) -> Value
    ) {
        let completion = MainCompletion(completion)
        Task {
            do throws(PushNotificationError) {
                completion(.success(try await work()))
            } catch {
                completion(.failure(error))
            }
        }
    }
}
