public import MartletWire

/// What somebody chooses now, and how they came to it: what they chose at an earlier number is what they choose now with
/// the later changes undone. A pure value.
public struct ChoiceHistory: Sendable, Hashable {
    /// What was chosen over all (`nil`) or for a category before a change.
    public struct Change: Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// The category.
        public var category: RowID<Category>?
        /// The choice before.
        public var before: ChannelChoice

        public init(id: Int64, category: RowID<Category>?, before: ChannelChoice) {
            self.id = id
            self.category = category
            self.before = before
        }
    }

    /// The choices now, over all (`nil`) and by category.
    public private(set) var current: [RowID<Category>?: ChannelChoice]
    /// The changes that are known, by ascending number.
    public private(set) var changes: [Change]

    /// - Parameter changes: all with a number above the least that is asked for.
    public init(current: [RowID<Category>?: ChannelChoice] = [:], changes: [Change] = []) {
        self.current = current
        self.changes = changes.sorted { $0.id < $1.id }
    }

    /// Whether nothing is and was chosen.
    public var isEmpty: Bool { current.isEmpty && changes.isEmpty }

    /// The number of the last change that is known: from there on all is as it is now.
    public var last: Int64 { changes.last?.id ?? 0 }

    /// What was chosen over all, or for a category, when a change was the last one.
    public func choice(_ category: RowID<Category>?, asOf mark: Int64) -> ChannelChoice {
        let undone = changes.first { $0.id > mark && $0.category == category }
        return undone?.before ?? current[category] ?? ChannelChoice()
    }

    /// All that was chosen when a change was the last one.
    public func choices(asOf mark: Int64) -> [RowID<Category>?: ChannelChoice] {
        var choices = current
        for change in changes.reversed() where change.id > mark { choices[change.category] = change.before }
        return choices.filter { !$0.value.isEmpty }
    }
}
