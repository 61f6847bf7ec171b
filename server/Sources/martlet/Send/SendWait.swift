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

    /// How long the server is not asked again, once a second is over.
    private static let longestPause = Duration.milliseconds(500)

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
        var toldReasons: [String] = []
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
            // What is over within a second waits for nothing that is worth a word.
            if one.counts.pending > 0, pause == Self.longestPause {
                let reasons = try await client.waitingReasons(of: id.description, besides: pauses)
                let sentences = reasons.map(\.detail).sorted()
                if !sentences.isEmpty, sentences != toldReasons {
                    progress.clear()
                    try tell(reasons)
                    toldReasons = sentences
                }
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
            pause = min(pause * 2, Self.longestPause)
        }
    }
}

extension SendWait {
    /// Says on standard error what deliveries wait for, since nothing that is done here ends it.
    private func tell(_ pauses: [PauseResponse], of app: PublicID) throws {
        if isJSON {
            return try WaitNotice(pauses: pauses).note()
        }
        for pause in pauses { Terminal.note(pause.line(of: app)) }
    }

    /// The same of what is no pause: a provider that does not answer, or that asks for a later attempt.
    private func tell(_ reasons: [ReasonsResponse.ReasonCount]) throws {
        if isJSON { return try WaitNotice(waiting: reasons).note() }
        for reason in reasons { Terminal.note(reason.line) }
    }
}

extension APIClient {
    /// What a notification's deliveries wait for, most first, beside the pauses that are known: nothing of those that
    /// only wait for their turn.
    func waitingReasons(
        of notification: String,
        besides pauses: [PauseResponse]
    ) async throws -> [ReasonsResponse.ReasonCount] {
        let found: Item<ReasonsResponse> = try await get("notifications/\(notification)/reasons")
        let known = [DeliveryState.pending.rawValue] + pauses.map(\.reason)
        return found.data.reasons.filter { $0.state == .pending && !known.contains($0.reason) }
    }
}

extension ReasonsResponse.ReasonCount {
    /// How many, and why, for people.
    var line: String { TextWidth.printable("\(count) \(state.rawValue): \(detail)") }
}

extension PauseResponse {
    /// The pause for people, with what ends it.
    func line(of app: PublicID) -> String {
        let queue = "\(platform.rawValue)/\(environment.rawValue)"
        return TextWidth.printable(
            """
            \(queue) is paused since \(since): \(reason). \(advice) It goes on when a credential is stored, or after: \
            martlet apps resume \(app) \(queue)
            """
        )
    }
}

/// What `send --wait --json` says on standard error, a line each: what was accepted, a queue that stands still, and
/// what else deliveries wait for.
struct WaitNotice: Codable, Sendable {
    var accepted: NotificationAccepted?
    var pauses: [PauseResponse]?
    var waiting: [ReasonsResponse.ReasonCount]?

    func note() throws { Terminal.note(String(decoding: try JSONEncoder().encode(self), as: UTF8.self)) }
}

extension DeliveryCounts {
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
