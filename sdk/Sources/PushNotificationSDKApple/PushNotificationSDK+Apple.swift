import Foundation
public import PushNotificationSDKCore
public import UserNotifications

extension PushNotificationSDK {
    /// Configures the SDK: when the app starts, before `didFinishLaunching` returns, so that the tap that started it is
    /// seen. It touches neither the disk nor the network. The same configuration again changes nothing; another one takes
    /// the place of the first.
    ///
    /// Where the notification center has no delegate yet, the SDK becomes it.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)``.
    public static func configure(_ configuration: SDKConfiguration) throws(PushNotificationError) {
        try configure(configuration, in: PushEnvironment.system)
    }

    /// Shows the system's prompt where the person was not asked before, and registers the device where notifications are
    /// allowed. Calls that come while the prompt is shown share its answer.
    ///
    /// - Parameters:
    ///   - options: what to ask for.
    ///   - completion: called once, on the main thread: whether notifications are allowed now, or
    ///     ``PushNotificationError/permissionDenied`` where they were refused before.
    public static func requestNotificationPermission(
        options: UNAuthorizationOptions = [.alert, .sound, .badge],
        completion: @escaping (Result<Bool, PushNotificationError>) -> Void
    ) {
        let answer = MainCompletion(completion)
        guard let client else { return answer(.failure(.notConfigured)) }
        client.requestPermission(AuthorizationOptions(rawValue: options.rawValue)) { result in
            MainActor.assumeIsolated { answer.callOnMain(result) }
        }
    }

    /// Shows the system's prompt where the person was not asked before, as above.
    ///
    /// - Returns: whether the person allows notifications.
    /// - Throws: ``PushNotificationError/permissionDenied`` where they were refused before.
    public static func requestNotificationPermission(
        options: UNAuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(PushNotificationError) -> Bool {
        guard let client else { throw .notConfigured }
        let result = await withCheckedContinuation { continuation in
            client.requestPermission(AuthorizationOptions(rawValue: options.rawValue)) {
                continuation.resume(returning: $0)
            }
        }
        return try result.get()
    }
}
