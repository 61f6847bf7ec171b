/// Waits for what other processes do.
public enum Eventually {
    /// How long it waits before it asks again: short beside what is waited for, long beside what asking costs.
    private static let pause: Duration = .milliseconds(20)

    /// Asks until it is so.
    ///
    /// - Throws: `ProgramProcess.Failure` when the time is over before that.
    public static func `is`(
        _ what: String,
        within seconds: Int = 120,
        isolation: isolated (any Actor)? = #isolation,
        _ isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while try await !isSo() {
            guard ContinuousClock.now < deadline else {
                throw ProgramProcess.Failure(description: "within \(seconds) s it was not so that \(what)")
            }
            try await Task.sleep(for: pause)
        }
    }

    /// Lets trouble last.
    public static func last(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}
