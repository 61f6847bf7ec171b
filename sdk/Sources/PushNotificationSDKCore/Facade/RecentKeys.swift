/// The newest keys that were seen, bounded: the oldest are forgotten first.
struct RecentKeys: Sendable {
    private var order: [String] = []
    private var known: Set<String> = []
    private let bound: Int

    /// No keys.
    ///
    /// - Parameter bound: the most keys that are remembered; 256 is ours, more than a notification center shows.
    init(bound: Int = 256) { self.bound = bound }

    /// Remembers a key.
    ///
    /// - Returns: whether it was not known.
    mutating func insert(_ key: String) -> Bool {
        guard known.insert(key).inserted else { return false }
        order.append(key)
        if order.count > bound { known.remove(order.removeFirst()) }
        return true
    }
}
