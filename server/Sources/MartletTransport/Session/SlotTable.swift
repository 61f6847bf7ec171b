/// A dense table of reusable slots: what a stream needs lies in one piece of memory, and its buffers keep their
/// capacity.
///
/// Memory of its own rather than an array in a property, because a slot is reached a dozen times for each request: an
/// array asks each time whether it is shared, and a property of a class whether somebody else is at it.
final class SlotTable<Value> {
    private var memory: UnsafeMutablePointer<Value>
    private var capacity: Int
    private var made = 0
    private var free: [Int32] = []
    private let make: () -> Value

    /// A table that makes a new slot with `make` when no old one is free.
    init(make: @escaping () -> Value) {
        self.make = make
        self.capacity = 16
        self.memory = .allocate(capacity: 16)
    }

    deinit {
        self.memory.deinitialize(count: self.made)
        self.memory.deallocate()
    }

    /// The slots that there are, taken or free.
    var indices: Range<Int> { 0..<self.made }

    /// How many slots are taken.
    var count: Int { self.made - self.free.count }

    /// Takes a slot; its content is that of its last use.
    func acquire() -> Int {
        if let slot = self.free.popLast() { return Int(slot) }
        if self.made == self.capacity { self.grow() }
        (self.memory + self.made).initialize(to: self.make())
        self.made += 1
        return self.made - 1
    }

    /// Gives a slot back.
    func release(_ slot: Int) {
        self.free.append(Int32(truncatingIfNeeded: slot))
    }

    /// A slot that has been made.
    subscript(slot: Int) -> Value {
        _read {
            precondition(slot >= 0 && slot < self.made)
            yield self.memory[slot]
        }
        _modify {
            precondition(slot >= 0 && slot < self.made)
            yield &self.memory[slot]
        }
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: self.capacity * 2)
        larger.moveInitialize(from: self.memory, count: self.made)
        self.memory.deallocate()
        self.memory = larger
        self.capacity *= 2
    }
}
