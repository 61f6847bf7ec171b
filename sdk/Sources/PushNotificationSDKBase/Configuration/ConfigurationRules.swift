package import Foundation

/// What a configuration may be.
package enum ConfigurationRules {
    /// The shortest key, of the specification.
    package static let shortestKey = 8
    /// The longest key: ours. It is part of every request's header, which servers limit to about 8 KiB as a whole.
    package static let longestKey = 1024
    /// The time limits of the specification, in seconds; both are allowed.
    package static let timeouts: ClosedRange<TimeInterval> = 5...120
    /// The longest user id in bytes: the server's.
    package static let longestUserID = 256

    /// What may be set after a configuration was made.
    package static func check(_ configuration: SDKConfiguration) throws(PushNotificationError) {
        if let app = configuration.app, app.isEmpty { throw .invalidConfiguration("app is empty") }
        if let group = configuration.appGroup, group.isEmpty { throw .invalidConfiguration("appGroup is empty") }
        for category in configuration.categories where category.identifier.isEmpty {
            throw .invalidConfiguration("a category has no identifier")
        }
        // The system takes both and says nothing of whose buttons it shows.
        var seen: Set = [NotificationCategory.standard.identifier]
        for category in configuration.categories where !seen.insert(category.identifier).inserted {
            throw .invalidConfiguration("two categories are called \(category.identifier)")
        }
    }

    package static func check(apiURL: URL) throws(PushNotificationError) {
        guard let parts = URLComponents(url: apiURL, resolvingAgainstBaseURL: true),
            parts.scheme?.lowercased() == "https"
        else { throw .invalidConfiguration("apiURL must begin with https://") }
        guard let host = parts.host, !host.isEmpty else { throw .invalidConfiguration("apiURL has no host") }
        guard parts.user == nil, parts.password == nil else {
            throw .invalidConfiguration("apiURL must not hold a user or a password")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw .invalidConfiguration("apiURL must not have a query or a fragment")
        }
    }

    package static func check(apiKey: String) throws(PushNotificationError) {
        guard (shortestKey...longestKey).contains(apiKey.utf8.count) else {
            throw .invalidConfiguration("apiKey must have \(shortestKey) to \(longestKey) characters")
        }
        // 0x21 to 0x7E: a header field holds it unchanged. A space at an end is a mistake and is not mended silently.
        guard apiKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidConfiguration("apiKey must have only printable ASCII characters and no spaces")
        }
    }

    package static func check(timeout: TimeInterval) throws(PushNotificationError) {
        // A comparison with NaN is false, so it is refused here too.
        guard timeouts.contains(timeout) else {
            throw .invalidConfiguration("timeout must be between 5 and 120 seconds")
        }
    }

    package static func check(userID: String, name: String) throws(PushNotificationError) {
        guard (1...longestUserID).contains(userID.utf8.count),
            userID.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw .invalidConfiguration("\(name) must have 1 to \(longestUserID) bytes and no control characters")
        }
    }
}
