public import Logging
import MartletWire

/// Takes items out of all inboxes, and has phones remove what they show of them. What phones are told is best effort; the
/// inbox is changed whatever becomes of it.
public struct InboxService: Sendable {
    private let store: any Store
    private let submitter: Submitter
    private let logger: Logger

    /// A service over a store, with what sends.
    public init(store: any Store, submitter: Submitter, logger: Logger) {
        self.store = store
        self.submitter = submitter
        self.logger = logger
    }

    /// Takes an item out of all inboxes, cancels what has not been sent, and has devices that it was sent to remove it, once.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func recall(_ notification: RowID<Notification>) async throws -> Notification {
        let recall = try await store.recall(notification)
        let counts = recall.notification.counts
        // What is under way may still arrive.
        guard recall.isFirst, counts.accepted + counts.pending > 0 else { return recall.notification }
        await attempt("a recalled notification could not be removed from phones") {
            guard let app = try await store.app(.row(recall.notification.app)) else { return }
            try await remove(recall, app: app)
        }
        return recall.notification
    }

    /// Has devices remove what they may show of a notification. Of an announcement to everybody that are all of now, in one
    /// push in place of a hundred lists.
    private func remove(_ recall: Recall, app: App) async throws {
        if case .all = recall.notification.audience {
            _ = try await submitter.submit(Self.removal(of: recall, from: .all, app: app), idempotency: nil)
            return
        }
        // Others may be subscribed to the topic by now, or have a new device: those are told that it was sent to.
        var page = PageRequest(count: PageRequest.limit)
        var devices: [PublicID] = []
        repeat {
            let deliveries = try await store.deliveries(recall.notification.row, page)
            devices += deliveries.items.filter { [.accepted, .pending].contains($0.state) }.compactMap(\.endpoint)
            page.after = deliveries.next
            let isFull = devices.count + PageRequest.limit > Audience.limit
            if !devices.isEmpty, isFull || page.after == nil {
                let removal = Self.removal(of: recall, from: .endpoints(devices), app: app)
                _ = try await submitter.submit(removal, idempotency: nil)
                devices = []
            }
        } while page.after != nil
    }

    private func attempt(_ trouble: String, _ body: () async throws -> Void) async {
        do { try await body() } catch { logger.warning("\(trouble)", metadata: ["error": "\(error)"]) }
    }

    /// The SDK removes what is shown of a notification, and of those whose item its item replaced. Where icons show the
    /// number of the inbox, which is another one now, it is told too; otherwise that is a push in the background.
    private static func removal(of recall: Recall, from audience: Audience, app: App) -> Submission {
        let id = recall.notification.id
        let badge = recall.badge ?? (app.settings.hasBadgeSync ? .unread : nil)
        return Submission(
            app: app,
            audience: audience,
            content: Content(removing: [id] + recall.replaced),
            inboxBadge: badge,
            pushType: badge == nil ? "background" : nil,
            priority: .normal,
            collapse: .id("martlet.remove.\(id)")
        )
    }
}
