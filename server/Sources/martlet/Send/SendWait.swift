import Foundation
import MartletWire

/// Follows a notification until every delivery has its recorded state.
struct SendWait {
    let client: APIClient
    let id: PublicID
    /// How long it is followed.
    let limit: Duration
    /// Whether programs read what is said.
    var isJSON = false

    /// Waits, with a progress line where a person watches.
    ///
    /// - Throws: `CommandFailure` when the time is over; the notification goes on all the same.
    func finished() async throws -> NotificationResponse {
        let progress = ProgressLine()
        defer { progress.clear() }
        let deadline = ContinuousClock.now + limit
        var pause = Duration.milliseconds(20)
        var told: [PauseResponse] = []
        while true {
            let found: Item<NotificationResponse> = try await client.get("notifications/\(id)")
            let one = found.data
            if one.status != .sending, one.status != .scheduled { return one }
            let pauses = one.pauses ?? []
            if !pauses.isEmpty, pauses != told {
                progress.clear()
                try tell(pauses, of: one.appID)
                told = pauses
            }
            let total = one.counts.total
            progress.show(done: total - one.counts.pending, total: total, NotificationsCommand.summary(one.counts))
            guard ContinuousClock.now + pause < deadline else {
                let summary = NotificationsCommand.summary(one.counts)
                throw CommandFailure(
                    "\(id) is not finished after \(limit.components.seconds) s: \(summary). It continues.",
                    hint: "Look later with: martlet notifications show \(id)",
                    status: .failed
                )
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(500))
        }
    }
}

extension SendWait {
    /// Says on standard error what deliveries wait for, since nothing that is done here ends it.
    private func tell(_ pauses: [PauseResponse], of app: PublicID) throws {
        if isJSON {
            return Terminal.note(String(decoding: try JSONEncoder().encode(WaitNotice(pauses: pauses)), as: UTF8.self))
        }
        for pause in pauses {
            let queue = "\(pause.platform.rawValue)/\(pause.environment.rawValue)"
            let line = """
                \(queue) is paused since \(pause.since): \(pause.reason). \(pause.advice) It goes on when a credential is \
                stored, or after DELETE /api/v1/apps/\(app)/pauses/\(queue).
                """
            Terminal.note(TextWidth.printable(line))
        }
    }
}

/// What `send --wait --json` says on standard error of a queue that stands still.
struct WaitNotice: Codable, Sendable {
    var pauses: [PauseResponse]
}

extension CountsResponse {
    /// All deliveries, in whatever state.
    var total: Int { pending + accepted + rejected + suppressed + expired + cancelled + dead }

    /// Whether somebody was reached and nothing went wrong on the way.
    var isSuccess: Bool { accepted > 0 && rejected + expired + cancelled + dead == 0 }
}
