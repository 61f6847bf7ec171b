package import MartletCore
import MartletStore
import MartletWire

/// Records what came of sending; where the store fails, tries again. It is known nowhere else, and without it all that
/// was sent would be sent once more.
package enum SettlementRetries {
    /// Seconds between two tries at most; the first pause is of one second, each is one longer. Well within
    /// ``Presence/guardTime``.
    private static let longestPause = 5

    /// Records; throws what the last try did.
    ///
    /// - Parameter failed: called after a try that is not the last, before the pause.
    package static func run(
        on clock: any WallClock,
        _ record: @Sendable () async throws -> Void,
        failed: @Sendable (any Error) async -> Void
    ) async throws {
        var failures = 0
        while true {
            do {
                return try await record()
            } catch  where failures < tries(after: error) && !Task.isCancelled {
                failures += 1
                await failed(error)
                try? await clock.sleep(for: .seconds(min(failures, longestPause)))
            }
        }
    }

    /// How often it is tried again. A disk that is full is waited for, about an hour: until somebody has made room.
    /// What else the database says may be about this settlement: half a minute, then its place is another's.
    private static func tries(after error: any Error) -> Int {
        (error as? Failure)?.code == .overloaded ? 720 : 7
    }
}
