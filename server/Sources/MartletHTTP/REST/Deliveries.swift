import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// The result of each delivery: the answer to "why did this user not get it?".
extension MartletAPI {
    func listDeliveries(_ call: Call) async throws -> List<DeliveryItem> {
        let page = try call.page()
        let notification = try await notification(of: call)
        let found = try await store.deliveries(notification.row, page)
        let isWaiting = found.items.contains { $0.state == .pending }
        let stops = isWaiting ? try await self.stops(of: notification) : QueueStops()
        return call.list(found) { report in
            DeliveryItem(stops.apply(to: report), notification: notification.id)
        }
    }

    /// What keeps the queues that a notification's deliveries wait in.
    func stops(of notification: Notification) async throws -> QueueStops {
        try await QueueStops(of: notification, store, breakers, at: clock.now())
    }

    func listSuppressions(_ call: Call) async throws -> List<SuppressionItem> {
        let page = try call.page()
        let notification = try await notification(of: call)
        return call.list(try await store.suppressions(notification.row, page), SuppressionItem.init)
    }

    func listDeadLetters(_ call: Call) async throws -> List<DeadLetterItem> {
        let page = try call.page()
        let app = try await optionalApp(call.query("app"), for: call.caller)
        return call.list(try await store.failedWork(DeadLetter.self, of: app?.row, page), DeadLetterItem.init)
    }

    /// Repeated, with or without an `Idempotency-Key`, it answers the same and sends nothing: the dead letter's id says
    /// that it is the same request.
    func retryDeadLetter(_ call: Call) async throws -> Reply<DeadLetterItem> {
        let id = try call.id("id", of: "dead letter")
        let retried = try await retries.retry(DeadLetter.self, id, of: call.caller.key?.app)
        let answer = DeadLetterItem(retried.work)
        if !retried.isRepeated {
            let subject = AuditSubject("dead_letter", id.description)
            await record(
                "dead_letter.retry",
                of: subject,
                by: call.caller,
                app: retried.work.owner,
                before: .shown(answer)
            )
        }
        return Reply(answer, isReplayed: retried.isRepeated)
    }

    var retries: Retries { Retries(store: store, wakeUps: wakeUps) }
}

extension DeliveryItem {
    init(_ report: DeliveryReport, notification: PublicID) {
        self.init(
            id: report.endpointRow.map { DeliveryID(notification: notification).of($0) },
            endpointID: report.endpoint,
            userID: report.user,
            platform: report.platform,
            state: report.state,
            reason: report.reason,
            attempts: report.attempts,
            at: report.at.map(UTCTime.init)
        )
        reasonCode = report.reason.map(ReasonCode.text(of:))
    }
}

extension SuppressionItem {
    init(_ report: DeliveryReport) {
        self.init(
            endpointID: report.endpoint,
            userID: report.user,
            platform: report.platform,
            reason: report.reason ?? "unknown",
            heldBy: report.heldBy,
            at: report.at.map(UTCTime.init)
        )
    }
}

extension DeadLetterItem {
    init(_ letter: DeadLetter) {
        self.init(
            id: letter.id,
            notificationID: letter.notification,
            endpointID: letter.endpoint,
            userID: letter.user,
            reason: letter.reason,
            attempts: letter.attempts,
            diedAt: UTCTime(letter.diedAt)
        )
        reasonCode = letter.reason.map(ReasonCode.text(of:))
    }
}
