import Foundation
import Logging
import MartletCore
import MartletStore
import MartletWire
import NIOCore
import Synchronization

/// Tells every open stream of changes: one look into the store a second for all of them, and no task for each.
///
/// A change of a few people is told at once. Where many of an app changed in the same look, it was an announcement: it is
/// told over nine seconds, so that not all phones read again in the same moment.
public final class InboxStreamHub: Sendable {
    private struct Person {
        var streams: [InboxStream] = []
        /// What its streams were told, or are about to be told, last.
        var revision: Int64
        /// What is told when it is due.
        var pending: (change: InboxChange, due: Timestamp)?
    }

    private struct State {
        var people: [InboxOwner: Person] = [:]
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let store: Store
    private let clock: any WallClock
    private let logger: Logger

    /// How many streams a process has at most, and a user: a phone has one, and an old one ends within the interval of
    /// comments.
    static let (most, personLimit) = (10_000, 4)
    /// How many it has here: half of the connections, so that requests have the others.
    let limit: Int
    /// How long a stream lasts at most: a load balancer's usual bound, and no token is believed for longer.
    static let lifetime: Duration = .seconds(3600)
    /// How many people a look asks for at once: what is read of all whom an announcement reaches would be several megabytes.
    private static let part = 1_000
    /// Between two looks, and so between two events of a stream.
    static let interval: Duration = .seconds(1)
    /// From how many people of an app on a change is an announcement. Ours: so many phones may read again at once.
    static let crowd = 200
    /// Over how long an announcement is told: with a look a second before and after, the last is told within eleven.
    static let spread: Duration = .seconds(9)

    init(store: Store, clock: any WallClock, connections: Int = 2 * most, logger: Logger) {
        limit = max(1, min(Self.most, connections / 2))
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Looks once a second until it is cancelled; then every stream ends.
    public func run() async {
        while (try? await clock.sleep(for: Self.interval)) != nil { await look() }
        let open = state.withLock { state in
            state.isClosed = true
            return state.people.values.flatMap(\.streams)
        }
        for stream in open { stream.finish() }
    }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - revision: what its client knows.
    ///   - until: when the user's token ends.
    ///   - cut: closes the connection under a response that cannot be written.
    /// - Throws: `Failure` with ``ErrorCode/overloaded``.
    func open(
        _ owner: InboxOwner,
        revision: Int64,
        until: Timestamp,
        cut: @escaping @Sendable () -> Void
    ) throws(Failure) -> InboxStreamLease {
        let now = clock.now()
        let stream = InboxStream(owner: owner, now: now, end: min(until, now + Self.lifetime), cut: cut) {
            [weak self] in
            self?.remove($0)
        }
        let refusal = state.withLock { state -> Failure? in
            if state.isClosed { return Self.refusal("The server is shutting down.") }
            if state.count >= limit { return Self.refusal("The server has \(limit) open streams.") }
            var person = state.people[owner] ?? Person(revision: revision)
            if person.streams.count >= Self.personLimit {
                return Self.refusal("The user has \(Self.personLimit) open streams.")
            }
            person.streams.append(stream)
            // The earlier of both: what the newest was told already is told to it again, and nothing is missed.
            person.revision = min(person.revision, revision)
            state.people[owner] = person
            state.count += 1
            return nil
        }
        if let refusal { throw refusal }
        return InboxStreamLease(stream)
    }

    /// How many streams are open.
    var count: Int { state.withLock(\.count) }

    private static func refusal(_ message: String) -> Failure {
        var failure = Failure(.overloaded, message, hint: "Ask GET /api/v1/inbox/counts meanwhile.")
        failure.retryAfter = .seconds(15)
        return failure
    }

    private func remove(_ stream: InboxStream) {
        state.withLock { state in
            guard var person = state.people[stream.owner],
                let index = person.streams.firstIndex(where: { $0 === stream })
            else { return }
            person.streams.remove(at: index)
            state.people[stream.owner] = person.streams.isEmpty ? nil : person
            state.count -= 1
        }
    }

    // MARK: One look

    /// Asks for what changed and tells what is due.
    func look() async {
        let known = state.withLock { $0.people.map { ($0.key, $0.value.revision) } }
        if !known.isEmpty {
            do {
                var changes: [InboxOwner: InboxChange] = [:]
                for start in stride(from: 0, to: known.count, by: Self.part) {
                    let part = known[start..<min(start + Self.part, known.count)]
                    let found = try await store.inboxChanges(since: Dictionary(uniqueKeysWithValues: part))
                    changes.merge(found) { $1 }
                }
                note(changes, at: clock.now())
            } catch {
                logger.warning("changes of inboxes could not be read", metadata: ["error": "\(error)"])
            }
        }
        tell(at: clock.now())
    }

    func note(_ changes: [InboxOwner: InboxChange], at now: Timestamp) {
        guard !changes.isEmpty else { return }
        let counts = changes.keys.reduce(into: [RowID<App>: Int]()) { $0[$1.app, default: 0] += 1 }
        state.withLock { state in
            for (owner, change) in changes {
                guard var person = state.people[owner], change.revision != person.revision else { continue }
                let isAnnouncement = counts[owner.app, default: 0] >= Self.crowd
                let due = isAnnouncement ? now + owner.delay(within: Self.spread) : now
                person.revision = change.revision
                person.pending =
                    person.pending.map { (change.merged(over: $0.change), min($0.due, due)) } ?? (change, due)
                state.people[owner] = person
            }
        }
    }

    func tell(at now: Timestamp) {
        let (open, events) = state.withLock { state in
            var events: [(streams: [InboxStream], change: InboxChange)] = []
            for (owner, person) in state.people {
                guard let pending = person.pending, pending.due <= now else { continue }
                events.append((person.streams, pending.change))
                state.people[owner]?.pending = nil
            }
            return (state.people.values.flatMap(\.streams), events)
        }
        for event in events {
            let text = event.change.event("changed")
            for stream in event.streams { stream.post(text, at: now) }
        }
        for stream in open { stream.tick(at: now) }
    }
}

extension InboxOwner {
    /// The same for the same user at every time: when within a span they are told of an announcement.
    func delay(within span: Duration) -> Duration {
        // FNV-1a: even enough for this, and the same in every process.
        let hash = user.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return .milliseconds(Int64(hash % UInt64(max(1, span.milliseconds))))
    }
}

extension InboxChange {
    /// The most ids of an event.
    static let idLimit = 20

    /// One event of both: the newer counts, and the newest ids of both.
    func merged(over older: InboxChange) -> InboxChange {
        var merged = self
        merged.ids += older.ids.filter { !ids.contains($0) }
        merged.ids = Array(merged.ids.prefix(Self.idLimit))
        return merged
    }

    /// The event as it goes over the wire (HTML Living Standard, "Server-sent events").
    func event(_ name: String) -> ByteBuffer {
        // Numbers and ids: there is nothing in it that JSON has not.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return ByteBuffer(string: "event: \(name)\nid: \(revision)\ndata: \(json)\n\n")
    }
}
