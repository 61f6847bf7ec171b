import Testing

/// Waits until the condition holds, asking again and again; fails after a minute.
func eventually(_ condition: @Sendable () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "the condition did not come to hold")
        await Task.yield()
    }
}
