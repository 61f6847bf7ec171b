import MartletWire

/// Whether people wanted inbox items of a category, at earlier numbers too. A pure value.
public struct InboxVisibility: Sendable {
    private let categories: [RowID<Category>: Category]
    private let defaults: ChoiceHistory

    /// What was decided for one person.
    public struct Memory {
        private struct Key: Hashable {
            var category: RowID<Category>?
            var mark: Int64
        }
        private var known: [Key: Bool] = [:]

        public init() {}

        fileprivate mutating func value(
            _ category: RowID<Category>?,
            _ mark: Int64,
            _ decide: () -> Bool
        ) -> Bool {
            let key = Key(category: category, mark: mark)
            if let value = known[key] { return value }
            let value = decide()
            known[key] = value
            return value
        }
    }

    /// - Parameter changes: of the categories' defaults, all above the least number that is asked for.
    public init(categories: [Category], changes: [ChoiceHistory.Change] = []) {
        self.categories = Dictionary(categories.map { ($0.row, $0) }) { first, _ in first }
        let current = categories.map { (Optional($0.row), $0.defaults) }
        defaults = ChoiceHistory(current: Dictionary(current) { first, _ in first }, changes: changes)
    }

    /// The number of the last change of a default: from there on all defaults are as they are now.
    public var last: Int64 { defaults.last }

    /// Whether somebody with these choices wanted items of a category when a change was the last one.
    public func isOn(
        _ key: RowID<Category>?,
        asOf mark: Int64,
        for choices: ChoiceHistory,
        _ memory: inout Memory
    ) -> Bool {
        // Behind the last change nothing differs.
        let mark = min(mark, max(choices.last, last))
        return memory.value(key, mark) {
            var category = key.flatMap { categories[$0] }
            category?.defaults = defaults.choice(key, asOf: mark)
            let choice = PersonChoice(
                master: choices.choice(nil, asOf: mark),
                category: key == nil ? ChannelChoice() : choices.choice(key, asOf: mark)
            )
            return PreferenceDecision(.inbox, category: category, choice: choice).isOn
        }
    }
}
