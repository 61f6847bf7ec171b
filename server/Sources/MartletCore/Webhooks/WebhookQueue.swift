/// A host with its port: what waits for it comes in one queue, and has its turns. A pure value.
package struct WebhookQueue: Sendable, Hashable, Comparable {
    /// Its place among those whose turn comes at the same moment: the less, the longer it has waited.
    package let place: Int64
    /// Host and port.
    package let name: String
    /// Whether it did not answer when it was called last.
    package let isSilent: Bool
    /// When its turn came.
    package let turn: Timestamp

    package init(place: Int64, name: String, isSilent: Bool, turn: Timestamp) {
        self.place = place
        self.name = name
        self.isSilent = isSilent
        self.turn = turn
    }

    /// Whose permits its calls take.
    package var permitHolder: String { WebhookDelivery.permitHolder(name, isSilent: isSilent) }

    /// Those that wait longest come first.
    package static func < (one: WebhookQueue, other: WebhookQueue) -> Bool {
        (one.turn, one.place) < (other.turn, other.place)
    }

    /// How many deliveries may be leased: of a host that did not answer one at a time.
    package func limit(_ permits: Permits<String>, isCalled: @autoclosure () throws -> Bool) rethrows -> Int {
        let free = permits.free(in: permitHolder)
        guard isSilent, free > 0 else { return free }
        return try isCalled() ? 0 : 1
    }

    /// What follows a turn, from when the queue's first delivery is due: when the next one comes, unless the host rests
    /// until later, or since when nothing waits.
    package static func afterTurn(nextDue: Timestamp?, now: Timestamp) -> (turn: Timestamp?, idleSince: Timestamp?) {
        (nextDue.map { max($0, now) }, nextDue == nil ? now : nil)
    }
}

extension WebhookHost {
    /// When the turn of the host's queue comes, from when its first delivery is due.
    package func turn(nextDue: Timestamp) -> Timestamp { max(nextDue, restUntil) }
}
