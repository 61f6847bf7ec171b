import Testing

@testable import MartletSimulator

@Suite("Rules")
struct RuleBookTests {
    private func book(_ rules: SimulatorRule...) -> RuleBook {
        var book = RuleBook(seed: 7)
        for rule in rules { _ = book.add(rule) }
        return book
    }

    private func subject(
        token: String? = Account.device,
        topic: String? = Account.topic,
        pushType: String? = "alert",
        environment: APNsEnvironment = .production,
        connection: Int = 1
    ) -> APNsRuleCondition {
        APNsRuleCondition(
            token: token,
            topic: topic,
            pushType: pushType,
            environment: environment,
            connection: connection
        )
    }

    /// The numbers of the pushes, from 1, for which a rule fires among `count`.
    private func fired(_ rule: SimulatorRule, of count: Int) -> [Int] {
        var book = book(rule)
        return (1...count).filter { _ in book.rule(for: subject(), isAccepted: true) != nil }
    }

    @Test("a rule fires each time, unless its counts say otherwise")
    func counts() {
        #expect(fired(SimulatorRule(.hang), of: 3) == [1, 2, 3])
        #expect(fired(SimulatorRule(.hang, times: 1), of: 3) == [1])
        #expect(fired(SimulatorRule(.hang, skip: 2), of: 4) == [3, 4])
        #expect(fired(SimulatorRule(.hang, every: 3), of: 7) == [3, 6])
        #expect(fired(SimulatorRule(.hang, skip: 1, times: 2, every: 2), of: 9) == [3, 5])
        #expect(fired(SimulatorRule(.hang, probability: 0), of: 100).isEmpty)
    }

    @Test("a chance is kept, and the same seed makes the same choices")
    func chance() {
        let rule = SimulatorRule(.hang, probability: 0.25)
        let first = fired(rule, of: 4_000)
        #expect((800...1_200).contains(first.count))
        #expect(first == fired(rule, of: 4_000))
    }

    @Test(
        "a condition must hold in all its parts",
        arguments: [
            APNsRuleCondition(token: Account.otherDevice), .init(topic: "a.b"), .init(pushType: "voip"),
            .init(environment: .sandbox), .init(connection: 2), .init(token: Account.device, topic: "a.b"),
        ]
    )
    func conditions(condition: APNsRuleCondition) {
        var book = book(SimulatorRule(.hang, when: condition))
        #expect(book.rule(for: subject(), isAccepted: true) == nil)
        #expect(book.rules[0].matched == 0)
    }

    @Test("a condition that holds matches, the token in any case")
    func conditionHolds() {
        let condition = APNsRuleCondition(
            token: Account.device.uppercased(),
            topic: Account.topic,
            pushType: "alert",
            environment: .production,
            connection: 1
        )
        var book = book(SimulatorRule(.hang, when: condition))
        #expect(book.rule(for: subject(), isAccepted: true) != nil)
    }

    @Test("the first rule that fires wins, a spent one lets the next try")
    func order() {
        var book = book(
            SimulatorRule(.hang, when: .init(token: Account.otherDevice)),
            SimulatorRule(.abort, times: 1),
            SimulatorRule(.reset(code: 2))
        )
        #expect(book.rule(for: subject(), isAccepted: true)?.action == .abort)
        #expect(book.rule(for: subject(), isAccepted: true)?.action == .reset(code: 2))
        #expect(book.rules.map(\.matched) == [0, 2, 1])
        #expect(book.rules.map(\.fired) == [0, 1, 1])
    }

    @Test("refused pushes are left alone unless the rule is for all")
    func scope() {
        var accepted = book(SimulatorRule(.hang))
        #expect(accepted.rule(for: subject(), isAccepted: false) == nil)
        var all = book(SimulatorRule(.hang, scope: .all))
        #expect(all.rule(for: subject(), isAccepted: false) != nil)
    }

    @Test("rules are removed by id, and their number is bounded")
    func removal() throws {
        var book = book(SimulatorRule(.hang), SimulatorRule(.abort))
        let removals = [book.remove(id: 1), book.remove(id: 1)]
        #expect(removals == [true, false])
        #expect(book.rules.map(\.id) == [2])
        for _ in 1..<RuleBook.limit { _ = book.add(SimulatorRule(.hang)) }
        #expect(book.rules.count == RuleBook.limit)
        let surplus = book.add(SimulatorRule(.hang))
        #expect(surplus == nil)
        book.removeAll()
        #expect(book.rules.isEmpty)
    }
}
