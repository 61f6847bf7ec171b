import Foundation

extension PushNotificationSDK {
    /// Somebody logged in: pushes for that user come to this device, and events are reported under that id.
    ///
    /// - Parameters:
    ///   - playerAccountId: the user: 1 to 256 bytes without control characters.
    ///   - userToken: the token that speaks for the user, where the app asks for one; it is kept in memory only.
    ///   - completion: called on the main thread when the server knows, or at once when the device has no token yet.
    public static func login(
        _ playerAccountId: String,
        userToken: String? = nil,
        completion: ((Result<Void, PushNotificationError>) -> Void)? = nil
    ) {
        let answer = MainCompletion(completion)
        guard let client else { return answer(.failure(.notConfigured)) }
        client.login(playerAccountId, token: userToken) { answer($0) }
    }

    /// Somebody logged in; returns when the server knows, or at once when the device has no token yet.
    ///
    /// - Throws: ``PushNotificationError``.
    public static func login(_ playerAccountId: String, userToken: String? = nil) async throws(PushNotificationError) {
        guard let client else { throw .notConfigured }
        let result = await withCheckedContinuation { continuation in
            client.login(playerAccountId, token: userToken) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// The user logged out: pushes for that user do not come to this device any more.
    ///
    /// - Parameter completion: called on the main thread when the server knows, or at once when the device has no token.
    public static func logout(completion: ((Result<Void, PushNotificationError>) -> Void)? = nil) {
        let answer = MainCompletion(completion)
        guard let client else { return answer(.failure(.notConfigured)) }
        client.logout { answer($0) }
    }

    /// The user logged out; returns when the server knows, or at once when the device has no token.
    ///
    /// - Throws: ``PushNotificationError``.
    public static func logout() async throws(PushNotificationError) {
        guard let client else { throw .notConfigured }
        let result = await withCheckedContinuation { continuation in
            client.logout { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    /// Forgets this device: the SDK removes what it keeps on it, and the server deletes the installation, now or when
    /// it can be reached. Only the person's consent stays. The device is another installation from now on, which is
    /// registered when somebody logs in, or with the next launch.
    ///
    /// - Parameter completion: called on the main thread when the server has deleted it. After a `networkError` or a
    ///   `serverError` it is deleted later.
    public static func forgetDevice(completion: ((Result<Void, PushNotificationError>) -> Void)? = nil) {
        let answer = MainCompletion(completion)
        guard let client else { return answer(.failure(.notConfigured)) }
        client.forgetDevice { answer($0) }
    }

    /// Forgets this device; returns when the server has deleted the installation.
    ///
    /// - Throws: ``PushNotificationError``; after a `networkError` or a `serverError` it is deleted later.
    public static func forgetDevice() async throws(PushNotificationError) {
        guard let client else { throw .notConfigured }
        let result = await withCheckedContinuation { continuation in
            client.forgetDevice { continuation.resume(returning: $0) }
        }
        try result.get()
    }
}
