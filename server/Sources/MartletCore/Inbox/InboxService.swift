public import Logging
package import MartletWire

/// Changes inboxes, and has the phones follow: the number on the icon after a read, what is shown after a recall. What the
/// phones are told is best effort; the inbox is changed whatever becomes of it.
public struct InboxService: Sendable {
    private let store: any Store
    private let submitter: Submitter
    private let logger: Logger

    /// How far apart a person's devices are told the number: half a minute, so that reading a list costs one push.
    public static let badgeInterval: Duration = .seconds(30)

    /// For how long the number is worth telling. Ours: later the next notification tells it.
    private static let badgeLifetime: Duration = .seconds(3_600)

    /// How many notifications one push removes: ours. As many ids fit twice into the 4 KB of a payload.
    private static let removalLimit = 50

    /// A service over a store, with what sends.
    public init(store: any Store, submitter: Submitter, logger: Logger) {
        self.store = store
        self.submitter = submitter
        self.logger = logger
    }

    /// Does something with a person's items; where that changes how many are unread, and the app asks for it, tells their
    /// devices the number.
    ///
    /// - Throws: as ``InboxStore/markInbox(_:of:)`` does.
    public func mark(_ mark: InboxMark, of owner: InboxOwner) async throws -> InboxCounts {
        let counts = try await store.markInbox(mark, of: owner)
        if mark.changesUnread {
            await attempt("a badge could not be sent") {
                guard let moment = try await store.beginBadgeSync(of: owner),
                    let app = try await store.app(.row(owner.app))
                else { return }
                let badge = Self.badge(of: owner.user, app: app, at: moment, removing: mark.itemsRead)
                _ = try await submitter.submit(badge, idempotency: nil)
            }
        }
        return counts
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

    /// A push of nothing but the number that a person's inbox has when it is sent. Where it wakes the app, the SDK removes
    /// what is shown of the items that were read.
    package static func badge(
        of user: String,
        app: App,
        at moment: Timestamp,
        removing read: [PublicID] = []
    ) -> Submission {
        Submission(
            app: app,
            audience: .users([user]),
            content: read.isEmpty ? Content() : removal(of: read.prefix(removalLimit)),
            inboxBadge: .unread,
            priority: .normal,
            collapse: .id("martlet.badge"),
            sendAt: moment,
            expiry: .at(moment + badgeLifetime)
        )
    }

    /// A push in the background: the SDK removes what is shown of a notification.
    private static func removal(of notification: Notification, from audience: Audience, app: App) -> Submission {
        let id = notification.id.description
        return Submission(
            app: app,
            audience: audience,
            content: removal(of: [notification.id]),
            pushType: "background",
            priority: .normal,
            collapse: .id("martlet.remove.\(id)")
        )
    }

    private static func removal(of notifications: some Sequence<PublicID>) -> Content {
        Content(
            data: ["martlet": .object(["remove": .array(notifications.map { .string($0.description) })])],
            overrides: [.apns: .object(["aps": .object(["content-available": .integer(1)])])]
        )
    }
}

extension InboxMark {
    /// The items that nobody needs to be shown any more, where the mark names them.
    fileprivate var itemsRead: [PublicID] {
        if case .items(let ids, let action) = self, action.withdraws { ids } else { [] }
    }

    /// Whether other items may be unread afterwards.
    fileprivate var changesUnread: Bool {
        switch self {
        case .items(_, let action), .all(_, let action, _): action != .see && action != .unarchive
        }
    }
}
