public import Foundation

/// How an app reaches its server, and as whom. The API key lives in memory only and is never printed.
public struct SDKConfiguration: Sendable, Equatable {
    /// The server's address; https.
    public let apiURL: URL
    /// The app's client key.
    public let apiKey: String
    /// The user, where the app knows one; `nil` leaves the user that is logged in. It is a login in the first launch that
    /// names this user: the same name again does not undo a logout, or the login of somebody else.
    public let playerAccountId: String?
    /// The most seconds that one request may take, 5 to 120.
    public let timeout: TimeInterval

    /// The app's name or id at the server; `nil` takes the key's app.
    public var app: String?
    /// Which of Apple's two worlds the build gets its tokens from; `nil` lets the server find out.
    public var apnsEnvironment: APNsEnvironment?
    /// The app group that the app shares with its service extension, such as `group.com.example.game`.
    public var appGroup: String?
    /// The categories whose buttons the app's notifications show; each identifier once, and none the SDK's own
    /// ``NotificationCategory/standard``.
    public var categories: [NotificationCategory] = []
    /// Where events wait until they are uploaded.
    public var eventStorage: EventStorage = .files
    /// How notifications are shown while the app is in front, until
    /// ``PushNotificationSDK/presentationPolicy`` says otherwise. `nil` shows them as the app's own delegate answers,
    /// and with banner and sound where it has no answer.
    public var presentation: NotificationPresentation?
    /// Whether events are recorded until the person has answered; `false` where the law wants a consent first. The answer is
    /// ``PushNotificationSDK/isTrackingEnabled``.
    public var tracksBeforeConsent = true
    /// Whether the SDK takes from the app's delegates what the system tells them, so that the app forwards nothing: the
    /// device token, pushes, taps, and links where the app's delegate has no method for them. The delegates stay the
    /// objects that they are, and their own methods run as before. `false` where the app forwards by hand.
    public var automaticForwarding = true

    /// The time limit of a request where none is given: 30 s.
    public static let defaultTimeout: TimeInterval = 30

    /// A configuration from its parts; all else is set afterwards.
    ///
    /// - Parameters:
    ///   - apiURL: the server's address: https, with a host, without user, password, query and fragment.
    ///   - apiKey: the app's client key: 8 to 1,024 printable ASCII characters without spaces.
    ///   - playerAccountId: the user: at most 256 bytes without control characters; an empty text is `nil`.
    ///   - timeout: the most seconds that one request may take, 5 to 120.
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` naming what is wrong, and never the key.
    public init(
        apiURL: URL,
        apiKey: String,
        playerAccountId: String? = nil,
        timeout: TimeInterval = SDKConfiguration.defaultTimeout
    ) throws(PushNotificationError) {
        try ConfigurationRules.check(apiURL: apiURL)
        try ConfigurationRules.check(apiKey: apiKey)
        try ConfigurationRules.check(timeout: timeout)
        let player = playerAccountId?.isEmpty == true ? nil : playerAccountId
        if let player { try ConfigurationRules.check(userID: player, name: "playerAccountId") }
        self.apiURL = apiURL
        self.apiKey = apiKey
        self.playerAccountId = player
        self.timeout = timeout
    }
}

/// Which of Apple's two worlds a build gets its tokens from.
public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable {
    /// Builds that are run from Xcode.
    case sandbox
    /// Builds of the App Store, of TestFlight and ad-hoc ones.
    case production
}

/// Where events wait until they are uploaded.
public enum EventStorage: String, Sendable, Hashable, CaseIterable {
    /// In files of the SDK's own, outside backups. They can be read and written from the first unlock on.
    case files
    /// In the app's `UserDefaults`, which backups take along to another device. An app that the system starts before the
    /// first unlock finds them empty for as long as it runs: its events wait in memory, and go with the process.
    case userDefaults
}

extension SDKConfiguration {
    /// What tells one server, and one app there, from another: secrets and events of one are not another's.
    package var server: String { "\(endpoint("").absoluteString) \(app ?? "")" }

    /// The address of a path of the server's interface, such as `tokens`.
    package func endpoint(_ path: String) -> URL {
        // The interface's own part of the path may stand in the address already.
        var base = apiURL
        for part in ["api", "v1"] where !apiURL.path.hasSuffix("/api/v1") { base.appendPathComponent(part) }
        return base.appendingPathComponent(path)
    }
}

extension SDKConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The settings without the key and the user.
    public var description: String {
        "SDKConfiguration(apiURL: \(apiURL.absoluteString), apiKey: \(Self.redacted), "
            + "playerAccountId: \(playerAccountId == nil ? "nil" : Self.redacted), timeout: \(timeout))"
    }

    /// The settings without the key and the user.
    public var debugDescription: String { description }

    /// The settings without the key and the user, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "apiURL": apiURL, "apiKey": Self.redacted,
                "playerAccountId": playerAccountId == nil ? "nil" : Self.redacted, "timeout": timeout,
            ],
            displayStyle: .struct
        )
    }

    private static let redacted = "<redacted>"
}
