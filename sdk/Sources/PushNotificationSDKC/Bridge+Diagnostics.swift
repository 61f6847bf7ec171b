import PushNotificationSDKCore

/// What shows why pushes come or do not, as the C functions use it. Each answer comes once, on the main queue.
extension Bridge {
    /// What is known, as a text for people.
    static func diagnostics(_ completion: @escaping (Result<String, PushNotificationError>) -> Void) {
        answer(completion) { () async throws(PushNotificationError) in
            try await PushNotificationSDK.diagnostics().text
        }
    }

    /// Has the server send a notification to this device; the answer is the notification's id.
    static func sendTestNotification(_ completion: @escaping (Result<String, PushNotificationError>) -> Void) {
        answer(completion) { () async throws(PushNotificationError) in
            try await PushNotificationSDK.sendTestNotification()
        }
    }
}
