import MartletCore
import MartletFilter
import MartletStore
import MartletWire

extension StoreConformance {
    /// A topic's subscribers as an audience.
    static let topicAudiences: [Check] = [
        Check("a topic reaches its endpoints and its users' devices, each once, in parts of any size") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            let topic = try await world.makeTopic()
            var expected: Set<RowID<Endpoint>> = []
            for number in 1...9 {
                let endpoint = try await world.register(app, number, user: ["ann", "bob", "eve"][number % 3])
                // Eve is not subscribed, but for one of her devices; one of Ann's is subscribed beside her.
                guard number % 3 != 2 || number == 2 else { continue }
                expected.insert(endpoint.row)
                if number == 2 || number == 3 { try await world.subscribe(endpoint, to: topic) }
            }
            for user in ["ann", "bob", "nobody"] { try await world.subscribe(user, of: app, to: topic) }
            try await world.subscribe(try await world.register(other, 1), to: topic)
            for limit in [1, 2, 3, 7, 100] {
                let page = try await world.readTopic(app, topic, limit: limit)
                try expect(Set(page.candidates.map(\.member.endpoint)), is: expected, "endpoints, \(limit) at a time")
                try expect(page.candidates.count, is: expected.count, "how often, \(limit) at a time")
                try expect(page.usersWithoutEndpoint.count, is: 1, "users without a device, \(limit) at a time")
            }
        },
        Check("endpoints that are gone are passed over in silence, disabled ones are not") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            for number in 1...4 {
                let endpoint = try await world.register(app, number)
                try await world.subscribe(endpoint, to: topic)
                let status: Endpoint.Status? = [1: .removed(.byRequest), 2: .disabled(.byRequest)][number]
                _ = try await world.store.updateEndpoint(endpoint.row, EndpointUpdate(status: status))
            }
            let sent = try await world.send(app, to: .topic(TopicSelection(topic)))
            try expect(sent.counts, is: DeliveryCounts(pending: 2, suppressed: 1), "counts")
            let reasons = try await world.store.suppressions(sent.row, PageRequest()).items.map(\.reason)
            try expect(reasons, is: ["endpoint_disabled"], "reasons")
        },
        Check("who subscribes after a message was accepted does not get it") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let first = try await world.register(app, 1)
            try await world.subscribe(first, to: topic)
            let fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
            try await world.subscribe(try await world.register(app, 2), to: topic)
            try await world.register(app, 3, user: "ann")
            try await world.subscribe("ann", of: app, to: topic)
            try await world.readToEnd(fanOut)
            let reports = try await world.store.deliveries(fanOut.notification.row, PageRequest()).items
            try expect(reports.map(\.endpoint), is: [first.id], "endpoints")
        },
        Check("a device that subscribes by itself after a message was accepted still gets it as its user's") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            try await world.subscribe(try await world.register(app, 1), to: topic)
            let device = try await world.register(app, 2, user: "ann")
            try await world.subscribe("ann", of: app, to: topic)
            let fanOut = try await world.begin(app, .topic(TopicSelection(topic)))
            let rest = try unwrap(try await world.readOne(fanOut), "rest")
            try await world.subscribe(device, to: topic)
            try await world.readToEnd(rest)
            let counts = try await world.read(fanOut.notification.id).counts
            try expect(counts, is: DeliveryCounts(pending: 2), "counts")
        },
        Check("a message reaches those whose policy it matches and those without one") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            var rows: [RowID<Endpoint>] = []
            // More policies than are read one by one, and two subscribers of each.
            for number in 0..<80 {
                let endpoint = try await world.register(app, number, user: number >= 70 ? "user\(number)" : nil)
                let policy = #"{"line":["\#(number / 2)"],"delay":[{"numeric":[">=",10]}]}"#
                let filter = number < 2 ? nil : try SubscriptionFilter(policy)
                if number >= 70 {
                    try await world.subscribe("user\(number)", of: app, to: topic, filter)
                } else {
                    try await world.subscribe(endpoint, to: topic, filter)
                }
                rows.append(endpoint.row)
            }
            func reached(_ lines: [Int], delay: Int = 20, limit: Int) async throws -> Set<RowID<Endpoint>> {
                let list = "[" + lines.map { "\"\($0)\"" }.joined(separator: ",") + "]"
                let message = TopicMessage(attributes: [
                    "line": .init(type: "String.Array", value: list),
                    "delay": .init(type: "Number", value: "\(delay)"),
                ])
                let page = try await world.readTopic(app, topic, message, limit: limit)
                let found = page.candidates.map(\.member.endpoint)
                try expect(Set(found).count, is: found.count, "endpoints that are met twice")
                return Set(found)
            }
            for limit in [1, 3, 50] {
                let one = try await reached([20], limit: limit)
                try expect(one, is: [rows[0], rows[1], rows[40], rows[41]], "of one policy, \(limit) at a time")
                let few = try await reached([3, 37], limit: limit)
                try expect(few, is: [rows[0], rows[1], rows[6], rows[7], rows[74], rows[75]], "of two policies")
                let many = try await reached(Array(10..<40), limit: limit)
                try expect(many, is: Set(rows[0...1] + rows[20...]), "of many policies, \(limit) at a time")
                try expect(try await reached([20], delay: 5, limit: limit), is: Set(rows[0...1]), "of no policy")
            }
        },
        Check("a policy about the body looks at the body") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let endpoint = try await world.register(app, 1)
            let filter = try SubscriptionFilter(#"{"line":{"name":["4"]}}"#, scope: .messageBody)
            try await world.subscribe(endpoint, to: topic, filter)
            for (body, count) in [(#"{"line":{"name":"4"}}"#, 1), (#"{"line":{"name":"5"}}"#, 0), (nil, 0)] {
                let page = try await world.readTopic(app, topic, TopicMessage(body: body), limit: 10)
                try expect(page.candidates.count, is: count, "endpoints of \(body ?? "no body")")
            }
        },
        Check("a policy that is changed, dropped or made anew decides from then on") { world in
            let app = try await world.makeApp()
            let topic = try await world.makeTopic()
            let endpoint = try await world.register(app, 1)
            let policies = try ["a", "b"].map { try SubscriptionFilter(#"{"kind":["\#($0)"]}"#) }
            let made = try await world.subscribe(endpoint, to: topic, policies[0])
            let count = { (kind: String) async throws -> Int in
                let message = TopicMessage(attributes: ["kind": .init(type: "String", value: kind)])
                return try await world.readTopic(app, topic, message, limit: 10).candidates.count
            }
            try expect([try await count("a"), try await count("b")], is: [1, 0], "the first")
            _ = try await world.store.updateSubscription(made.row, SubscriptionUpdate(filter: .value(policies[1])))
            try expect([try await count("a"), try await count("b")], is: [0, 1], "the second")
            _ = try await world.store.updateSubscription(made.row, SubscriptionUpdate(filter: .null))
            try expect([try await count("a"), try await count("b")], is: [1, 1], "none")
            _ = try await world.store.updateSubscription(made.row, SubscriptionUpdate(filter: .value(policies[0])))
            try expect([try await count("a"), try await count("b")], is: [1, 0], "the first again")
            _ = try await world.store.unsubscribe(made.row)
            try expect(try await count("a"), is: 0, "nobody")
        },
    ]
}

extension World {
    /// All of a topic's audience that one message finds, read in parts of a size; nothing of it is delivered.
    func readTopic(
        _ app: App,
        _ topic: Topic,
        _ message: TopicMessage = TopicMessage(),
        limit: Int
    ) async throws -> AudiencePage {
        var draft = draft(app, to: .topic(TopicSelection(topic)))
        draft.message = message
        _ = try await submit(draft)
        var position = try await store.leaseFanOuts(limit: 1, lease: newLease()).first
        var whole = AudiencePage()
        while let current = position {
            let page = try await store.audience(of: current, limit: limit)
            try expect(page.candidates.count <= limit, "a part of \(limit) has \(page.candidates.count)")
            whole.candidates += page.candidates
            whole.usersWithoutEndpoint += page.usersWithoutEndpoint
            let empty = GatedPage(batches: [], suppressions: [], next: page.next)
            position = try await store.commit(empty, of: current)
        }
        return whole
    }
}
