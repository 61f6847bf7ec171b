package import Foundation

/// Events that wait for the uploader, oldest first. They are looked at, sent, and only then taken away.
///
/// Calls are synchronous and may come from any thread.
package protocol EventStore: Sendable {
    /// Adds events behind the others. One that waits already, by its id, is not added again.
    ///
    /// At the bound the oldest are dropped and counted.
    func append(contentsOf events: [PushEvent])
    /// The oldest events, in order, at most as many as given. They stay.
    func peek(_ limit: Int) -> [PushEvent]
    /// Takes away events that are settled. Ids that are not there are passed over.
    func acknowledge(_ ids: Set<UUID>)
    /// Takes everything away, uncounted: the person does not want it sent.
    func removeAll()
    /// Takes everything away with the counts of what was lost: the install is another one.
    func forget()
    /// How much waits, and what was lost on the way.
    var tally: EventTally { get }
}

extension EventStore {
    /// Adds an event behind the others.
    package func append(_ event: PushEvent) { append(contentsOf: [event]) }
}

/// How much waits in a store, and what was lost on the way since the install.
package struct EventTally: Sendable, Equatable {
    /// Events that wait.
    package var waiting = 0
    /// Events that were dropped unsent because newer ones needed the room.
    package var dropped = 0
    /// Stored events that could not be read again.
    package var damaged = 0

    /// Nothing anywhere.
    package init(waiting: Int = 0, dropped: Int = 0, damaged: Int = 0) {
        self.waiting = waiting
        self.dropped = dropped
        self.damaged = damaged
    }
}
