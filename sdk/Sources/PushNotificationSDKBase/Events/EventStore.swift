package import Foundation

/// Events that wait for the uploader, in a ``KeyValueStore``: at most 1,000, first in first out. They are looked at, sent,
/// and only then taken away.
///
/// Calls are synchronous and may come from any thread.
///
/// They are read once, when they are first needed. While the storage cannot be read (a push before the first unlock)
/// they wait in memory and are written when it can be.
package final class EventStore: Sendable {
    /// The bound that the event queue of seed S4 is specified with.
    package static let bound = 1000

    private struct State {
        /// Those that hold events, in order; `nil` until the storage has been read.
        var segments: [EventSegment]?
        var ids: Set<UUID> = []
        /// What could not be written yet.
        var unwritten: [PushEvent] = []
        var tally = EventTally()
        /// The dropped ones that the storage knows of.
        var tallied = 0
    }

    private let storage: any KeyValueStore
    private let name: String
    private let bound: Int
    private let destination: (@Sendable () throws(StorageUnreadable) -> String)?
    private let state = Locked(State())

    /// A queue; nothing is read by making one.
    ///
    /// - Parameters:
    ///   - name: what its keys begin with; two queues in one storage need two names.
    ///   - bound: the most events that wait.
    ///   - destination: where they go, and from which install. What waits for another one, or from another one, is thrown
    ///     away when the queue is first read.
    package init(
        _ storage: any KeyValueStore,
        name: String = "martlet.events",
        bound: Int = EventStore.bound,
        destination: (@Sendable () throws(StorageUnreadable) -> String)? = nil
    ) {
        self.storage = storage
        self.name = name
        self.bound = bound
        self.destination = destination
    }

    /// Adds an event behind the others.
    package func append(_ event: PushEvent) { append(contentsOf: [event]) }

    /// Adds events behind the others. One that waits already, by its id, is not added again.
    ///
    /// At the bound the oldest are dropped and counted.
    package func append(contentsOf events: [PushEvent]) {
        state.with { state in
            load(&state)
            let fresh = events.filter { state.ids.insert($0.id).inserted }
            let new = fresh.suffix(bound)
            state.ids.subtract(fresh.dropLast(new.count).map(\.id))
            drop(max(0, state.ids.count - bound), and: fresh.count - new.count, &state)
            if state.segments == nil { state.unwritten += new } else { write(new, &state) }
        }
    }

    /// The oldest events, in order, at most as many as given. They stay.
    package func peek(_ limit: Int) -> [PushEvent] {
        state.with { state in
            load(&state)
            guard let segments = state.segments else { return Array(state.unwritten.prefix(limit)) }
            return Array(segments.lazy.flatMap(\.events).prefix(limit))
        }
    }

    /// Takes away events that are settled. Ids that are not there are passed over.
    package func acknowledge(_ ids: Set<UUID>) {
        state.with { state in
            load(&state)
            let here = ids.intersection(state.ids)
            guard !here.isEmpty else { return }
            state.ids.subtract(here)
            state.unwritten.removeAll { here.contains($0.id) }
            guard let segments = state.segments else { return }
            state.segments = segments.compactMap { segment in
                guard segment.events.contains(where: { here.contains($0.id) }) else { return segment }
                return shrunk(segment) { here.contains($0.id) }
            }
        }
    }

    /// Takes everything away, uncounted: the person does not want it sent.
    package func removeAll() {
        state.with { state in
            load(&state)
            for segment in state.segments ?? [] { try? storage.remove(key(segment.number)) }
            state.segments = state.segments.map { _ in [] }
            state.ids = []
            state.unwritten = []
        }
    }

    /// Takes everything away with the counts of what was lost: the install is another one.
    package func forget() {
        state.with { state in
            for key in (try? storage.keys(prefix: "\(name).")) ?? [] { try? storage.remove(key) }
            // It is read anew, as a queue of the new install.
            state = State()
        }
    }

    /// How much waits, and what was lost on the way.
    package var tally: EventTally {
        state.with { state in
            load(&state)
            state.tally.waiting = state.ids.count
            return state.tally
        }
    }

    // MARK: - Under the lock

    private func load(_ state: inout State) {
        guard state.segments == nil else { return }
        do throws(StorageUnreadable) {
            try throwAwayOthers()
            var segments: [EventSegment] = []
            var damaged = try count(under: "\(name).damaged")
            let known = damaged
            let dropped = try count(under: "\(name).dropped")
            for number in try storage.keys(prefix: "\(name).s").compactMap(number(of:)).sorted() {
                let bytes = try storage.data(for: key(number))
                if bytes == nil { damaged += 1 }
                segments.append(EventSegment(number: number, bytes: bytes ?? Data(), damaged: &damaged))
            }
            state.segments = segments
            state.tally.damaged = damaged
            state.tallied = dropped
            state.tally.dropped += dropped
            settle(&state, rewriting: damaged > known)
        } catch {
            // It is tried again with the next call.
        }
    }

    private func throwAwayOthers() throws(StorageUnreadable) {
        let key = "\(name).destination"
        guard let destination = try destination?(), try storage.string(for: key) != destination else { return }
        for segment in try storage.keys(prefix: "\(name).s") { try storage.remove(segment) }
        try storage.set(destination, for: key)
    }

    /// After reading: an event that is there twice is kept once, and what waited in memory is written behind the rest.
    private func settle(_ state: inout State, rewriting isDamaged: Bool) {
        var seen: Set<UUID> = []
        state.segments = state.segments?.compactMap { segment in
            let doubled = Set(segment.events.filter { !seen.insert($0.id).inserted }.map(\.id))
            guard isDamaged || !doubled.isEmpty || segment.events.isEmpty else { return segment }
            return shrunk(segment) { doubled.contains($0.id) }
        }
        if isDamaged { store(state.tally.damaged, under: "\(name).damaged") }
        let waiting = state.unwritten.filter { seen.insert($0.id).inserted }
        state.unwritten = []
        state.ids = seen
        write(waiting[...], &state)
        drop(max(0, seen.count - bound), and: 0, &state)
    }

    /// Writes each segment that gets events once.
    private func write(_ events: ArraySlice<PushEvent>, _ state: inout State) {
        var segments = state.segments ?? []
        // The only reference to them is here, so that they are changed in place.
        state.segments = nil
        var rest = events
        while !rest.isEmpty {
            if segments.last?.isFull ?? true {
                segments.append(EventSegment(number: (segments.last?.number ?? 0) + 1))
            }
            let last = segments.count - 1
            while let event = rest.first, !segments[last].isFull {
                segments[last].append(event)
                rest = rest.dropFirst()
            }
            // Storage that could be read once can be written for the life of the process.
            try? storage.set(segments[last].bytes, for: key(segments[last].number))
        }
        state.segments = segments
    }

    /// Drops the oldest events, and counts them together with others that did not get in at all.
    ///
    /// They are counted before they go: after a crash in between some are counted that are still there, and none is
    /// lost uncounted.
    private func drop(_ surplus: Int, and others: Int, _ state: inout State) {
        guard surplus + others > 0 || state.tally.dropped != state.tallied else { return }
        state.tally.dropped += surplus + others
        guard let segments = state.segments else {
            state.ids.subtract(state.unwritten.prefix(surplus).map(\.id))
            return state.unwritten.removeFirst(surplus)
        }
        store(state.tally.dropped, under: "\(name).dropped")
        state.tallied = state.tally.dropped
        let oldest = Set(segments.lazy.flatMap(\.events).prefix(surplus).map(\.id))
        state.ids.subtract(oldest)
        state.segments = segments.compactMap { segment in
            guard let first = segment.events.first, oldest.contains(first.id) else { return segment }
            return shrunk(segment) { oldest.contains($0.id) }
        }
    }

    /// Writes a segment without some events; `nil` when none is left, and its key is gone.
    private func shrunk(_ segment: EventSegment, removing isGone: (PushEvent) -> Bool) -> EventSegment? {
        var segment = segment
        segment.remove(isGone)
        if segment.events.isEmpty {
            try? storage.remove(key(segment.number))
            return nil
        }
        try? storage.set(segment.bytes, for: key(segment.number))
        return segment
    }

    private func key(_ number: Int) -> String { "\(name).s\(number)" }

    private func number(of key: String) -> Int? { Int(key.dropFirst(name.count + 2)) }

    private func count(under key: String) throws(StorageUnreadable) -> Int {
        try storage.string(for: key).flatMap { Int($0) }.map { max(0, $0) } ?? 0
    }

    private func store(_ count: Int, under key: String) {
        try? storage.set(String(count), for: key)
    }
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
