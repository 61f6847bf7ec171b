import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// To which devices a notification is sent again.
    static let resends: [Check] = [
        Check("resend: devices on which it expired or died, the new ones of people without any, nobody who has it") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            var devices: [Endpoint] = []
            for (number, user) in ["ann", "ann", "bob", "cid", "dan", nil].enumerated() {
                devices.append(try await world.register(app, number + 1, user: user))
            }
            let audience = Audience.endpoints(devices.map(\.id))
            let sent = try await world.send(app, to: audience)
            let eves = try await world.send(app, to: .users(["eve", "fay"]))
            var leased = try await world.lease(queue)[0].settlement
            let members = leased.batch.members
            leased.results = [
                // Ann has it on one of her devices.
                world.result(members[0]), world.result(members[1], .expired), world.result(members[2], .expired),
                world.result(members[3], .dead, reason: "HTTP 503"),
                world.result(members[4], .rejected, reason: "BadTopic"),
                world.result(members[5], .expired),
            ]
            try await world.store.settle(leased)
            let expected = [devices[2], devices[3], devices[5]].map(\.id)
            try expect(try await world.targets(sent), is: expected, "devices")
            try expect(try await world.targets(sent, ["dead"]), is: [devices[3].id], "of one state")
            try expect(try await world.targets(sent, ["BadTopic"]), is: [devices[4].id], "of one reason")
            try expect(try await world.targets(eves).isEmpty, "still without a device")
            let new = try await world.register(app, 9, user: "eve")
            try expect(try await world.targets(eves), is: [new.id], "with a new device")
            try expect(try await world.targets(eves, ["expired"]).isEmpty, "for another reason")
        },
        Check("resend: in place of a device that is gone, disabled or somebody else's, the person's others") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let gone = try await world.register(app, 1, user: "ann")
            let moved = try await world.register(app, 2, user: "bob")
            let refused = try await world.register(app, 3, user: "cid")
            let sent = try await world.send(app)
            var leased = try await world.leaseOne(queue).settlement
            leased.results = [
                world.result(leased.batch.members[0], .dead), world.result(leased.batch.members[1], .expired),
                world.result(leased.batch.members[2], .rejected, reason: "Unregistered"),
            ]
            leased.changes = [
                EndpointChange(endpoint: refused.row, kind: .disable(DisableReason(rawValue: "Unregistered")))
            ]
            try await world.store.settle(leased)
            _ = try await world.store.updateEndpoint(gone.row, EndpointUpdate(status: .removed(.byRequest)))
            try await world.register(app, 2, user: "zoe")
            try expect(try await world.targets(sent).isEmpty, "no other devices")
            var others: [Endpoint] = []
            for (number, user) in ["ann", "bob", "cid"].enumerated() {
                others.append(try await world.register(app, 10 + number, user: user))
            }
            try expect(try await world.targets(sent), is: others.map(\.id), "others")
            try expect(moved.id != others[1].id, "not the device that moved")
        },
        Check("resend: not to who switched it off or has it from another one, and so many at most") { world in
            let app = try await world.makeApp()
            try await world.register(app, 1, user: "ann")
            let off = PreferencesDraft(user: "ann", master: ChannelPatch(enabled: .value(false)))
            _ = try await world.store.changePreferences([off], of: app.row, actor: "test")[0].get()
            let unwanted = try await world.send(app)
            try expect(try await world.targets(unwanted).isEmpty, "switched off")
            try expect(try await world.targets(unwanted, ["preference_off"]).count, is: 1, "where it is named")
            try await world.register(app, 2, user: "bob")
            _ = try await world.send(app, to: .users(["bob"]), dedup: Dedup(key: "one"))
            let again = try await world.send(app, to: .users(["bob"]), dedup: Dedup(key: "one"))
            try expect(try await world.targets(again).isEmpty, "had it")
            let lost = try await world.send(app, to: .users(["cid", "dan", "eve"]))
            for (number, user) in ["cid", "dan", "eve"].enumerated() {
                try await world.register(app, 5 + number, user: user)
            }
            let part = try await world.store.resendTargets(of: lost.row, for: ResendReasons(nil), limit: 2, among: nil)
            try expect(part.isOver && part.endpoints.count == 2, "at most two: \(part)")
            let all = try await world.store.resendTargets(of: lost.row, for: ResendReasons(nil), limit: 3, among: nil)
            try expect(!all.isOver && all.endpoints.count == 3, "all three: \(all)")
            let look = try await world.store.resendTargets(of: lost.row, for: ResendReasons(nil), limit: 3, among: 2)
            try expect(look.isPartial && look.endpoints.count == 2, "two of three looked at: \(look)")
            let whole = try await world.store.resendTargets(of: lost.row, for: ResendReasons(nil), limit: 3, among: 3)
            try expect(!whole.isPartial && whole.endpoints.count == 3, "three of three looked at: \(whole)")
            try await expectRefusal(.notFound, "a notification that is not there") {
                _ = try await world.store.resendTargets(of: RowID(1), for: ResendReasons(nil), limit: 2, among: nil)
            }
        },
    ]
}

extension World {
    /// To which devices a notification is sent again.
    fileprivate func targets(_ notification: Notification, _ reasons: [String]? = nil) async throws -> [PublicID] {
        try await store.resendTargets(of: notification.row, for: ResendReasons(reasons), limit: 100, among: nil)
            .endpoints
    }
}
