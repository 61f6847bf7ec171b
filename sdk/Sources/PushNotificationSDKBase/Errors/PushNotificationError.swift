public import Foundation

/// Everything that can go wrong, as the app sees it. None of it ends the app, and no text holds a token, a key, a
/// payload or a user id.
public enum PushNotificationError: Error, Sendable {
    /// A setting that cannot work; the text names it.
    case invalidConfiguration(String)
    /// The person refused notifications before; only the system's settings change that.
    case permissionDenied
    /// The device token is not one.
    case invalidToken
    /// The server could not be reached.
    case networkError(any Error)
    /// The server answered and refused.
    case serverError(statusCode: Int, message: String)
    /// ``PushNotificationSDK/configure(_:)`` was not called yet.
    case notConfigured
    /// The system gave no device token; the text is the system's.
    case registrationFailed(String)
    /// A link of a notification was not opened; the text says why and does not hold the link.
    case linkRefused(String)
    /// The image, sound or movie of a notification was not attached; the text says why.
    case attachmentFailed(String)
    /// Events were refused by the server and are not sent again.
    case eventsRejected(count: Int, message: String)
    /// Nobody is logged in, or there is no token that speaks for the user, which inbox and preferences need.
    case loginRequired
}

extension PushNotificationError: Equatable {
    /// Network errors are equal when domain and code are.
    public static func == (a: PushNotificationError, b: PushNotificationError) -> Bool {
        switch (a, b) {
        case (.invalidConfiguration(let a), .invalidConfiguration(let b)): a == b
        case (.permissionDenied, .permissionDenied), (.invalidToken, .invalidToken), (.notConfigured, .notConfigured),
            (.loginRequired, .loginRequired):
            true
        case (.networkError(let a), .networkError(let b)):
            (a as NSError).domain == (b as NSError).domain && (a as NSError).code == (b as NSError).code
        case (.serverError(let a, let text), .serverError(let b, let other)): a == b && text == other
        case (.registrationFailed(let a), .registrationFailed(let b)): a == b
        case (.linkRefused(let a), .linkRefused(let b)): a == b
        case (.attachmentFailed(let a), .attachmentFailed(let b)): a == b
        case (.eventsRejected(let a, let text), .eventsRejected(let b, let other)): a == b && text == other
        default: false
        }
    }
}

extension PushNotificationError: LocalizedError {
    /// What happened, in the device's language: Japanese or English.
    public var errorDescription: String? { text(in: .current).description }
    /// What to do next, in the device's language. It is never `nil`.
    public var recoverySuggestion: String? { text(in: .current).suggestion }
}

extension PushNotificationError: CustomNSError {
    /// The domain under which Objective-C sees these errors.
    public static var errorDomain: String { "PushNotificationSDK.PushNotificationError" }

    /// A number for each case, which never changes.
    public var errorCode: Int {
        switch self {
        case .invalidConfiguration: 1
        case .permissionDenied: 2
        case .invalidToken: 3
        case .networkError: 4
        case .serverError: 5
        case .notConfigured: 6
        case .registrationFailed: 7
        case .linkRefused: 8
        case .attachmentFailed: 9
        case .eventsRejected: 10
        case .loginRequired: 11
        }
    }

    /// Description and suggestion under the keys of `NSError`.
    public var errorUserInfo: [String: Any] {
        let text = text(in: .current)
        return [NSLocalizedDescriptionKey: text.description, NSLocalizedRecoverySuggestionErrorKey: text.suggestion]
    }
}
