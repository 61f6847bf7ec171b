import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

/// What people switch off on its way to them.
@Suite(.stageLimit) struct PreferenceTests {
    @Test(
        "who switches pushes off before a worker comes gets none, and is counted as others are whom the gate keeps out"
    )
    func late() async throws {
        let stage = try await Stage()
        for (token, user) in [("a1", "ann"), ("b1", "bob"), ("c1", "carl")] {
            try await stage.register(token, user: user)
        }
        let off = ChannelPatch(push: .value(false))
        try await stage.change("carl", off)
        let id = try await stage.submit(.users(["ann", "bob", "carl"]))
        #expect(try await stage.notification(id).counts == DeliveryCounts(pending: 2, suppressed: 1))
        try await stage.change("ann", off)
        let counts = try await stage.dispatching { try await stage.finished(id).counts }
        #expect(counts == DeliveryCounts(accepted: 1, suppressed: 2))
        #expect(stage.provider.attempts.map(\.token) == ["b1"])
        let counted = stage.metrics.numbers.suppressions
        #expect(counted == [DeliveryMetrics.Held(app: stage.app.row, reason: .preferenceOff): 2])
    }

    @Test(
        "what waits for an erased user is not sent, whatever they had chosen, and what is scheduled passes them over"
    )
    func erased() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        try await stage.register("b1", user: "bob")
        let scheduled = try await stage.submit(.users(["ann", "bob"])) { $0.sendAt = stage.clock.now() + .seconds(60) }
        let waiting = try await stage.submit(.users(["ann", "bob"]))
        let own = try await stage.submit(.users(["ann"]))
        try await stage.change("ann", ChannelPatch(push: .value(false)))
        try await stage.store.eraseUser("ann", of: stage.app.row)
        let counts = try await stage.dispatching { [try await stage.finished(waiting), try await stage.finished(own)] }
            .map(\.counts)
        #expect(counts == [DeliveryCounts(accepted: 1, suppressed: 1), DeliveryCounts(suppressed: 1)])
        stage.clock.advance(by: .seconds(60))
        let later = try await stage.dispatching { try await stage.finished(scheduled).counts }
        #expect(later == DeliveryCounts(accepted: 1))
        #expect(stage.provider.attempts.map(\.token) == ["b1", "b1"])
        let why = try await stage.store.whyFacts(of: stage.notification(scheduled).row, user: "ann")
        #expect(!why.isKnown)
    }

    @Test("a device that is switched off after its batch was written is not sent to")
    func switchedOff() async throws {
        let stage = try await Stage()
        let phone = try await stage.register("a1", user: "ann")
        try await stage.register("a2", user: "ann")
        let id = try await stage.submit(.users(["ann"]))
        _ = try await stage.store.updateEndpoint(phone.row, EndpointUpdate(hasPush: false))
        let counts = try await stage.dispatching { try await stage.finished(id).counts }
        #expect(counts == DeliveryCounts(accepted: 1, suppressed: 1))
        #expect(stage.provider.attempts.map(\.token) == ["a2"])
    }
}

extension Stage {
    /// Changes what a person wants over all.
    fileprivate func change(_ user: String, _ patch: ChannelPatch) async throws {
        let draft = PreferencesDraft(user: user, master: patch)
        for result in try await store.changePreferences([draft], of: app.row, actor: "user") { _ = try result.get() }
    }
}
