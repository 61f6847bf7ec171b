/// A bounded dictionary that forgets what was not used for longest.
struct RecentValues<Value> {
    /// How many values it holds at most.
    let bound: Int
    private var values: [String: (value: Value, used: UInt64)] = [:]
    private var uses: UInt64 = 0

    init(bound: Int) { self.bound = bound }

    /// The value for a key; reading and writing count as a use, writing `nil` removes.
    ///
    /// A write over the bound looks at all values once, which the rarity of new keys makes affordable.
    subscript(key: String) -> Value? {
        mutating get {
            guard let found = values[key] else { return nil }
            uses += 1
            values[key]?.used = uses
            return found.value
        }
        set {
            uses += 1
            values[key] = newValue.map { ($0, uses) }
            if values.count > bound, let oldest = values.min(by: { $0.value.used < $1.value.used }) {
                values[oldest.key] = nil
            }
        }
    }

    /// How many values it holds.
    var count: Int { values.count }
}
