public import MartletWire

/// For which reasons somebody who missed a notification is sent it again. A pure value.
public struct ResendReasons: Sendable, Hashable {
    /// Reasons and states by their words; `nil` is those that can have passed.
    private let words: Set<String>?

    /// How many reasons may be named.
    package static let limit = 50

    /// Those that are named, or else those that can have passed.
    ///
    /// - Throws: `Failure` naming the field of a reason that leaves nothing to be sent.
    package init(_ words: [String]?) throws(Failure) {
        guard let words else {
            self.words = nil
            return
        }
        guard (1...Self.limit).contains(words.count) else {
            throw .invalid(
                "reasons",
                "It has 1 to \(Self.limit) reasons.",
                hint: "Leave it out for those that can have passed."
            )
        }
        for (index, word) in words.enumerated() {
            let field = "reasons[\(index)]"
            if word.isEmpty { throw .invalid(field, "It must not be empty.") }
            let state = DeliveryState(rawValue: word)
            guard state != .accepted, state != .pending else {
                throw .invalid(field, "Nobody missed it in this state.", hint: "GET …/missed says who did, and why.")
            }
            guard !Self.hasIt.contains(word) else {
                throw .invalid(field, "Who missed it for this reason has it already.")
            }
        }
        self.words = Set(words)
    }

    /// Whether somebody is sent it again.
    ///
    /// - Parameter isGone: whether the device is disabled or gone by now: what a provider refused for the token's sake has
    ///   passed where the person has another one.
    package func includes(_ state: DeliveryState, reason: String?, isGone: Bool) -> Bool {
        if reason.map(Self.hasIt.contains) ?? false { return false }
        if let words { return words.contains(state.rawValue) || reason.map(words.contains) ?? false }
        return switch state {
        case .expired, .cancelled, .dead: true
        case .rejected: isGone
        case .suppressed: reason.map(Self.passing.contains) ?? false
        case .accepted, .pending: false
        }
    }

    private static func words(_ reasons: Suppression.Reason...) -> Set<String> { Set(reasons.map(\.rawValue)) }

    private static let hasIt = words(.duplicate, .readInInbox, .superseded)
    private static let passing = words(.noEndpoint, .endpointDisabled, .endpointRemoved, .noCredential, .quietHours)
}

/// What is sent again, and to which devices.
public struct ResendTargets: Sendable, Hashable {
    /// The devices, in the order in which they are found.
    public var endpoints: [PublicID] = []
    /// Whether there are more of them than were asked for.
    public var isOver = false
    /// Whether more missed it than were to be looked at.
    public var isPartial = false
    /// Whether the notification was taken back.
    public var isRecalled = false
    /// What the notification was sent as: its messages, the first of each platform.
    public var messages: [Message] = []
    /// What of the inbox the number on the app's icon was.
    public var inboxBadge: InboxBadgeName?

    package init() {}
}

/// A notification that was sent again.
public struct Resent: Sendable, Hashable {
    /// The new notification.
    public var id: PublicID
    /// For how many devices it is.
    public var count: Int
    /// Whether the request had been made before.
    public var isRepeated: Bool

    package init(id: PublicID, count: Int, isRepeated: Bool) {
        self.id = id
        self.count = count
        self.isRepeated = isRepeated
    }
}

extension Notification {
    /// Whether nothing of it waits or is under way any more.
    package var isOver: Bool { (state == .done || state == .cancelled) && counts.pending == 0 }
}

extension Submission {
    /// The same content for other devices, worth as long as it was.
    package init(again notification: Notification, of app: App, _ targets: ResendTargets, now: Timestamp) {
        let apple = targets.messages.first { $0.platform == .apns }?.headers ?? [:]
        self.init(
            app: app,
            audience: .endpoints(targets.endpoints),
            content: notification.content,
            category: notification.category,
            inboxBadge: targets.inboxBadge,
            hasDeliveryID: targets.messages.contains { $0.payload.has(.deliveryID) },
            pushType: apple["apns-push-type"],
            topic: apple["apns-topic"],
            class: notification.class,
            priority: notification.priority,
            collapse: notification.collapseID.map(Collapse.id) ?? .off,
            dedup: Dedup(key: notification.resendKey, cooldown: nil),
            expiry: .at(now + (notification.expiresAt - notification.sendAt)),
            retry: notification.retry
        )
    }
}

extension Notification {
    private static let resendPrefix = "resend:"

    /// What those have been claimed under who got it again: that of the first notification.
    fileprivate var resendKey: String {
        if let key = dedup?.key, key.hasPrefix(Self.resendPrefix) { return key }
        return Self.resendPrefix + id.description
    }
}
