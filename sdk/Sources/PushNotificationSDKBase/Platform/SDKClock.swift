import Foundation

/// The time, as a seam: iOS 13 has no `Clock`.
package protocol SDKClock: Sendable {
    /// UTC milliseconds since 1970.
    var now: Int64 { get }
    /// Milliseconds since some moment, whatever the clock is set to meanwhile: waits are measured by it.
    var monotonic: Int64 { get }
    /// Waits until a moment; at once when it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until moment: Int64) async throws
}

/// The device's own time.
package struct SystemClock: SDKClock {
    /// The device's own time.
    package init() {}

    package var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    package var monotonic: Int64 {
        var time = timespec()
        // On Apple's systems it goes on while the device sleeps.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    package func sleep(until moment: Int64) async throws {
        let milliseconds = max(0, moment - now)
        try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
    }
}
