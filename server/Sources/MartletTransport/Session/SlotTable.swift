/// A dense table of reusable slots: what a stream needs lies in one array, and its buffers keep their capacity.
struct SlotTable<Value> {
    private(set) var values: [Value] = []
    private var free: [Int32] = []
    private let make: () -> Value

    /// A table that makes a new slot with `make` when no old one is free.
    init(make: @escaping () -> Value) {
        self.make = make
    }

    /// How many slots are taken.
    var count: Int { self.values.count - self.free.count }

    /// Takes a slot; its content is that of its last use.
    mutating func acquire() -> Int {
        if let slot = self.free.popLast() { return Int(slot) }
        self.values.append(self.make())
        return self.values.count - 1
    }

    /// Gives a slot back.
    mutating func release(_ slot: Int) {
        self.free.append(Int32(truncatingIfNeeded: slot))
    }

    subscript(slot: Int) -> Value {
        _read { yield self.values[slot] }
        _modify { yield &self.values[slot] }
    }
}
