import Foundation

/// Where events go: how a batch is put into a request, and what the answer says of each event.
package protocol EventDestination: Sendable {
    /// What the destination is called in the log.
    var name: String { get }
    /// The most events and bytes of one request.
    var limits: BatchLimits { get }
    /// Whether a request can be made now; until then nothing is tried.
    func isReady() -> Bool
    /// The request for a batch; `nil` when none can be made.
    func call(for events: [PushEvent]) -> HTTPCall?
    /// What an answer with a status of 200 to 299 says, by position; `nil` when it is no answer to a batch of that size.
    func receipts(_ answer: HTTPAnswer, count: Int) -> [ReceiptVerdict]?
}

/// The result of one event.
package enum ReceiptVerdict: Sendable, Equatable {
    /// It is kept.
    case kept
    /// It will never be; the text is the server's name for it.
    case refused(String)
    /// Not now.
    case later
}

/// How large one request may be.
package struct BatchLimits: Sendable, Equatable {
    /// The most events.
    package var events: Int
    /// The most bytes together, before they are packed.
    package var bytes: Int

    /// Limits from their parts.
    package init(events: Int, bytes: Int) {
        self.events = events
        self.bytes = bytes
    }

    /// As many of the oldest events as one request takes; never none.
    package func batch(_ events: [PushEvent]) -> [PushEvent] {
        var room = bytes
        var batch: [PushEvent] = []
        for event in events.prefix(self.events) {
            room -= event.size
            if room < 0, !batch.isEmpty { break }
            batch.append(event)
        }
        return batch
    }
}
