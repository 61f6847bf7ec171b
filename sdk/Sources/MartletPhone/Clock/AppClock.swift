import PushNotificationSDKCore

/// The time as an app sees it, where it is not this machine's: so that a day passes when somebody says so.
public struct AppClock: Sendable {
    private let read: @Sendable () -> Int64
    private let wait: @Sendable (Int64) async throws -> Void

    /// - Parameters:
    ///   - now: the moment, in UTC milliseconds since 1970.
    ///   - sleep: returns at a moment, at once when it has passed; throws `CancellationError` when its task is cancelled.
    public init(
        now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (_ until: Int64) async throws -> Void
    ) {
        read = now
        wait = sleep
    }
}

extension AppClock: SDKClock {
    package var now: Int64 { read() }
    package var monotonic: Int64 { read() }

    package func sleep(until moment: Int64) async throws { try await wait(moment) }
}
