/// A message that FCM took for a phone.
struct FCMMessage: Sendable {
    /// `projects/{project}/messages/{id}`
    var name: String
    /// Milliseconds since 1970.
    var time: Int64
    /// As it was sent, with its target.
    var content: JSONTree

    var collapseKey: String? { content["android"]?["collapse_key"]?.text }

    /// Milliseconds for which it is kept: `android.ttl`, else four weeks.
    var life: Int64 {
        let seconds = content["android"]?["ttl"]?.text.flatMap(FCMDuration.init)?.seconds ?? MessageRules.longestLife
        return Int64(seconds * 1_000)
    }
}

/// The messages that wait for one phone (Google, "About FCM messages", collapsible messages and lifetime).
struct FCMMailbox: WaitingMessages {
    /// Messages without a collapse key that wait at most; one more and all of them are dropped.
    static let limit = 100
    /// Collapse keys that a phone's messages can have at a time.
    static let keyLimit = 4

    struct Item: Sendable {
        var seq: Int
        var message: FCMMessage
        var expires: Int64
    }

    private(set) var items: [Item] = []
    /// Times that all messages were dropped, which Android tells the app as `onDeletedMessages`.
    private(set) var overflows = 0
    private var lastSeq = 0
    private var lastSeen: Int64?

    mutating func put(_ message: FCMMessage, now: Int64, isRead: Bool) {
        let isOn = isRead || lastSeen.map { now - $0 <= DeviceMailbox.presence } ?? false
        if message.life == 0, !isOn { return }
        if let key = message.collapseKey {
            items.removeAll { $0.message.collapseKey == key }
            let keys = Set(items.compactMap(\.message.collapseKey))
            if keys.count >= Self.keyLimit, let oldest = items.firstIndex(where: { $0.message.collapseKey != nil }) {
                items.remove(at: oldest)
            }
        } else if items.count(where: { $0.message.collapseKey == nil }) >= Self.limit {
            items.removeAll { $0.message.collapseKey == nil }
            overflows += 1
        }
        lastSeq += 1
        let life = message.life == 0 ? DeviceMailbox.presence : message.life
        items.append(Item(seq: lastSeq, message: message, expires: now + life))
    }

    mutating func take(after: Int, limit: Int, now: Int64) -> [Item] {
        lastSeen = now
        items.removeAll { $0.seq <= after || $0.expires <= now }
        return Array(items.prefix(limit))
    }

    mutating func removeAll() {
        items = []
    }
}
