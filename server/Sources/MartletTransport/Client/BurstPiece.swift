/// Requests of a burst that are still to be sent: all of them, or those that came back unprocessed.
struct BurstPiece {
    let burst: HTTP2Burst
    /// Numbers of the requests, nil for all.
    let indices: [Int32]?
    /// How many times a connection that went on has refused these requests.
    let attempt: Int
    private(set) var next = 0

    /// All requests of a burst.
    init(_ burst: HTTP2Burst) {
        self.init(burst, indices: nil, attempt: 0)
    }

    init(_ burst: HTTP2Burst, indices: [Int32]?, attempt: Int) {
        self.burst = burst
        self.indices = indices
        self.attempt = attempt
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
    mutating func removeLast(_ count: Int) -> BurstPiece {
        let rest =
            self.indices.map { Array($0[self.next...]) } ?? (Int32(self.next)..<Int32(self.burst.count)).map { $0 }
        self = BurstPiece(self.burst, indices: Array(rest.dropLast(count)), attempt: self.attempt)
        return BurstPiece(self.burst, indices: Array(rest.suffix(count)), attempt: self.attempt)
    }

    /// Answers what is left.
    consuming func fail(_ failure: HTTP2Failure) {
        var rest = self
        while let index = rest.popFirst() { rest.burst.answer(index, .failed(failure)) }
    }
}
