/// Intervals of integers, and which of them hold a given one, without looking at all.
///
/// They stand in the order of their lower ends, under a tree of the highest upper ends. New ones wait unsorted until
/// they are a sixteenth of all, so that adding costs little.
struct IntervalIndex: Sendable {
    /// From one integer to another, both included, and whose it is.
    private struct Interval: Sendable, Equatable {
        var low: Int64
        var high: Int64
        var owner: Int32
    }

    private var sorted: [Interval] = []
    private var waiting: [Interval] = []
    /// The highest upper end beneath each node of a complete binary tree; the leaves begin at `leaves`.
    private var highest: [Int64] = []
    private var leaves = 0
    /// How many of the sorted ones are taken out: they keep their place, without an owner.
    private var gone = 0

    var isEmpty: Bool { sorted.count == gone && waiting.isEmpty }

    mutating func insert(_ low: Int64, _ high: Int64, owner: Int32) {
        waiting.append(Interval(low: low, high: high, owner: owner))
        // Never fewer than a few, so that a small index is not sorted each time.
        guard waiting.count > max(32, sorted.count / 16) else { return }
        build()
    }

    mutating func remove(_ low: Int64, _ high: Int64, owner: Int32) {
        let interval = Interval(low: low, high: high, owner: owner)
        if let index = waiting.firstIndex(of: interval) {
            waiting.swapAt(index, waiting.count - 1)
            waiting.removeLast()
        } else if let index = sorted[firstIndex(notBelow: low)...].firstIndex(of: interval) {
            sorted[index].owner = -1
            sorted[index].high = .min
            gone += 1
            if gone > sorted.count / 2 { build() } else { lower(index) }
        }
    }

    /// Calls with the owner of every interval that holds a value.
    func visit(_ value: Int64, _ body: (Int32) -> Void) {
        for interval in waiting where interval.low <= value && value <= interval.high { body(interval.owner) }
        guard !sorted.isEmpty else { return }
        let end = value == .max ? sorted.count : firstIndex(notBelow: value + 1)
        visit(1, 0..<leaves, end, value, body)
    }

    /// The recursion is as deep as the tree, which is the logarithm of the number of intervals.
    private func visit(_ node: Int, _ range: Range<Int>, _ end: Int, _ value: Int64, _ body: (Int32) -> Void) {
        guard range.lowerBound < end, highest[node] >= value else { return }
        if node >= leaves {
            let owner = sorted[node - leaves].owner
            if owner >= 0 { body(owner) }
            return
        }
        let middle = (range.lowerBound + range.upperBound) / 2
        visit(2 * node, range.lowerBound..<middle, end, value, body)
        visit(2 * node + 1, middle..<range.upperBound, end, value, body)
    }

    private func firstIndex(notBelow low: Int64) -> Int {
        var range = 0..<sorted.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if sorted[middle].low < low {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private mutating func build() {
        sorted.removeAll { $0.owner < 0 }
        sorted += waiting
        sorted.sort { ($0.low, $0.high) < ($1.low, $1.high) }
        waiting.removeAll()
        gone = 0
        leaves = 1
        while leaves < sorted.count { leaves *= 2 }
        highest = [Int64](repeating: .min, count: 2 * leaves)
        for (index, interval) in sorted.enumerated() { highest[leaves + index] = interval.high }
        for node in stride(from: leaves - 1, to: 0, by: -1) {
            highest[node] = max(highest[2 * node], highest[2 * node + 1])
        }
    }

    /// Brings the tree up to date above one leaf.
    private mutating func lower(_ index: Int) {
        var node = leaves + index
        highest[node] = .min
        while node > 1 {
            node /= 2
            highest[node] = max(highest[2 * node], highest[2 * node + 1])
        }
    }
}
