import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

extension StoreConformance {
    /// How many a notification would go to.
    static let estimates: [Check] = [
        Check("an estimate says of each kind of audience what is sent then, and writes nothing") { world in
            let (app, topic) = try await world.makeCrowd()
            let named = try unwrap(try await world.store.endpoint(app.row, .token(.apns, world.token(1))), "a device")
            let audiences: [Audience] = [
                .all, .users(["ann", "bob", "cid", "dan", "eve"]), .endpoints([named.id, world.makeID()]),
                .tokens([world.token(1), world.token(99)], platform: .apns), .topic(TopicSelection(topic)),
            ]
            for audience in audiences {
                let estimate = try await world.estimate(app, audience)
                try expect(estimate.isExact, "\(audience) is exact")
                let made = try await world.store.endpoint(app.row, .token(.apns, world.token(99)))
                try expect(made == nil || audience == .topic(TopicSelection(topic)), "a device was made")
                let sent = try await world.send(app, to: audience)
                let reports = try await world.store.deliveries(sent.row, PageRequest()).items
                try expect(estimate.devices, is: sent.counts.pending, "devices of \(audience)")
                let going = reports.filter { $0.state == .pending }
                let people = Set(going.map { $0.user ?? $0.endpoint?.description })
                try expect(estimate.people, is: people.count, "people of \(audience)")
            }
        },
        Check("an estimate counts people by what keeps them out, each once") { world in
            let (app, _) = try await world.makeCrowd()
            let estimate = try await world.estimate(app, .users(["ann", "bob", "cid", "dan", "eve"]))
            // Ann's second device is disabled, Bob wants nothing, Cid's one device is off, Dan has none, Eve is not known.
            try expect(estimate.people, is: 1, "people")
            try expect(estimate.devices, is: 1, "devices")
            try expect(estimate.keptOut, is: [.preferenceOff: 1, .deviceOff: 1, .noEndpoint: 2], "kept out")
            let unknown = try await world.estimate(app, .endpoints([world.makeID(), world.makeID()]))
            try expect(unknown.keptOut, is: [.unknownEndpoint: 2], "unknown devices")
        },
        Check("an estimate asks a category's default for who chose nothing and for who is not known") { world in
            let (app, _) = try await world.makeCrowd()
            var draft = CategoryRequest(key: "offers")
            draft.default = ChannelChoice(enabled: false)
            let category = try await world.store.createCategory(draft, of: app.row, actor: "test")
            let wish = PreferencesDraft(user: "ann", categories: [category.row: ChannelPatch(enabled: .value(true))])
            _ = try await world.store.changePreferences([wish], of: app.row, actor: "test")[0].get()
            let estimate = try await world.estimate(app, .users(["ann", "cid", "eve"]), category)
            try expect(estimate.people, is: 1, "people")
            try expect(estimate.keptOut, is: [.preferenceOff: 2], "kept out")
        },
        Check("the size of everybody and of a topic counts people and not their devices, those of its policies alone") {
            world in
            let (app, topic) = try await world.makeCrowd()
            let all = try await world.store.size(of: AudienceQuery(app: app.row, audience: .all), within: .seconds(1))
            // Ann, Bob and Cid, and one device of nobody; one of two devices of nobody was removed.
            try expect(all.users?.count, is: 3, "users")
            try expect(all.devices?.count, is: 1, "devices of nobody")
            try await world.subscribe("dan", of: app, to: topic, try SubscriptionFilter(#"{"line":["4"]}"#))
            var query = AudienceQuery(app: app.row, audience: .topic(TopicSelection(topic)))
            try expect(try await world.store.size(of: query, within: .seconds(1)).users?.count, is: 1, "without filter")
            query.message = TopicMessage(attributes: ["line": .init(type: "String", value: "4")])
            try expect(try await world.store.size(of: query, within: .seconds(1)).users?.count, is: 2, "with it")
            let other = try await world.makeApp("com.example.other")
            let nobody = AudienceQuery(app: other.row, audience: .all)
            try expect(try await world.store.size(of: nobody, within: .seconds(1)), is: AudienceSize(), "nobody")
        },
        Check("an estimate of more people than are counted one by one is near what there is, and says that it is none")
        {
            world in
            let app = try await world.makeApp()
            let drafts = (0..<12_000).map { number in
                Registration(
                    app: app.row,
                    platform: .apns,
                    token: world.token(number),
                    environment: .production,
                    owner: .user("user-\(number)")
                )
            }
            for start in stride(from: 0, to: drafts.count, by: 1_000) {
                for result in try await world.store.register(Array(drafts[start..<start + 1_000])) {
                    _ = try result.get()
                }
            }
            for number in stride(from: 0, to: 12_000, by: 400) {
                let off = PreferencesDraft(user: "user-\(number)", master: ChannelPatch(enabled: .value(false)))
                _ = try await world.store.changePreferences([off], of: app.row, actor: "test")[0].get()
            }
            let estimate = try await world.estimate(app, .all)
            try expect(!estimate.isExact, "it is exact")
            try expect((11_950...11_990).contains(estimate.people), "people: \(estimate.people)")
            try expect((11_950...11_990).contains(estimate.devices), "devices: \(estimate.devices)")
            try expect((10...50).contains(estimate.keptOut[.preferenceOff] ?? 0), "kept out: \(estimate.keptOut)")
        },
    ]
}

extension World {
    /// Ann has two devices, one of them disabled, Bob wants nothing, Cid wants nothing on his device, Dan has no device any
    /// more; of two devices of nobody one was removed. Ann and the other one are subscribed to a topic.
    fileprivate func makeCrowd() async throws -> (app: App, topic: Topic) {
        let app = try await makeApp()
        let topic = try await makeTopic()
        var devices: [Endpoint] = []
        for (number, user) in ["ann", "ann", "bob", "cid", "dan", nil, nil].enumerated() {
            devices.append(try await register(app, number + 1, user: user))
        }
        let changes = [
            (1, EndpointUpdate(status: .disabled(.byRequest))), (3, EndpointUpdate(hasPush: false)),
            (4, EndpointUpdate(status: .removed(.byRequest))), (6, EndpointUpdate(status: .removed(.byRequest))),
        ]
        for (index, update) in changes { _ = try await store.updateEndpoint(devices[index].row, update) }
        let off = PreferencesDraft(user: "bob", master: ChannelPatch(enabled: .value(false)))
        _ = try await store.changePreferences([off], of: app.row, actor: "test")[0].get()
        try await subscribe("ann", of: app, to: topic)
        try await subscribe(devices[5], to: topic)
        return (app, topic)
    }

    /// What a notification would come to, with a credential for each queue.
    fileprivate func estimate(
        _ app: App,
        _ audience: Audience,
        _ category: MartletCore.Category? = nil
    ) async throws -> AudienceEstimate {
        let query = AudienceQuery(app: app.row, audience: audience, category: category)
        var gate = gate(of: app.row)
        gate.person = PersonGate(category: category, isOfDevices: audience.isOfDevices)
        return try await AudienceEstimator(store: store, query: query, gate: gate).estimate()
    }
}
