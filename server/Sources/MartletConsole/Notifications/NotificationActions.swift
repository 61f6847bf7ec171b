import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Stopping a notification, and taking it back.
extension ConsoleService {
    func cancelNotification(_ call: ConsoleCall) async throws -> ConsoleReply {
        let notification = try await stoppable(call)
        let cancelled = try await store.cancel(notification.row)
        let outcome = CancelOutcome(before: notification.state, after: cancelled.state)
        if outcome == .cancelled { try await record(.cancelNotification, notification, cancelled, call) }
        return .redirect("/console/notifications/\(notification.id)?done=notification_\(outcome.rawValue)")
    }

    func recallNotification(_ call: ConsoleCall) async throws -> ConsoleReply {
        let notification = try await stoppable(call)
        let inboxes = InboxService(store: store, submitter: submitter, logger: logger)
        let recalled = try await inboxes.recall(notification.row)
        try await record(.recallNotification, notification, recalled, call)
        return .redirect("/console/notifications/\(notification.id)?done=notification_recalled")
    }

    /// The notification in the path, where who asks may stop it.
    private func stoppable(_ call: ConsoleCall) async throws -> MartletCore.Notification {
        let notification = try await notification(of: call)
        guard try await mayStop(notification.id, call) else {
            throw Failure(
                .forbidden,
                call.texts["notifications.not_own"],
                hint: call.texts["notifications.not_own_hint"]
            )
        }
        return notification
    }

    private func record(
        _ action: AuditAction,
        _ before: MartletCore.Notification,
        _ after: MartletCore.Notification,
        _ call: ConsoleCall
    ) async throws {
        try await noteChange(
            action,
            of: .notification(before.id),
            by: call,
            app: before.app,
            before: ["status": .string(before.state.rawValue)],
            after: ["status": .string(after.state.rawValue)]
        )
    }
}
