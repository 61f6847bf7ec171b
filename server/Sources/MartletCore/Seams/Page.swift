/// Which part of a list is asked for.
public struct PageRequest: Sendable, Hashable {
    /// The key after which to go on, as the last page's ``Page/next`` gave it; `nil` begins.
    public var after: Int64?
    /// How many at most, 1 to ``limit``.
    public var count: Int

    /// The most that one page holds.
    public static let limit = 1_000

    /// A request; the count is brought between 1 and ``limit``.
    public init(after: Int64? = nil, count: Int = 100) {
        self.after = after
        self.count = min(max(count, 1), PageRequest.limit)
    }
}

/// A part of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The items, in the list's order.
    public var items: [Item]
    /// The key to go on after; `nil` when this was the last page.
    public var next: Int64?

    package init(items: [Item], next: Int64?) {
        self.items = items
        self.next = next
    }

    /// The only page of a selection of one thing.
    package init(one item: Item?) {
        self.init(items: item.map { [$0] } ?? [], next: nil)
    }

    /// A page of what `transform` makes of the items, without those of which it makes nothing.
    public func compactMap<Other>(_ transform: (Item) throws -> Other?) rethrows -> Page<Other> {
        Page<Other>(items: try items.compactMap(transform), next: next)
    }
}
