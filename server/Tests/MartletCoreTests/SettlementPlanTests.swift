import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

/// What a checkpoint writes.
@Suite struct SettlementPlanTests {
    static func member(_ endpoint: Int64) -> Member { Member(endpoint: RowID(endpoint), user: nil) }

    static func settlement(
        _ results: [(Int64, DeliveryResult.State)],
        remaining: [Int64] = [],
        change: (inout Settlement) -> Void = { _ in }
    ) -> Settlement {
        var settlement = Settlement(batch: Batch.sample(), lease: Lease(process: 7, holder: 7))
        settlement.results = results.map { DeliveryResult(member: member($0), state: $1, attempts: 1) }
        settlement.remaining = remaining.map(member)
        change(&settlement)
        return settlement
    }

    @Test("what was accepted is a list, all else are rows, and with nothing left the batch goes")
    func over() {
        let plan = SettlementPlan(
            Self.settlement([(1, .accepted), (2, .rejected), (3, .accepted)]),
            isHeld: true,
            settled: []
        )
        #expect(plan.accepted == [1, 3].map(Self.member))
        #expect(plan.results.map(\.member) == [Self.member(2)])
        #expect(plan.row == .delete)
    }

    @Test("a result that is known is not written again, and a suppression gives way to it")
    func known() {
        let settlement = Self.settlement([(1, .accepted), (2, .rejected)]) {
            $0.suppressions = [3, 4].map { Suppression(endpoint: RowID($0), user: nil, reason: .endpointRemoved) }
        }
        let plan = SettlementPlan(settlement, isHeld: true, settled: [RowID(1), RowID(2), RowID(3)])
        #expect(plan.accepted.isEmpty && plan.results.isEmpty)
        #expect(plan.suppressions.map(\.endpoint) == [RowID(4)])
    }

    @Test("of two answers for one endpoint the first counts")
    func twice() {
        let plan = SettlementPlan(Self.settlement([(1, .dead), (1, .accepted)]), isHeld: true, settled: [])
        #expect(plan.results.map(\.state) == [.dead])
        #expect(plan.accepted.isEmpty)
    }

    @Test("with the lease lost answers are recorded as rows, and nothing else is touched")
    func late() {
        let settlement = Self.settlement([(1, .accepted), (2, .accepted), (3, .dead)], remaining: [4]) {
            $0.suppressions = [Suppression(endpoint: RowID(5), user: nil, reason: .endpointRemoved)]
        }
        let plan = SettlementPlan(settlement, isHeld: false, settled: [RowID(2)])
        #expect(plan.accepted.isEmpty && plan.suppressions.isEmpty)
        #expect(plan.results.map(\.member) == [1, 3].map(Self.member))
        #expect(plan.row == .untouched)
    }

    @Test(
        "the members of a batch are written anew only where one of them may stand in another batch",
        arguments: [
            (DeliveryResult.State.accepted, 0, SettlementPlan.Row.keep(waiting: 1)), (.rejected, 0, .keep(waiting: 1)),
            (.expired, 0, .keep(waiting: 1)), (.cancelled, 0, .keep(waiting: 1)), (.dead, 0, .rewrite([member(9)])),
            (.accepted, 1, .rewrite([member(9)])),
        ]
    )
    func row(_ state: DeliveryResult.State, retries: Int, _ row: SettlementPlan.Row) {
        let settlement = Self.settlement([(1, state)], remaining: [9]) {
            $0.retries = Array(
                repeating: BatchDraft(queue: $0.batch.queue, isEnvironmentKnown: true, members: [Self.member(2)]),
                count: retries
            )
        }
        #expect(SettlementPlan(settlement, isHeld: true, settled: []).row == row)
    }
}
