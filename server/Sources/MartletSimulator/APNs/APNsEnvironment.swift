/// Which of Apple's two services a listener stands in for.
public enum APNsEnvironment: String, Sendable, Codable, CaseIterable {
    /// `api.push.apple.com`
    case production
    /// `api.sandbox.push.apple.com`; answers carry `apns-unique-id`.
    case sandbox
}

/// Where the simulator reads the time, so that a test can age provider tokens.
public struct SimulatorClock: Sendable {
    /// Milliseconds since 1970, UTC.
    public var now: @Sendable () -> Int64

    /// A clock that asks `now` each time.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }
}
