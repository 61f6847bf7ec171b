package import MartletCore
package import MartletStore

extension QueueStops {
    /// Those that a notification's deliveries meet.
    package init(
        of notification: Notification,
        _ store: Store,
        _ breakers: QueueBreakers?,
        at now: Timestamp
    ) async throws {
        self.init(
            pauses: try await store.pauses(.holding(notification.row)),
            breakers: breakers?.standing(of: notification.app, at: now) ?? []
        )
    }
}
