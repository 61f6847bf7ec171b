/// A message that a service took for a phone or browser.
protocol WaitingMessage: Sendable {
    /// Messages that wait at most.
    static var waitingLimit: Int { get }

    /// A newer message with the same one takes this one's place.
    var collapseKey: String? { get }

    /// How long it waits, when it was taken at `now` in milliseconds since 1970.
    func life(at now: Int64) -> MessageLife

    /// Makes room before another message is put in: the oldest is dropped, unless the service does it otherwise.
    ///
    /// - Parameter key: its collapse key; what waited with it is gone already.
    /// - Returns: whether messages were dropped because too many waited.
    static func makeRoom(for key: String?, in items: inout [Mailbox<Self>.Item]) -> Bool
}

extension WaitingMessage {
    static func makeRoom(for key: String?, in items: inout [Mailbox<Self>.Item]) -> Bool {
        guard items.count >= waitingLimit else { return false }
        items.removeFirst()
        return true
    }
}

/// How long a message waits for a phone.
enum MessageLife {
    /// One try: it is not kept for a phone that is switched off.
    case once
    /// Milliseconds since 1970.
    case until(Int64)
    case unlimited
}

/// The messages that wait for one phone or browser.
struct Mailbox<Message: WaitingMessage>: Sendable {
    /// A message that waits, with what decides how long.
    struct Item: Sendable {
        var seq: Int
        var message: Message
        var collapseKey: String?
        /// Milliseconds since 1970; `nil` for one that waits until it is taken.
        var expires: Int64?
    }

    private(set) var items: [Item] = []
    /// Times that messages were dropped because too many waited; Android tells its apps (`onDeletedMessages`).
    private(set) var overflows = 0
    private var lastSeq = 0
    private var lastSeen: Int64?

    static var limit: Int { Message.waitingLimit }

    /// For how long after its last request a phone counts as switched on: the pause between two requests.
    static var presence: Int64 { 10_000 }

    /// Takes an accepted message in. One that waits with the same collapse key is replaced.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - isRead: whether the phone's request is waiting for an answer.
    mutating func put(_ message: Message, now: Int64, isRead: Bool) {
        let expires: Int64?
        switch message.life(at: now) {
        case .once:
            guard isRead || lastSeen.map({ now - $0 <= Self.presence }) ?? false else { return }
            expires = now + Self.presence
        case .until(let time): expires = time
        case .unlimited: expires = nil
        }
        let key = message.collapseKey
        if let key { items.removeAll { $0.collapseKey == key } }
        if Message.makeRoom(for: key, in: &items) { overflows += 1 }
        lastSeq += 1
        items.append(Item(seq: lastSeq, message: message, collapseKey: key, expires: expires))
    }

    /// The messages numbered above `after`, the oldest first. Those up to it have been taken and are forgotten.
    mutating func take(after: Int, limit: Int, now: Int64) -> [Item] {
        lastSeen = now
        items.removeAll { $0.seq <= after || $0.expires.map { $0 <= now } ?? false }
        return Array(items.prefix(limit))
    }

    mutating func removeAll(where isGone: (Message) -> Bool) {
        items.removeAll { isGone($0.message) }
    }

    /// Forgets what waits; numbers go on.
    mutating func removeAll() {
        items = []
    }
}
