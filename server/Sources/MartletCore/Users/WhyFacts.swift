public import MartletWire

/// What the store knows of a notification and a person, from which ``WhyReport`` says what became of it.
public struct WhyFacts: Sendable, Hashable {
    /// The notification.
    public var notification: Notification
    /// The customer's own id for the person.
    public var user: String
    /// Whether anything is stored of them; nothing is of who was erased, or never known.
    public var isKnown = true
    /// Its category, with the defaults that held when it was published.
    public var category: Category?
    /// What the person had chosen when it was published.
    public var choice = PersonChoice()
    /// Whether it is not kept any more when that was, so that the choice is today's.
    public var isChoiceOfToday = false
    /// Whether an audience of devices names one that is the person's today.
    public var hasNamedDevice = false
    /// Whether it leaves items in inboxes.
    public var leavesItem = false
    /// The item, whoever has it.
    public var item: Item?
    /// What of it the person finds in their inbox.
    public var found: InboxItem?
    /// Who holds its dedup key for the person today; `nil` is nobody, or one that is forgotten.
    public var holder: PublicID?
    /// What was recorded of each of their devices, and without one of the person.
    public var lines: [DeliveryReport] = []

    package init(notification: Notification, user: String) {
        self.notification = notification
        self.user = user
    }

    /// A notification's item.
    public struct Item: Sendable, Hashable {
        /// Whether all users of then have it, this one among them; `nil` where it is not for all of them.
        public var isForUser: Bool?
        /// When it was taken out of all inboxes.
        public var recalledAt: Timestamp?
        /// When it leaves them.
        public var expiresAt: Timestamp

        package init(isForUser: Bool? = nil, recalledAt: Timestamp? = nil, expiresAt: Timestamp) {
            self.isForUser = isForUser
            self.recalledAt = recalledAt
            self.expiresAt = expiresAt
        }
    }

    /// The lines of the person's devices.
    public var devices: [DeliveryReport] { lines.filter { $0.endpointRow != nil } }

    /// The first line that says so.
    func line(_ reason: Suppression.Reason) -> DeliveryReport? {
        lines.first { $0.state == .suppressed && $0.reason == reason.rawValue }
    }
}
