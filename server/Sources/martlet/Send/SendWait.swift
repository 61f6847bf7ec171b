import Foundation
import MartletWire
import UnixSignals

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
    /// - Throws: `CommandFailure` when the time is over, and when the caller interrupts it; the notification goes on all
    ///   the same.
    func finished() async throws -> NotificationResponse {
        let interrupts = await UnixSignalsSequence(trapping: .sigint)
        return try await withThrowingTaskGroup(of: NotificationResponse?.self) { group in
            group.addTask { try await follow() }
            group.addTask {
                for await _ in interrupts {
                    throw CommandFailure(
                        "Not waiting any longer: \(id) continues without this command.",
                        hint: """
                            How far it is: martlet notifications show \(id). To cancel what is not sent yet: martlet \
                            notifications cancel \(id)
                            """,
                        status: .interrupted
                    )
                }
                return nil
            }
            defer { group.cancelAll() }
            while let found = try await group.next() { if let found { return found } }
            throw CancellationError()
        }
    }

    private func follow() async throws -> NotificationResponse {
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
            // What is not made for a reason of ours is no progress.
            let wanted = one.counts.total - one.counts.suppressed
            progress.show(done: wanted - one.counts.pending, total: wanted, NotificationsCommand.summary(one.counts))
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
            return try WaitNotice(pauses: pauses).note()
        }
        for pause in pauses {
            let queue = "\(pause.platform.rawValue)/\(pause.environment.rawValue)"
            let line = """
                \(queue) is paused since \(pause.since): \(pause.reason). \(pause.advice) It goes on when a credential is \
                stored, or after: martlet apps resume \(app) \(queue)
                """
            Terminal.note(TextWidth.printable(line))
        }
    }
}

/// What `send --wait --json` says on standard error, a line each: what was accepted, and a queue that stands still.
struct WaitNotice: Codable, Sendable {
    var accepted: NotificationAccepted?
    var pauses: [PauseResponse]?

    func note() throws { Terminal.note(String(decoding: try JSONEncoder().encode(self), as: UTF8.self)) }
}

extension CountsResponse {
    /// All deliveries, in whatever state.
    var total: Int { pending + accepted + rejected + suppressed + expired + cancelled + dead }

    /// Deliveries that were to be made and were not.
    var failures: Int { rejected + expired + cancelled + dead }

    /// Whether somebody was reached and nothing went wrong on the way.
    var isSuccess: Bool { accepted > 0 && failures == 0 }
}

extension DeliveryState {
    /// Whether a delivery was to be made and was not.
    var isFailure: Bool { [.rejected, .expired, .cancelled, .dead].contains(self) }
}
