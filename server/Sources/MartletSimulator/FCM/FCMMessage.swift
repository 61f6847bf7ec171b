/// A message that FCM took for a phone (Google, "About FCM messages", collapsible messages and lifetime).
struct FCMMessage: WaitingMessage {
    /// Without a collapse key; one more and all of them are dropped.
    static let waitingLimit = 100
    /// Collapse keys that a phone's messages can have at a time.
    static let keyLimit = 4

    /// `projects/{project}/messages/{id}`
    var name: String
    /// Milliseconds since 1970.
    var time: Int64
    /// As it was sent, with its target.
    var content: JSONTree

    var collapseKey: String? { content["android"]?["collapse_key"]?.text }

    /// `android.ttl`, else four weeks.
    func life(at now: Int64) -> MessageLife {
        let seconds = content["android"]?["ttl"]?.text.flatMap(FCMDuration.init)?.seconds ?? MessageRules.longestLife
        let life = Int64(seconds * 1_000)
        return life == 0 ? .once : .until(now + life)
    }

    static func makeRoom(for key: String?, in items: inout [FCMMailbox.Item]) -> Bool {
        if key != nil {
            let keys = Set(items.compactMap(\.collapseKey))
            if keys.count >= keyLimit, let oldest = items.firstIndex(where: { $0.collapseKey != nil }) {
                items.remove(at: oldest)
            }
        } else if items.count(where: { $0.collapseKey == nil }) >= waitingLimit {
            items.removeAll { $0.collapseKey == nil }
            return true
        }
        return false
    }
}

/// The messages that wait for one phone.
typealias FCMMailbox = Mailbox<FCMMessage>
