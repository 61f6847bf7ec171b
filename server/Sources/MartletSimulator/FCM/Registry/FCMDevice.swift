/// An app on a phone, as the simulated FCM knows it by a token or a FID.
package struct FCMDevice: Sendable, Equatable, Codable {
    package enum State: String, Sendable, Codable { case active, unregistered }

    /// What the token is for: an Android phone, or one whose messages go on to APNs or a browser's service.
    package enum Platform: String, Sendable, Codable { case android, ios, web }

    /// A registration token, or a Firebase installation id.
    package var token: String
    /// The project that gave it; `nil` for any.
    package var project: String?
    package var platform = Platform.android
    package var state = State.active

    package init(
        token: String,
        project: String? = nil,
        platform: Platform = .android,
        state: State = .active
    ) {
        self.token = token
        self.project = project
        self.platform = platform
        self.state = state
    }
}

/// A Firebase project, with its limits.
struct FCMProject: Sendable {
    /// Google: 600,000 messages a minute.
    static let usualMinute = 600_000

    var perMinute = FCMProject.usualMinute
    /// Whether it holds the APNs key without which iPhones get nothing.
    var hasAPNsKey = true
    var quota = TokenBucket(capacity: FCMProject.usualMinute, period: 60_000)
}
