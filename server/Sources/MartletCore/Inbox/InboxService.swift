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

    /// Takes an item out of all inboxes, cancels what has not been sent, and has devices that may show it remove it.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func recall(_ notification: RowID<Notification>) async throws -> Notification {
        let recalled = try await store.recall(notification)
        // What is under way may still arrive.
        guard recalled.counts.accepted + recalled.counts.pending > 0 else { return recalled }
        await attempt("a recalled notification could not be removed from phones") {
            guard let app = try await store.app(.row(recalled.app)) else { return }
            try await remove(recalled, app: app)
        }
        return recalled
    }

    /// Has devices remove what they may show of a notification.
    private func remove(_ recalled: Notification, app: App) async throws {
        guard case .topic = recalled.audience else {
            _ = try await submitter.submit(
                Self.removal(of: recalled, from: recalled.audience, app: app),
                idempotency: nil
            )
            return
        }
        // The topic may be gone, or others be subscribed to it: those are told that it was sent to.
        var page = PageRequest(count: PageRequest.limit)
        var devices: [PublicID] = []
        repeat {
            let deliveries = try await store.deliveries(recalled.row, page)
            devices += deliveries.items.filter { [.accepted, .pending].contains($0.state) }.compactMap(\.endpoint)
            page.after = deliveries.next
            let isFull = devices.count + PageRequest.limit > Audience.limit
            if !devices.isEmpty, isFull || page.after == nil {
                let removal = Self.removal(of: recalled, from: .endpoints(devices), app: app)
                _ = try await submitter.submit(removal, idempotency: nil)
                devices = []
            }
        } while page.after != nil
    }

    private func attempt(_ trouble: String, _ body: () async throws -> Void) async {
        do { try await body() } catch { logger.warning("\(trouble)", metadata: ["error": "\(error)"]) }
    }

    /// A push in the background: the SDK removes what is shown of a notification.
    private static func removal(of notification: Notification, from audience: Audience, app: App) -> Submission {
        let id = notification.id.description
        return Submission(
            app: app,
            audience: audience,
            content: Content(removing: [notification.id]),
            pushType: "background",
            priority: .normal,
            collapse: .id("martlet.remove.\(id)")
        )
    }
}
