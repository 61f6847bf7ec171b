/// A set of the minutes of a week by the clocks of a city, from Monday 00:00.
package struct WeekMinutes: Sendable, Hashable {
    package static let count = 7 * 24 * 60
    private static let words = (count + 63) / 64

    private var bits: [UInt64]

    package init() { bits = [UInt64](repeating: 0, count: Self.words) }

    package static let all: WeekMinutes = {
        var all = WeekMinutes()
        all.insert(0..<count)
        return all
    }()

    package var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    package func contains(_ minute: Int) -> Bool { bits[minute / 64] & (1 << UInt64(minute % 64)) != 0 }

    package func intersects(_ other: WeekMinutes) -> Bool {
        for word in 0..<Self.words where bits[word] & other.bits[word] != 0 { return true }
        return false
    }

    /// Minutes counted from any Monday; what is over a week's end goes on at its beginning.
    package mutating func insert(wrapping range: Range<Int>) {
        guard range.count < Self.count else { return insert(0..<Self.count) }
        let start = ((range.lowerBound % Self.count) + Self.count) % Self.count
        let end = start + range.count
        insert(start..<min(end, Self.count))
        if end > Self.count { insert(0..<(end - Self.count)) }
    }

    private mutating func insert(_ range: Range<Int>) {
        var minute = range.lowerBound
        while minute < range.upperBound {
            let word = minute / 64
            let last = min(range.upperBound, (word + 1) * 64)
            let length = last - minute
            let mask = length == 64 ? UInt64.max : ((1 << UInt64(length)) - 1) << UInt64(minute % 64)
            bits[word] |= mask
            minute = last
        }
    }
}

extension WeekMinutes {
    /// The minutes of a rider's windows; those with a time or a day that is none are left out.
    package init(_ windows: [TravelWindow]) {
        self.init()
        for window in windows {
            guard let from = TravelWindow.minutes(window.from), var to = TravelWindow.minutes(window.to) else {
                continue
            }
            if to <= from { to += 24 * 60 }
            for day in window.days where (1...7).contains(day) {
                let midnight = (day - 1) * 24 * 60
                insert(wrapping: (midnight + from)..<(midnight + to))
            }
        }
    }
}
