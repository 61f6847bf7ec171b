public import MartletWire

/// How much of a queue may be leased at once: a number of batches, and of deliveries in them.
public struct BatchCapacity: Sendable, Hashable {
    /// How many batches.
    public var batches: Int
    /// How many deliveries; the last batch may have more than there is capacity for.
    public var deliveries: Int
    /// Of which class alone; `nil` is of any.
    public var only: NotificationClass?

    /// What a batch counts for at least, in deliveries. Ours: a queue has a thousand small ones under way at most, which are
    /// ten thousand a second where the provider answers in 60 ms and a commit takes 20. After two crashes they are leased
    /// one by one (``LeaseAdmission``): a minute or two.
    public static let leastWeight = 8

    /// How many batches are leased at once at most: more would hold the store's writer for longer than a commit of a rented
    /// disk.
    public static let batchLimit = 256

    /// Capacity for so many batches, and for so many deliveries.
    public init(
        batches: Int = BatchCapacity.batchLimit,
        deliveries: Int = .max,
        only: NotificationClass? = nil
    ) {
        self.batches = min(batches, BatchCapacity.batchLimit)
        self.deliveries = deliveries
        self.only = only
    }

    /// Whether there is capacity for a further batch.
    public var isFree: Bool { batches > 0 && deliveries > 0 }

    /// Counts a batch of so many deliveries in.
    public mutating func take(_ members: Int) {
        batches -= 1
        deliveries -= BatchCapacity.weight(of: members)
    }

    /// What a batch of so many deliveries counts for.
    package static func weight(of members: Int) -> Int { max(members, leastWeight) }
}

extension Batch {
    /// Batches in their order, put together as far as they have a full one's members: what their attempts need is read
    /// at once.
    package static func groups(_ batches: [Batch]) -> [[Batch]] {
        var groups: [[Batch]] = []
        var capacity = 0
        for batch in batches {
            if batch.members.count > capacity {
                groups.append([])
                capacity = MemberList.limit
            }
            groups[groups.count - 1].append(batch)
            capacity -= batch.members.count
        }
        return groups
    }
}
