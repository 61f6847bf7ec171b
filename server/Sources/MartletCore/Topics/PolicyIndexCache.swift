import MartletFilter
import Synchronization

/// The filter policies of the topics that are published to, compiled and indexed, so that a message to a topic with
/// thousands of policies does not try each.
///
/// A policy never changes under its row, and rows grow: what is missing are the rows after the last one that is here.
/// One that the store has dropped does no harm, because no subscription refers to it any more; when most of an index
/// are such, it is made anew. Nothing is compiled under a lock, and nothing twice for those who ask at the same time.
public final class PolicyIndexCache: Sendable {
    /// One policy of a topic.
    public struct Policy: Sendable {
        /// Its key inside the store, above all keys that were given before.
        public var row: Int64
        /// It.
        public var filter: SubscriptionFilter

        package init(row: Int64, filter: SubscriptionFilter) {
            self.row = row
            self.filter = filter
        }
    }

    /// Which policies a topic has, as one look at the store finds them.
    public struct Extent: Sendable, Hashable {
        /// How many.
        public var count: Int
        /// The row of the last one; 0 for none.
        public var last: Int64

        package init(count: Int, last: Int64) {
            self.count = count
            self.last = last
        }
    }

    /// Reads policies after a row, in their order: at most so many, and fewer only where there are no more. All that are
    /// committed, and none that is not, because a row that is rolled back may be given again.
    public typealias Load = @Sendable (_ after: Int64, _ limit: Int) async throws -> [Policy]

    /// The index of one topic.
    private final class Entry: Sendable {
        struct State {
            var index = FilterIndex<Int64>()
            var last: Int64 = 0
            /// Who brings in what is missing.
            var update: Task<Void, any Error>?
        }

        let state = Mutex(State())
    }

    private struct Kept {
        let entry = Entry()
        var count = 0
        var usedAt: UInt64 = 0
    }

    private struct State {
        var topics: [RowID<Topic>: Kept] = [:]
        var uses: UInt64 = 0
        /// The policies of all topics, and one more for each topic, so that those without policies are bounded too.
        var total = 0

        /// A topic's index, where there is one.
        mutating func known(_ topic: RowID<Topic>) -> Entry? {
            uses += 1
            topics[topic]?.usedAt = uses
            return topics[topic]?.entry
        }

        mutating func entry(for topic: RowID<Topic>) -> Entry {
            if let known = known(topic) { return known }
            let kept = Kept(usedAt: uses)
            topics[topic] = kept
            total += 1
            return kept.entry
        }

        mutating func forget(_ topic: RowID<Topic>) {
            guard let kept = topics.removeValue(forKey: topic) else { return }
            total -= kept.count + 1
        }

        /// Remembers a topic's size, and lets go of the topics that were asked for longest ago when there is too much.
        mutating func note(_ count: Int, of topic: RowID<Topic>, limit: Int) {
            guard let known = topics[topic] else { return }
            total += count - known.count
            topics[topic]?.count = count
            guard total > limit else { return }
            for row in topics.sorted(by: { $0.value.usedAt < $1.value.usedAt }).map(\.key) where row != topic {
                // A quarter at a time, so that not every new topic has them sorted.
                guard total > limit - limit / 4 else { return }
                forget(row)
            }
        }
    }

    /// How many dropped policies an index may hold beyond as many as are in force.
    private static let slack = 1_000

    /// How many policies are read and compiled at a time. Ours: some milliseconds of work, after which others have their
    /// turn.
    static let partSize = 500

    private let limit: Int
    private let state = Mutex(State())

    /// A cache of about so many policies of all topics together; those of one topic are kept whole. Ours: several topics
    /// with as many as one may have, so that they do not take each other's place at every message.
    public init(limit: Int = 400_000) { self.limit = limit }

    /// The last policy of a topic that is here; 0 for none.
    public func last(of topic: RowID<Topic>) -> Int64 {
        state.withLock { $0.topics[topic]?.entry }?.state.withLock(\.last) ?? 0
    }

    /// The rows of a topic's policies that a message matches.
    ///
    /// - Returns: `nil` where policies are missing that ``update(_:to:load:)`` brings in.
    public func matches(_ message: TopicMessage, of topic: RowID<Topic>, _ extent: Extent) -> Set<Int64>? {
        guard extent.count > 0 else { return [] }
        let known = state.withLock { $0.known(topic) }?.state.withLock { (index: $0.index, last: $0.last) }
        guard let (index, last) = known else { return nil }
        guard index.count <= 2 * extent.count + Self.slack else {
            state.withLock { $0.forget(topic) }
            return nil
        }
        guard last >= extent.last else { return nil }
        return Set(index.matches(FilterMessage(message, readsBody: index.readsBody)))
    }

    /// Brings in a topic's policies up to the last one of an extent. Of those who ask for it at the same time one does it,
    /// and the others wait for that one.
    ///
    /// - Throws: what `load` throws; what was brought in before stays.
    public func update(_ topic: RowID<Topic>, to extent: Extent, load: @escaping Load) async throws {
        let entry = state.withLock { $0.entry(for: topic) }
        while let update = Self.update(of: entry, to: extent.last, load) { try await update.value }
        let count = entry.state.withLock(\.index.count)
        state.withLock { $0.note(count, of: topic, limit: limit) }
    }

    /// The update to wait for; `nil` when nothing is missing. One that somebody else began may not come so far.
    private static func update(of entry: Entry, to last: Int64, _ load: @escaping Load) -> Task<Void, any Error>? {
        entry.state.withLock { state in
            if state.last >= last { return nil }
            if let update = state.update { return update }
            let update = Task {
                defer { entry.state.withLock { $0.update = nil } }
                try await bringIn(entry, to: last, load)
            }
            state.update = update
            return update
        }
    }

    private static func bringIn(_ entry: Entry, to last: Int64, _ load: Load) async throws {
        while true {
            let part = try await load(entry.state.withLock(\.last), partSize)
            // One that an earlier version took and this one does not matches nothing.
            let compiled = part.map { (row: $0.row, policy: try? FilterPolicy($0.filter.text, scope: $0.filter.scope)) }
            let isLast = part.count < partSize
            entry.state.withLock { state in
                for (row, policy) in compiled {
                    if let policy { state.index.insert(policy, for: row) }
                    state.last = row
                }
                // What is missing up to there was dropped: its row never comes back.
                if isLast { state.last = max(state.last, last) }
            }
            if isLast { return }
        }
    }
}

extension FilterMessage {
    /// What the matcher reads of a message.
    package init(_ message: TopicMessage, readsBody: Bool) {
        let attributes = message.attributes.map { name, attribute in
            FilterAttribute(name: name, dataType: attribute.type, value: attribute.value)
        }
        self.init(attributes: attributes, body: readsBody ? message.body.map { Array($0.utf8) } : nil)
    }
}
