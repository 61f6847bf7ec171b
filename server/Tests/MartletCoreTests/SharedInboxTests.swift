import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite("Who sees what is shared")
struct SharedInboxTests {
    static let off = ChannelChoice(inbox: false)
    static let on = ChannelChoice(inbox: true)

    @Test("earlier choices are the current ones with the later changes undone")
    func history() {
        let (a, b) = (RowID<MartletCore.Category>(1), RowID<MartletCore.Category>(2))
        let history = ChoiceHistory(
            current: [a: Self.on, nil: Self.off],
            changes: [
                ChoiceHistory.Change(id: 9, category: nil, before: ChannelChoice()),
                ChoiceHistory.Change(id: 3, category: a, before: ChannelChoice()),
                ChoiceHistory.Change(id: 7, category: b, before: Self.off),
                ChoiceHistory.Change(id: 5, category: a, before: Self.off),
            ]
        )
        let lines: [(Int64, [RowID<MartletCore.Category>?: ChannelChoice])] = [
            (2, [b: Self.off]), (3, [a: Self.off, b: Self.off]), (4, [a: Self.off, b: Self.off]),
            (5, [a: Self.on, b: Self.off]), (7, [a: Self.on]), (8, [a: Self.on]), (9, [a: Self.on, nil: Self.off]),
            (.max, [a: Self.on, nil: Self.off]),
        ]
        for (mark, choices) in lines {
            #expect(history.choices(asOf: mark) == choices, "as of \(mark)")
            for category in [nil, a, b] {
                let choice = history.choice(category, asOf: mark)
                #expect(choice == choices[category] ?? ChannelChoice(), "as of \(mark)")
            }
        }
        #expect(history.last == 9)
        #expect(ChoiceHistory().isEmpty && !history.isEmpty)
    }

    @Test("counts are what looking at each item gives", arguments: 0..<40)
    func counts(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var world = RandomWorld(random: random)
        world.fill()
        let inbox = SharedInbox(world.items.shuffled(using: &random), world.visibility)
        #expect(inbox.items == world.items)
        for _ in 0..<30 {
            let person = world.person()
            let seen = world.items.filter { world.sees($0, person) }
            let counts = inbox.counts(of: person)
            #expect(counts.unread == seen.filter { !person.status(of: $0.number).isRead }.count)
            #expect(counts.unseen == seen.filter { !person.status(of: $0.number).isSeen }.count)
            var memory = InboxVisibility.Memory()
            #expect(world.items.filter { inbox.sees($0, person, &memory) } == seen)
            let newest = inbox.newest(of: person, above: person.watermarks.read, limit: 5)
            #expect(newest == Array(seen.map(\.number).filter { $0 > person.watermarks.read }.reversed().prefix(5)))
        }
    }
}

/// Items, categories and people at random, with a slow way to say who sees what.
private struct RandomWorld {
    var random: SeededRandom
    var items: [SharedItem] = []
    var categories: [MartletCore.Category] = []
    var defaults: [ChoiceHistory.Change] = []

    mutating func fill() {
        categories = (1...3).map { number in
            MartletCore.Category(
                row: RowID(Int64(number)),
                app: RowID(1),
                key: "c\(number)",
                defaults: choice(),
                required: random.chance(20) ? [.inbox] : [],
                createdAt: Timestamp(milliseconds: 0)
            )
        }
        if random.chance(50) { defaults = changes(of: categories.map(\.row)) }
        var (number, user, mark): (Int64, Int64, Int64) = (0, 0, 0)
        for _ in 0..<Int.random(in: 0...25, using: &random) {
            number += Int64.random(in: 1...4, using: &random)
            user += Int64.random(in: 0...10, using: &random)
            // A fan-out that waited has an earlier mark.
            mark = random.chance(20) ? max(0, mark - 2) : mark + Int64.random(in: 0...3, using: &random)
            let category =
                random.chance(70) ? RowID<MartletCore.Category>(Int64.random(in: 1...4, using: &random)) : nil
            let kind: InboxItemKind = random.chance(70) ? .everyone : .sets
            items.append(
                SharedItem(
                    number: number,
                    kind: kind,
                    lastUser: kind == .everyone ? user : 0,
                    mark: mark,
                    category: category
                )
            )
        }
    }

    var visibility: InboxVisibility { InboxVisibility(categories: categories, changes: defaults) }

    private mutating func choice() -> ChannelChoice {
        func value() -> Bool? { random.pick([nil, nil, true, false]) }
        return ChannelChoice(enabled: value(), push: value(), inbox: value())
    }

    private mutating func changes(of categories: [RowID<MartletCore.Category>?]) -> [ChoiceHistory.Change] {
        (1...40).shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)).map { id in
            ChoiceHistory.Change(
                id: Int64(id),
                category: random.pick(categories),
                before: choice()
            )
        }
    }

    mutating func person() -> InboxPerson {
        var person = InboxPerson(user: Int64.random(in: 1...200, using: &random))
        let last = (items.last?.number ?? 0) + 3
        let read = Int64.random(in: 0...last, using: &random)
        person.watermarks = InboxWatermarks(
            seen: Int64.random(in: read...last, using: &random),
            read: read,
            archived: Int64.random(in: 0...read, using: &random)
        )
        for item in items where random.chance(20) {
            person.entries[item.number] = InboxStatus(isSeen: random.chance(60), isRead: random.chance(40))
        }
        person.memberships = items.filter { $0.kind == .sets && random.chance(50) }.map(\.number).sorted()
        if random.chance(60) {
            let all = categories.map { Optional($0.row) } + [nil]
            var current: [RowID<MartletCore.Category>?: ChannelChoice] = [:]
            for category in all where random.chance(50) { current[category] = choice() }
            person.choices = ChoiceHistory(current: current, changes: random.chance(50) ? changes(of: all) : [])
        }
        return person
    }

    func sees(_ item: SharedItem, _ person: InboxPerson) -> Bool {
        guard item.kind == .everyone else { return person.memberships.contains(item.number) }
        guard person.user <= item.lastUser else { return false }
        var category = categories.first { $0.row == item.category }
        let before = defaults.filter { $0.id > item.mark && $0.category == item.category }.min { $0.id < $1.id }
        if let before { category?.defaults = before.before }
        let choices = person.choices.choices(asOf: item.mark)
        let choice = PersonChoice(
            master: choices[nil] ?? ChannelChoice(),
            category: item.category.flatMap { choices[$0] } ?? ChannelChoice()
        )
        return PreferenceDecision(.inbox, category: category, choice: choice).isOn
    }
}
