import Foundation

extension PushNotificationSDK {
    /// What the user who is logged in wants.
    public static var preferences: Preferences { Preferences() }

    /// The preferences of the user who is logged in. Every call needs one, by ``PushNotificationSDK/login(_:userToken:)``.
    public struct Preferences: Sendable {
        /// The client of a phone among many; `nil` is the SDK's own.
        private let ownClient: PushClient?

        init() { ownClient = nil }

        /// The preferences of one client among many.
        package init(of client: PushClient) { ownClient = client }

        /// What was read last, for a screen that is shown before there is an answer; `nil` where nobody is logged in.
        public var cached: NotificationPreferences? { client?.preferences.cached }

        /// The user who is logged in.
        package var user: String? { client?.context.identity.userID }

        /// Hints that somebody logged in or out.
        package var userChanges: AsyncStream<Void> {
            (ownClient?.handlers ?? PushNotificationSDK.handlers).userChanges.stream()
        }

        /// Reads the preferences.
        ///
        /// - Throws: ``PushNotificationError``: `loginRequired`, `networkError`, `serverError`, `notConfigured`.
        public func load() async throws(PushNotificationError) -> NotificationPreferences {
            try await beginLoad()()
        }

        /// Changes what the change names, and nothing else.
        ///
        /// - Returns: the preferences after the change.
        /// - Throws: ``PushNotificationError``, as above.
        @discardableResult
        public func set(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences {
            try await beginSet(change)()
        }

        /// Switches pushes to this device on or off, beside what the user wants on all of them. Inbox items stay.
        ///
        /// - Throws: ``PushNotificationError``: as above, and `registrationFailed` where the device is not registered yet.
        public func setPushEnabled(_ isEnabled: Bool) async throws(PushNotificationError) {
            try await beginSetPushEnabled(isEnabled)()
        }

        /// Reads the preferences; the completion is called on the main thread.
        public func load(completion: @escaping (Result<NotificationPreferences, PushNotificationError>) -> Void) {
            tell(completion) { () throws(PushNotificationError) in try beginLoad() }
        }

        /// Changes what the change names, and nothing else; the completion is called on the main thread.
        public func set(
            _ change: PreferencesChange,
            completion: ((Result<NotificationPreferences, PushNotificationError>) -> Void)?
        ) {
            tell(completion) { () throws(PushNotificationError) in try beginSet(change) }
        }

        /// Switches pushes to this device on or off; the completion is called on the main thread.
        public func setPushEnabled(
            _ isEnabled: Bool,
            completion: ((Result<Void, PushNotificationError>) -> Void)?
        ) {
            tell(completion) { () throws(PushNotificationError) in try beginSetPushEnabled(isEnabled) }
        }

        private func beginLoad() throws(PushNotificationError) -> UserWork<NotificationPreferences> {
            guard let client else { throw .notConfigured }
            return try client.preferences.load()
        }

        private func beginSet(
            _ change: PreferencesChange
        ) throws(PushNotificationError) -> UserWork<NotificationPreferences> {
            guard let client else { throw .notConfigured }
            return try client.preferences.set(change)
        }

        private func beginSetPushEnabled(_ isEnabled: Bool) throws(PushNotificationError) -> UserWork<Void> {
            guard let client else { throw .notConfigured }
            return try client.setPushEnabled(isEnabled)
        }

        private var client: PushClient? { ownClient ?? PushNotificationSDK.client }
    }
}

/// Begins a call at once and tells its end on the main thread.
func tell<Value: Sendable>(
    _ completion: ((Result<Value, PushNotificationError>) -> Void)?,
    begin: () throws(PushNotificationError) -> UserWork<Value>
) {
    let completion = MainCompletion(completion)
    do throws(PushNotificationError) {
        let work = try begin()
        Task {
            do throws(PushNotificationError) {
                completion(.success(try await work()))
            } catch {
                completion(.failure(error))
            }
        }
    } catch {
        completion(.failure(error))
    }
}
