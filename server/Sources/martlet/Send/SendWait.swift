import MartletWire

/// Follows a notification until every delivery has its recorded state.
struct SendWait {
    let client: APIClient
    let id: PublicID
    /// How long it is followed.
    let limit: Duration

    /// Waits, with a progress line where a person watches.
    ///
    /// - Throws: `CommandFailure` when the time is over; the notification goes on all the same.
    func finished() async throws -> NotificationResponse {
        let progress = ProgressLine()
        defer { progress.clear() }
        let deadline = ContinuousClock.now + limit
        var pause = Duration.milliseconds(20)
        while true {
            let found: Item<NotificationResponse> = try await client.get("notifications/\(id)")
            let one = found.data
            if one.status != .sending, one.status != .scheduled { return one }
            let total = one.counts.total
            progress.show(done: total - one.counts.pending, total: total, NotificationsCommand.summary(one.counts))
            guard ContinuousClock.now + pause < deadline else {
                let summary = NotificationsCommand.summary(one.counts)
                throw CommandFailure(
                    "\(id) is not over after \(limit.components.seconds) s: \(summary). It goes on all the same.",
                    hint: "Look later with: martlet notifications show \(id)",
                    status: .failed
                )
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(500))
        }
    }
}

extension CountsResponse {
    /// All deliveries, in whatever state.
    var total: Int { pending + accepted + rejected + suppressed + expired + cancelled + dead }

    /// Whether somebody was reached and nothing went wrong on the way.
    var isSuccess: Bool { accepted > 0 && rejected + expired + cancelled + dead == 0 }
}
