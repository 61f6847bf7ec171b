import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What people switch off between the gate and the lease.
    static let lateChanges: [Check] = [
        Check("who switches it off before a batch is leased is taken out of it, and who switches it on is not added") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let follow = try await world.makeCategory(app, "follow")
            let other = try await world.makeCategory(app, "comment")
            let users = ["all", "follow", "comment", "on", "back", "none"]
            for (number, user) in users.enumerated() { try await world.register(app, number, user: user) }
            try await world.register(app, 8, user: "follow")
            try await world.register(app, 9)
            let (on, off) = (ChannelPatch(push: .value(true)), ChannelPatch(push: .value(false)))
            try await world.change(app, "on", categories: [follow.row: off])
            let sent = try await world.sendCategory(app, follow)
            try await world.change(app, "all", master: off)
            try await world.change(app, "follow", categories: [follow.row: off])
            try await world.change(app, "comment", categories: [other.row: off])
            try await world.change(app, "on", categories: [follow.row: on])
            try await world.change(app, "back", categories: [follow.row: off])
            try await world.change(app, "back", categories: [follow.row: on])
            let leased = try await world.store.leaseBatches(queue, capacity: BatchCapacity(), lease: world.newLease())
            try expect(leased.batches.map(\.members.count), is: [4], "members")
            try expect(
                leased.suppressions.map(\.reason),
                is: Array(repeating: .preferenceOff, count: 3),
                "what is said"
            )
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            try expect(reports.compactMap(\.user).sorted(), is: ["all", "follow", "follow", "on"], "who gets nothing")
            let late = reports.filter { $0.detail == .late }
            try expect(late.compactMap(\.user).sorted(), is: ["all", "follow", "follow"], "who is late")
            try expect(late.allSatisfy { $0.endpoint != nil && $0.reason == "preference_off" }, "by endpoint")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(pending: 4, suppressed: 4), "counts")
        },
        Check("of a notification that is being sent nobody who switched it off stands in a batch leased later") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let follow = try await world.makeCategory(app, "follow")
            let (people, part) = (600, 200)
            try await world.registerMany(app, 0..<people) { "user\($0)" }
            try await world.change(app, "user0", master: ChannelPatch(push: .value(true)))
            let sent = try await world.sendCategory(app, follow, pageSize: part)
            let first = try await world.lease(queue, limit: 1)
            let off = ChannelPatch(enabled: .value(false))
            let drafts = stride(from: 0, to: people, by: 5).map {
                PreferencesDraft(user: "user\($0)", categories: [follow.row: off])
            }
            _ = try await world.store.changePreferences(drafts, of: app.row, actor: "key")
            let rest = try await world.lease(queue)
            try expect(
                first.map(\.batch.members.count) + rest.map(\.batch.members.count),
                is: [200, 160, 160],
                "members"
            )
            for leased in first + rest { try await world.settle(leased) }
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(accepted: 520, suppressed: 80), "counts")
            try expect(try await world.read(sent.id).state, is: .done, "state")
            let reports = try await world.store.suppressions(sent.row, PageRequest()).items
            let refused = Set(drafts.map(\.user))
            try expect(reports.allSatisfy { $0.user.map(refused.contains) ?? false }, "who was taken out")
        },
        Check("a retry asks once more, and what is over is nobody's to change") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for (number, user) in ["ann", "bob", "carl"].enumerated() {
                try await world.register(app, number, user: user)
            }
            let off = ChannelPatch(push: .value(false))
            let sent = try await world.send(app)
            let first = try await world.leaseOne(queue)
            var settlement = first.settlement
            settlement.results = [world.result(first.batch.members[0])]
            let retry = world.now + .seconds(60)
            settlement.retries = [
                BatchDraft(
                    queue: queue,
                    isEnvironmentKnown: true,
                    attempts: 1,
                    notBefore: retry,
                    members: Array(first.batch.members[1...])
                )
            ]
            try await world.store.settle(settlement)
            for user in ["ann", "bob"] { try await world.change(app, user, master: off) }
            world.clock.advance(to: retry)
            try expect(try await world.leaseOne(queue).batch.members, is: [first.batch.members[2]], "members")
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, accepted: 1, suppressed: 1), "counts")
        },
        Check("a batch of which nobody is left is gone, with its notification and the claims") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let dedup = Dedup(key: "alert")
            let sent = try await world.send(app, dedup: dedup)
            try await world.change(app, "ann", master: ChannelPatch(enabled: .value(false)))
            let leased = try await world.store.leaseBatches(queue, capacity: BatchCapacity(), lease: world.newLease())
            try expect(leased.batches, is: [], "batches")
            try expect(leased.suppressions.map(\.detail), is: [.late], "what is said")
            try expect(try await world.read(sent.id).state, is: .done, "state")
            try await world.change(app, "ann", master: ChannelPatch(enabled: .null))
            try expect(try await world.send(app, dedup: dedup).counts.pending, is: 1, "the claim is given back")
        },
        Check("a required channel stays, whatever a user switches off meanwhile") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let login = try await world.makeCategory(app, "login", required: [.push])
            try await world.register(app, 1, user: "ann")
            _ = try await world.sendCategory(app, login)
            let off = ChannelPatch(enabled: .value(false))
            try await world.change(app, "ann", master: off, categories: [login.row: off])
            try expect(try await world.leaseOne(queue).batch.members.count, is: 1, "members")
        },
        Check("who reads it and switches it off has read it") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phone = try await world.register(app, 1, user: "ann")
            try await world.register(app, 2, user: "bob")
            let sent = try await world.send(app)
            try await world.withdraw(world.user(of: phone), sent.row)
            for user in ["ann", "bob"] {
                try await world.change(app, user, master: ChannelPatch(push: .value(false)))
            }
            let leased = try await world.store.leaseBatches(queue, capacity: BatchCapacity(), lease: world.newLease())
            try expect(leased.suppressions.map(\.reason), is: [.readInInbox, .preferenceOff], "reasons")
            try expect(try await world.read(sent.id).counts, is: DeliveryCounts(suppressed: 2), "counts")
        },
    ]

    /// A device's own switch and its system's permission.
    static let deviceSwitches: [Check] = [
        Check("a device that is switched off or whose system shows nothing gets no alert, and the user's others do") {
            world in
            let app = try await world.makeApp()
            let phone = try await world.register(app, 1, user: "ann")
            let tablet = try await world.register(app, 2, user: "ann")
            let mac = try await world.register(app, 3, user: "ann")
            _ = try await world.store.updateEndpoint(tablet.row, EndpointUpdate(hasPush: false))
            let denied = EndpointUpdate(device: DeviceInfo(permission: .denied))
            _ = try await world.store.updateEndpoint(mac.row, denied)
            let sent = try await world.send(app)
            try expect(sent.counts, is: DeliveryCounts(pending: 1, suppressed: 2), "counts")
            let reports = try await world.store.deliveries(sent.row, PageRequest()).items
            try expect(reports.map(\.endpoint), is: [phone.id, tablet.id, mac.id], "endpoints")
            try expect(reports.map(\.reason), is: [nil, "device_off", "permission_off"], "reasons")
        },
        Check("what nobody sees reaches a device whose system shows nothing, and none that is switched off") { world in
            let app = try await world.makeApp()
            for number in 1...2 { try await world.register(app, number, user: "ann") }
            let devices = try await world.store.endpoints(app.row, user: "ann", PageRequest()).items
            _ = try await world.store.updateEndpoint(
                devices[0].row,
                EndpointUpdate(device: DeviceInfo(permission: .denied))
            )
            _ = try await world.store.updateEndpoint(devices[1].row, EndpointUpdate(hasPush: false))
            var draft = world.draft(app)
            draft.messages[0].isAlert = false
            let sent = try await world.submit(draft)
            try expect(try await world.message(sent, .apns), is: draft.messages[0], "message")
            try await world.fanOut()
            let counts = try await world.read(sent.id).counts
            try expect(counts, is: DeliveryCounts(pending: 1, suppressed: 1), "counts")
            var inline = world.draft(app, to: .users(["ann"]))
            inline.messages[0].isAlert = false
            let gate = world.gate(of: inline)
            let submitted = try await world.store.submit(inline, idempotency: nil, gate: gate)
            try expect(submitted.fanOut?.suppressions.map(\.reason), is: [.deviceOff], "at once")
        },
        Check("an installation's switch, permission, locale and zone are changed on all that it has, field by field") {
            world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let phone = try await world.phone(app, token: 1)
            let update = EndpointUpdate(
                device: DeviceInfo(locale: "ja-JP", timeZone: "Asia/Tokyo", permission: .denied),
                hasPush: false
            )
            let changed = try await world.store.updateEndpoint(.installation(phone.id, of: app.row), update)
            try expect(changed.installation, is: phone.id, "installation")
            try expect(changed.hasPush, is: false, "switch")
            try expect(changed.device.permission, is: .denied, "permission")
            try expect(
                [changed.device.locale, changed.device.timeZone],
                is: ["ja-JP", "Asia/Tokyo"],
                "locale and zone"
            )
            let next = EndpointUpdate(device: DeviceInfo(permission: .authorized))
            let allowed = try await world.store.updateEndpoint(.installation(phone.id, of: app.row), next)
            try expect(allowed.hasPush, is: false, "switch afterwards")
            try expect(allowed.device.permission, is: .authorized, "permission afterwards")
            try expect(allowed.device.timeZone, is: "Asia/Tokyo", "zone afterwards")
            for (id, of) in [(phone.id, other), (world.makeID(), app)] {
                try await expectRefusal(.notFound, "a stranger's") {
                    _ = try await world.store.updateEndpoint(.installation(id, of: of.row), update)
                }
            }
        },
        Check("a registration keeps the switch and takes what the device says of its permission") { world in
            let app = try await world.makeApp()
            let phone = try await world.register(app, 1, user: "ann")
            let update = EndpointUpdate(device: DeviceInfo(permission: .denied), hasPush: false)
            _ = try await world.store.updateEndpoint(phone.row, update)
            let again = try await world.register(app, 1, user: "ann")
            try expect([again.hasPush, again.device.permission == .denied], is: [false, true], "after a registration")
            let registration = Registration(
                app: app.row,
                platform: .apns,
                token: world.token(1),
                device: DeviceInfo(permission: .provisional)
            )
            let allowed = try await world.store.register(registration).endpoint
            try expect(
                [allowed.hasPush, allowed.device.permission == .provisional],
                is: [false, true],
                "after another"
            )
        },
        Check("a device that is off stays off under another provider's token and under one that was known before") {
            world in
            let app = try await world.makeApp()
            let (id, secret) = (world.makeID(), SecretHash(of: "secret"))
            _ = try await world.register(app, 2)
            var device = Registration(app: app.row, platform: .apns, token: world.token(1))
            device.installation = Registration.InstallationClaim(id: id, presented: secret, issued: secret)
            let phone = try await world.store.register(device).endpoint
            _ = try await world.store.updateEndpoint(phone.row, EndpointUpdate(hasPush: false))
            device.token = world.token(2)
            try expect(try await world.store.register(device).endpoint.hasPush, is: false, "under a known token")
            (device.platform, device.token) = (.fcm, world.token(3))
            try expect(try await world.store.register(device).endpoint.hasPush, is: false, "under another provider's")
        },
        Check("an attempt finds whether a device was switched off meanwhile") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            let phones = [try await world.register(app, 1), try await world.register(app, 2)]
            _ = try await world.send(app)
            _ = try await world.store.updateEndpoint(phones[0].row, EndpointUpdate(hasPush: false))
            let leased = try await world.leaseOne(queue)
            let context = try await world.store.context(of: leased.batch)
            try expect(context.targets.map { $0?.hasPush }, is: [false, true], "switches")
        },
    ]
}
