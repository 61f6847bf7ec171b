public import Logging
public import MartletCore
public import MartletStore
import MartletWire

/// Takes items out of all inboxes, and has phones remove what they show of them. What phones are told is best effort; the
/// inbox is changed whatever becomes of it.
public struct InboxService: Sendable {
    private let store: Store
    private let submitter: Submitter
    private let logger: Logger

    /// A service over a store, with what sends.
    public init(store: Store, submitter: Submitter, logger: Logger) {
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

    /// Has the devices remove it that a notification was sent to, and no others: some are registered since, subscribed to its
    /// topic since, or were left out.
    private func remove(_ recall: Recall, app: App) async throws {
        let badge = recall.toldBadge(in: app)
        var page = PageRequest(count: PageRequest.limit)
        var devices: [InboxBadgeName?: [PublicID]] = [:]
        repeat {
            let deliveries = try await store.deliveries(recall.notification.row, page)
            for delivery in deliveries.items where [.accepted, .pending].contains(delivery.state) {
                guard let endpoint = delivery.endpoint else { continue }
                devices[delivery.hasUser ? badge : nil, default: []].append(endpoint)
            }
            page.after = deliveries.next
            for (told, found) in devices where page.after == nil || found.count + PageRequest.limit > Audience.limit {
                _ = try await submitter.submit(
                    recall.removal(from: found, app: app, telling: told),
                    idempotency: nil
                )
                devices.removeValue(forKey: told)
            }
        } while page.after != nil
    }

    private func attempt(_ warning: String, _ body: () async throws -> Void) async {
        do { try await body() } catch { logger.warning("\(warning)", metadata: ["error": "\(error)"]) }
    }
}
