/// A message that a push service took for a browser (RFC 8030 sections 5.2 and 5.4).
struct WebPushMessage: WaitingMessage {
    static let waitingLimit = 200

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

    var collapseKey: String? { topic }

    func life(at now: Int64) -> MessageLife {
        timeToLive == 0 ? .once : .until(now + Int64(timeToLive) * 1_000)
    }
}

/// The messages that wait for one subscription's browser.
typealias WebPushMailbox = Mailbox<WebPushMessage>
