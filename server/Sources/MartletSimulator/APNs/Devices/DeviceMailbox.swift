/// The pushes that wait for one phone.
struct DeviceMailbox: WaitingMessages {
    /// Pushes that wait at most; the oldest is dropped first. Apple keeps fewer for a phone that is switched off.
    static let limit = 1_000
    /// For how long after its last request a phone counts as switched on: the pause between two requests.
    static let presence: Int64 = 10_000

    /// A push that waits, with what decides how long.
    struct Item {
        var seq: Int
        var push: PackedPush
        var collapseID: String?
        /// `apns-expiration`: milliseconds since 1970; `nil` where the header was absent.
        var expiration: Int64?
    }

    private(set) var items: [Item] = []
    /// Pushes that were dropped because too many waited.
    private(set) var dropped = 0
    private var lastSeq = 0
    private var lastSeen: Int64?

    /// Takes an accepted push in.
    ///
    /// One that waits with the same collapse id is replaced. An expiration of 0 means one try: it is not kept for a
    /// phone that is switched off (Apple, "Sending notification requests to APNs", `apns-expiration`).
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - isRead: whether the phone's request is waiting for an answer.
    mutating func put(_ push: PackedPush, now: Int64, isRead: Bool) {
        let expiration = push.header("apns-expiration").flatMap { Int64($0) }
        let isOn = isRead || lastSeen.map { now - $0 <= Self.presence } ?? false
        if expiration == 0, !isOn { return }
        let collapseID = push.header("apns-collapse-id")
        if let collapseID { items.removeAll { $0.collapseID == collapseID } }
        lastSeq += 1
        let until = expiration == 0 ? now + Self.presence : expiration.map { $0 * 1_000 }
        items.append(Item(seq: lastSeq, push: push, collapseID: collapseID, expiration: until))
        if items.count > Self.limit {
            items.removeFirst()
            dropped += 1
        }
    }

    /// The pushes numbered above `after`, the oldest first. Those up to it have been taken and are forgotten.
    mutating func take(after: Int, limit: Int, now: Int64) -> [Item] {
        lastSeen = now
        items.removeAll { $0.seq <= after || $0.expiration.map { $0 <= now } ?? false }
        return Array(items.prefix(limit))
    }

    /// Forgets what waits; numbers go on.
    mutating func removeAll() {
        items = []
    }
}
