/// A message that a push service took for a browser.
struct WebPushMessage: Sendable {
    let id: String
    /// Milliseconds since 1970.
    let time: Int64
    /// Seconds.
    let timeToLive: Int
    let urgency: String?
    let topic: String?
    /// As it came: encrypted.
    let body: [UInt8]
    /// What the simulated browser read; `nil` for a real one.
    let opened: Result<[UInt8], DecryptionFailure>?
}

/// The messages that wait for one subscription's browser (RFC 8030 sections 5.2 and 5.4).
struct WebPushMailbox: WaitingMessages {
    /// Messages that wait at most; the oldest is dropped first.
    static let limit = 200

    struct Item: Sendable {
        var seq: Int
        var message: WebPushMessage
        var expires: Int64
    }

    private(set) var items: [Item] = []
    private var lastSeq = 0
    private var lastSeen: Int64?

    mutating func put(_ message: WebPushMessage, now: Int64, isRead: Bool) {
        let isOn = isRead || lastSeen.map { now - $0 <= DeviceMailbox.presence } ?? false
        if message.timeToLive == 0, !isOn { return }
        if let topic = message.topic { items.removeAll { $0.message.topic == topic } }
        lastSeq += 1
        let life = message.timeToLive == 0 ? DeviceMailbox.presence : Int64(message.timeToLive) * 1_000
        items.append(Item(seq: lastSeq, message: message, expires: now + life))
        if items.count > Self.limit { items.removeFirst() }
    }

    mutating func take(after: Int, limit: Int, now: Int64) -> [Item] {
        lastSeen = now
        items.removeAll { $0.seq <= after || $0.expires <= now }
        return Array(items.prefix(limit))
    }

    /// The browser has the message, or cannot use it.
    mutating func remove(id: String) {
        items.removeAll { $0.message.id == id }
    }

    mutating func removeAll() {
        items = []
    }
}
