import Foundation

/// Decides when a push that says that data changed has the data reloaded: at once while the app is in front, else when
/// it next is. In the background nothing is loaded; the system shows alert and badge.
package final class RefreshRouter: RefreshSink {
    /// The most wishes that wait for the app to come to the front; one of each action and device. Ours.
    private static let bound = 64
    private static let key = "martlet.refresh"

    private let handling: RefreshHandling
    private let environment: PushEnvironment
    private let fulfilled: OnceLedger
    private let waiting = Locked<[RefreshWish]>([])

    /// A router of one client; nothing is read yet.
    package init(_ client: ClientContext) {
        handling = client.handlers.refresh
        environment = client.environment
        fulfilled = OnceLedger(environment.storage, key: "martlet.refreshed")
    }

    package func received(_ notification: ReceivedNotification, in state: ApplicationState) {
        take(RefreshWish(notification.payload), of: notification, in: state)
    }

    package func tapped(_ notification: ReceivedNotification) {
        let wish = RefreshWish(notification.payload, needsAction: !handling.isActionOptional)
        take(wish, of: notification, in: .inactive)
    }

    private func take(_ wish: RefreshWish?, of notification: ReceivedNotification, in state: ApplicationState) {
        guard let wish else { return }
        fulfilled.insert(Self.key(of: notification))
        guard state != .active else { return post(wish) }
        keep(wish)
        // A tap may be told of after the app came to the front: then nothing else would ask for what is kept.
        if state == .inactive { Task { await postIfActive() } }
    }

    private func postIfActive() async {
        guard await environment.platform.applicationState() == .active else { return }
        for wish in takeAll() { post(wish) }
    }

    package func didBecomeActive() {
        let waited = takeAll()
        for wish in waited { post(wish) }
        // No code ran for what the system only showed: the notification center still has it.
        Task { [self] in
            var seen = Set(waited)
            for notification in await environment.platform.deliveredNotifications() where notification.isRemote {
                // Of a push that woke the app only the message id is known.
                guard let wish = RefreshWish(notification.payload), !fulfilled.contains(notification.messageKey),
                    fulfilled.insert(Self.key(of: notification)), seen.insert(wish).inserted
                else { continue }
                post(wish)
            }
        }
    }

    package func forget() {
        waiting.with { waiting in
            waiting = []
            try? environment.storage.remove(Self.key)
        }
        fulfilled.removeAll()
    }

    /// What tells a push from every other. A push that was not sent through Martlet has no message id, or one that an
    /// earlier one had, and where it has a collapse id a newer one has the same identifier: the time tells them apart.
    private static func key(of notification: ReceivedNotification) -> String {
        guard let id = notification.payload.messageID else {
            return "\(notification.identifier) \(notification.date ?? 0)"
        }
        return notification.date == nil ? id : notification.shownKey
    }

    private func post(_ wish: RefreshWish) {
        handling.post(
            RefreshHandling.Due(wish: wish, clock: environment.clock, timeZone: environment.timeZone)
        )
    }

    private func keep(_ wish: RefreshWish) {
        waiting.with { waiting in
            waiting = stored() + waiting
            waiting.removeAll { $0.action == wish.action && $0.deviceID == wish.deviceID }
            waiting.append(wish)
            waiting.removeFirst(max(0, waiting.count - Self.bound))
            // What cannot be written yet stays in memory.
            guard let bytes = try? JSONEncoder().encode(waiting) else { return }
            if (try? environment.storage.set(bytes, for: Self.key)) != nil { waiting = [] }
        }
    }

    private func takeAll() -> [RefreshWish] {
        waiting.with { waiting in
            let all = stored() + waiting
            waiting = []
            if !all.isEmpty { try? environment.storage.remove(Self.key) }
            return all
        }
    }

    private func stored() -> [RefreshWish] {
        guard let bytes = try? environment.storage.data(for: Self.key) else { return [] }
        return (try? JSONDecoder().decode([RefreshWish].self, from: bytes)) ?? []
    }
}
