import MartletFilter
import Synchronization

/// The filter policies of the topics that are published to, compiled and indexed, so that a message to a topic with
/// thousands of policies does not try each.
///
/// A policy never changes under its row, and rows grow: what is missing are the rows after the last one that is here.
/// One that the store has dropped does no harm, because no subscription refers to it any more; when most of an index
/// are such, it is made anew.
public final class PolicyIndexCache: Sendable {
    /// One policy of a topic.
    public struct Policy: Sendable {
        /// Its key inside the store, above all keys that were given before.
        public var row: Int64
        /// It.
        public var filter: SubscriptionFilter

        /// A policy from its parts.
        public init(row: Int64, filter: SubscriptionFilter) {
            self.row = row
            self.filter = filter
        }
    }

    /// The index of one topic.
    private final class Entry: Sendable {
        struct State {
            var index = FilterIndex<Int64>()
            var last: Int64 = 0
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

        mutating func entry(for topic: RowID<Topic>) -> Entry {
            var kept = topics[topic] ?? Kept()
            if topics[topic] == nil { total += 1 }
            uses += 1
            kept.usedAt = uses
            topics[topic] = kept
            return kept.entry
        }

        /// Remembers a topic's size, and lets go of the topics that were asked for longest ago when there is too much.
        mutating func note(_ count: Int, of topic: RowID<Topic>, limit: Int) {
            guard let known = topics[topic] else { return }
            total += count - known.count
            topics[topic]?.count = count
            guard total > limit else { return }
            for (row, kept) in topics.sorted(by: { $0.value.usedAt < $1.value.usedAt }) where row != topic {
                // A quarter at a time, so that not every new topic has them sorted.
                guard total > limit - limit / 4 else { return }
                topics[row] = nil
                total -= kept.count + 1
            }
        }
    }

    /// How many dropped policies an index may hold beyond as many as are in force.
    private static let slack = 1_000

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
    /// - Parameters:
    ///   - count: how many policies the topic has.
    ///   - load: reads those after a row, in their order. All that are committed, and none that is not, because a row
    ///     that is rolled back may be given again.
    public func matches(
        _ message: TopicMessage,
        of topic: RowID<Topic>,
        count: Int,
        load: (_ after: Int64) throws -> [Policy]
    ) rethrows -> Set<Int64> {
        let entry = state.withLock { $0.entry(for: topic) }
        let (matched, held) = try entry.state.withLock { state in
            if state.index.count > 2 * count + Self.slack { state = Entry.State() }
            for policy in try load(state.last) where policy.row > state.last {
                state.last = policy.row
                // One that an earlier version took and this one does not matches nothing.
                guard let compiled = try? FilterPolicy(policy.filter.text, scope: policy.filter.scope) else { continue }
                state.index.insert(compiled, for: policy.row)
            }
            let read = FilterMessage(message, readsBody: state.index.readsBody)
            return (Set(state.index.matches(read)), state.index.count)
        }
        state.withLock { $0.note(held, of: topic, limit: limit) }
        return matched
    }
}

extension FilterMessage {
    /// What the matcher reads of a message.
    init(_ message: TopicMessage, readsBody: Bool) {
        let attributes = message.attributes.map { name, attribute in
            FilterAttribute(name: name, dataType: attribute.type, value: attribute.value)
        }
        self.init(attributes: attributes, body: readsBody ? message.body.map { Array($0.utf8) } : nil)
    }
}
