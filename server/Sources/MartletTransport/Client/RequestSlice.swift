/// Requests of a burst that are still to be sent: all of them, or those that came back unprocessed.
struct RequestSlice {
    let burst: HTTP2Burst
    /// Numbers of the requests, nil for all.
    let indices: [Int32]?
    /// How many times a connection that went on has refused these requests.
    let attempt: Int
    /// Whether a peer has said that it did not process them.
    var isDisowned: Bool
    private(set) var next = 0

    /// All requests of a burst.
    init(_ burst: HTTP2Burst) {
        self.init(burst, indices: nil, attempt: 0)
    }

    init(_ burst: HTTP2Burst, indices: [Int32]?, attempt: Int, isDisowned: Bool = false) {
        self.burst = burst
        self.indices = indices
        self.attempt = attempt
        self.isDisowned = isDisowned || attempt > 0
    }

    /// How many requests are left.
    var count: Int { (self.indices?.count ?? self.burst.count) - self.next }

    /// Takes the number of the next request.
    mutating func popFirst() -> Int? {
        guard self.count > 0 else { return nil }
        defer { self.next += 1 }
        return self.indices.map { Int($0[self.next]) } ?? self.next
    }

    /// Takes the last `count` requests out, for another connection.
    mutating func removeLast(_ count: Int) -> RequestSlice {
        let rest =
            self.indices.map { Array($0[self.next...]) } ?? (Int32(self.next)..<Int32(self.burst.count)).map { $0 }
        let burst = self.burst
        let attempt = self.attempt
        let isDisowned = self.isDisowned
        self = RequestSlice(burst, indices: Array(rest.dropLast(count)), attempt: attempt, isDisowned: isDisowned)
        return RequestSlice(burst, indices: Array(rest.suffix(count)), attempt: attempt, isDisowned: isDisowned)
    }

    /// Answers what is left as unprocessed.
    consuming func fail(_ reason: String) {
        var rest = self
        let failure = HTTP2Failure.unprocessed(reason, isDisowned: rest.isDisowned)
        while let index = rest.popFirst() { rest.burst.answer(index, .failed(failure)) }
    }
}
