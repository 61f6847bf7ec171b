/// An item that many people have between them.
public struct SharedItem: Sendable, Hashable {
    /// Its number.
    public var number: Int64
    /// Whether all users have it up to one, or those of sets; never ``InboxItemKind/rows``.
    public var kind: InboxItemKind
    /// The last user that there was.
    public var lastUser: Int64
    /// The last preference change that counts for who sees it.
    public var mark: Int64
    /// The category.
    public var category: RowID<Category>?

    package init(
        number: Int64,
        kind: InboxItemKind,
        lastUser: Int64 = 0,
        mark: Int64 = 0,
        category: RowID<Category>? = nil
    ) {
        self.number = number
        self.kind = kind
        self.lastUser = lastUser
        self.mark = mark
        self.category = category
    }
}

/// Up to which item a person has seen, read or archived all that is shared.
public struct InboxWatermarks: Sendable, Hashable {
    /// Up to which all were seen.
    public var seen: Int64
    /// Up to which all were read.
    public var read: Int64
    /// Up to which all were archived.
    public var archived: Int64

    package init(seen: Int64 = 0, read: Int64 = 0, archived: Int64 = 0) {
        self.seen = seen
        self.read = read
        self.archived = archived
    }

    /// What they say of an item.
    public func status(of number: Int64) -> InboxStatus {
        InboxStatus(isSeen: number <= seen, isRead: number <= read, isArchived: number <= archived)
    }
}

/// A person as far as shared items are concerned.
public struct InboxPerson: Sendable, Hashable {
    /// The user's key.
    public var user: Int64
    /// What they did with all.
    public var watermarks = InboxWatermarks()
    /// What they did with single items, which takes precedence over what they did with all.
    public var entries: [Int64: InboxStatus] = [:]
    /// What they chose.
    public var choices = ChoiceHistory()
    /// The items of sets in which they stand, by ascending number.
    public var memberships: [Int64] = []

    package init(user: Int64, watermarks: InboxWatermarks = InboxWatermarks()) {
        self.user = user
        self.watermarks = watermarks
    }

    /// Whether they stand in an item's set.
    fileprivate func isMember(of number: Int64) -> Bool {
        let index = memberships.firstIndex(from: number)
        return index < memberships.count && memberships[index] == number
    }

    /// What they did with an item.
    public func status(of number: Int64) -> InboxStatus { entries[number] ?? watermarks.status(of: number) }
}

/// Who sees which of an app's shared items that are live. A pure value.
///
/// An item of everybody is seen by who was there when it was published and wanted such items then; an item of sets by who
/// stands in them. The rows say how; nothing is stored of the people.
public struct SharedInbox: Sendable {
    /// The items by ascending number.
    public let items: [SharedItem]
    private let visibility: InboxVisibility
    /// The greatest last user of an item and those before it: who was there then was there later too.
    private let lastUsers: [Int64]
    /// How many items of everybody from an index on are seen by who never chose anything.
    private let plain: Suffix
    private let categories: [Group]

    /// Items of everybody of one category.
    private struct Group {
        var category: RowID<Category>?
        /// Where they stand among the items.
        var indices: [Int]
        var leastMark: Int64
    }

    /// How many of some indices are at least another one.
    private struct Suffix {
        var indices: [Int]
        func count(from start: Int) -> Int { indices.count - indices.firstIndex(from: start) }
    }

    /// - Parameter items: in any order.
    public init(_ items: [SharedItem], _ visibility: InboxVisibility) {
        let items = items.sorted { $0.number < $1.number }
        self.items = items
        self.visibility = visibility
        var last: Int64 = 0
        lastUsers = items.map { item in
            last = max(last, item.lastUser)
            return last
        }
        let nobody = ChoiceHistory()
        var memory = InboxVisibility.Memory()
        var groups: [RowID<Category>?: Group] = [:]
        var seen: [Int] = []
        for (index, item) in items.enumerated() where item.kind == .everyone {
            if visibility.isOn(item.category, asOf: item.mark, for: nobody, &memory) { seen.append(index) }
            var group = groups[item.category] ?? Group(category: item.category, indices: [], leastMark: .max)
            group.indices.append(index)
            group.leastMark = min(group.leastMark, item.mark)
            groups[item.category] = group
        }
        plain = Suffix(indices: seen)
        categories = Array(groups.values)
    }

    /// Whether a person sees an item.
    public func sees(_ item: SharedItem, _ person: InboxPerson, _ memory: inout InboxVisibility.Memory) -> Bool {
        switch item.kind {
        case .rows: false
        case .everyone:
            person.user <= item.lastUser
                && visibility.isOn(item.category, asOf: item.mark, for: person.choices, &memory)
        case .sets: person.isMember(of: item.number)
        }
    }

    /// How many shared items a person has not read, and not seen: for who chose nothing two searches, and what they did
    /// with single items.
    public func counts(of person: InboxPerson) -> (unread: Int, unseen: Int) {
        var memory = InboxVisibility.Memory()
        var unread = count(person, above: person.watermarks.read, &memory)
        var unseen = count(person, above: person.watermarks.seen, &memory)
        for (number, status) in person.entries {
            guard let item = item(number), sees(item, person, &memory) else { continue }
            unread += (status.isRead ? 0 : 1) - (number > person.watermarks.read ? 1 : 0)
            unseen += (status.isSeen ? 0 : 1) - (number > person.watermarks.seen ? 1 : 0)
        }
        return (unread, unseen)
    }

    /// The newest items that a person sees above a number, newest first.
    public func newest(of person: InboxPerson, above number: Int64, limit: Int) -> [Int64] {
        var memory = InboxVisibility.Memory()
        var found: [Int64] = []
        for item in items.reversed() {
            guard item.number > number, found.count < limit else { break }
            if sees(item, person, &memory) { found.append(item.number) }
        }
        return found
    }

    /// An item by its number.
    public func item(_ number: Int64) -> SharedItem? {
        let index = items.firstIndex(from: number) { $0.number }
        return index < items.count && items[index].number == number ? items[index] : nil
    }

    /// How many items above a number a person sees.
    private func count(_ person: InboxPerson, above number: Int64, _ memory: inout InboxVisibility.Memory) -> Int {
        let start = max(
            items.firstIndex(from: number + 1) { $0.number },
            lastUsers.firstIndex(from: person.user)
        )
        let memberships = person.memberships
        let inSets = memberships.isEmpty ? 0 : memberships.count - memberships.firstIndex(from: number + 1)
        guard !person.choices.isEmpty else { return inSets + plain.count(from: start) }
        let last = max(person.choices.last, visibility.last)
        return categories.reduce(inSets) { count, group in
            let first = group.indices.firstIndex(from: start)
            guard first < group.indices.count else { return count }
            if last <= group.leastMark {
                let isOn = visibility.isOn(group.category, asOf: last, for: person.choices, &memory)
                return count + (isOn ? group.indices.count - first : 0)
            }
            return group.indices[first...].reduce(count) { count, index in
                let mark = items[index].mark
                return count + (visibility.isOn(group.category, asOf: mark, for: person.choices, &memory) ? 1 : 0)
            }
        }
    }
}

extension Array {
    /// The index of the first element whose key is not below a value, in an array that ascends by it.
    fileprivate func firstIndex<Key: Comparable>(from value: Key, _ key: (Element) -> Key) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = key(self[middle]) < value ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension Array where Element: Comparable {
    fileprivate func firstIndex(from value: Element) -> Int { firstIndex(from: value) { $0 } }
}
