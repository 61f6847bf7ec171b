import MartletCore
import MartletWire
import Testing

@testable import MartletPipeline

@Suite struct AttemptPlanTests {
    static func plan(user: Int64?, target: TargetState?) -> AttemptPlan {
        var batch = CheckpointTests.batch(members: 1)
        batch.members = [Member(endpoint: RowID(1), user: user.map { RowID($0) })]
        return AttemptPlan(batch, targets: [target])
    }

    static func target(user: Int64?, status: Candidate.Status = .enabled) -> TargetState {
        TargetState(token: "aa", user: user.map { RowID($0) }, status: status, environment: .production)
    }

    @Test("an endpoint that is as it was is sent to")
    func sends() {
        #expect(Self.plan(user: 1, target: Self.target(user: 1)).sends.count == 1)
        #expect(Self.plan(user: nil, target: Self.target(user: nil)).sends.count == 1)
    }

    @Test("an endpoint that was nobody's and has a user now is sent to: it was meant itself")
    func sendsToEndpointThatLoggedIn() {
        #expect(Self.plan(user: nil, target: Self.target(user: 5)).sends.count == 1)
    }

    @Test("an endpoint that moved to another user, or to nobody, gets nothing of the old user's", arguments: [2, nil])
    func cancelsMoved(user: Int64?) {
        let plan = Self.plan(user: 1, target: Self.target(user: user))
        #expect(plan.sends.isEmpty)
        #expect(plan.cancelled.map(\.state) == [.cancelled])
        #expect(plan.cancelled.first?.reason == "moved_to_another_user")
    }

    @Test("an endpoint that was disabled or removed since is not sent to")
    func suppresses() {
        let disabled = Self.plan(user: 1, target: Self.target(user: 1, status: .disabled))
        #expect(disabled.suppressions.map(\.reason) == [.endpointDisabled])
        let removed = Self.plan(user: 1, target: Self.target(user: 1, status: .removed))
        #expect(removed.suppressions.map(\.reason) == [.endpointRemoved])
        #expect(Self.plan(user: 1, target: nil).suppressions.map(\.reason) == [.endpointRemoved])
        var target = Self.target(user: 1)
        target.hasPush = false
        #expect(Self.plan(user: 1, target: target).suppressions.map(\.reason) == [.deviceOff])
    }

    @Test("an endpoint that belongs to the other environment now goes there, with its attempts, and nowhere else")
    func reroutes() {
        var batch = CheckpointTests.batch(members: 3, attempts: 2)
        batch.members[1].user = RowID(7)
        var target = Self.target(user: nil)
        target.environment = .sandbox
        let plan = AttemptPlan(
            batch,
            targets: [target, Self.target(user: 8), Self.target(user: nil)]
        )
        let opening = plan.opening(batch, lease: Lease(process: 5, holder: 5))
        #expect(opening?.retries.map(\.queue.environment) == [.sandbox])
        #expect(opening?.retries.map(\.attempts) == [2])
        #expect(opening?.retries.flatMap(\.members).map(\.endpoint) == [RowID(1)])
        #expect(opening?.results.map(\.member.endpoint) == [RowID(2)])
        #expect(opening?.remaining.map(\.endpoint) == [RowID(3)])
        #expect(plan.sends.map(\.member.endpoint) == [RowID(3)])
        let whole = AttemptPlan(batch, targets: [nil, nil, nil])
        #expect(whole.opening(batch, lease: Lease(process: 5, holder: 5))?.remaining.isEmpty == true)
    }
}
