import MartletCore
import MartletStore
import MartletWire

/// What one person is subscribed to, themselves and not one of their devices.
extension MartletAPI {
    func listUserSubscriptions(_ call: Call) async throws -> List<SubscriptionResponse> {
        let page = try call.page()
        let (app, user) = try await person(of: call)
        return call.list(try await subscriptions(of: user, app, call.caller, page)) { one, topic in
            SubscriptionResponse(one, topic: topic, app: app.id)
        }
    }

    func endUserSubscription(_ call: Call) async throws -> Nothing {
        let (app, user) = try await person(of: call)
        let topic = try await ownTopic(call.parameter("topic"), app, call.caller)
        let page = PageRequest(count: 1)
        let found = try await store.subscriptions(.user(user, app: app.row, topic: topic.row), page).items.first
        guard let found else { throw Failure.notFound("subscription") }
        return try await end(found, topic, by: call.caller)
    }

    /// Subscribes before it ends others: a request that breaks off leaves too many and none too few.
    func replaceUserSubscriptions(_ request: UserTopicsRequest, _ call: Call) async throws -> List<SubscriptionResponse>
    {
        let (app, user) = try await person(of: call)
        guard request.topics.count <= UserTopicsRequest.limit else {
            throw Failure.invalid("topics", "One request names at most \(UserTopicsRequest.limit) topics.")
        }
        let wanted = try await topics(request.topics, app, call.caller)
        var kept: [RowID<Topic>: SubscriptionResponse] = [:]
        try await forEachPage(of: user, app, call.caller) { page in
            for (one, topic) in page where wanted[topic.row] != nil {
                kept[topic.row] = SubscriptionResponse(one, topic: topic, app: app.id)
            }
        }
        let missing = wanted.values.filter { kept[$0.row] == nil }
        let made = try await inTurns(missing) { topic in
            try await subscribe(SubscriptionRequest(userID: user), to: topic, app: app).1
        }
        var ended = 0
        try await forEachPage(of: user, app, call.caller) { page in
            let others = page.filter { wanted[$0.topic.row] == nil }
            ended += try await inTurns(others) { one, _ in try await store.unsubscribe(one.row) }.count { $0 }
        }
        if !made.isEmpty || ended > 0 {
            await record(
                "subscription.update_many",
                of: .user(user),
                by: call.caller,
                app: app.row,
                after: [
                    "kept": .integer(Int64(kept.count)), "new": .integer(Int64(made.count)),
                    "ended": .integer(Int64(ended)),
                ]
            )
        }
        return List((kept.values + made).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) })
    }

    /// The topics of these names by their rows.
    private func topics(_ names: [String], _ app: App, _ caller: Caller) async throws -> [RowID<Topic>: Topic] {
        var topics: [RowID<Topic>: Topic] = [:]
        for (position, name) in names.enumerated() {
            do {
                let topic = try await ownTopic(name, app, caller)
                topics[topic.row] = topic
            } catch let failure as Failure {
                throw failure.at("topics[\(position)]")
            }
        }
        return topics
    }

    /// Subscriptions with their topics; without those to topics that the caller may not see.
    private func subscriptions(
        of user: String,
        _ app: App,
        _ caller: Caller,
        _ page: PageRequest
    ) async throws -> Page<(one: Subscription, topic: Topic)> {
        let found = try await store.subscriptions(.user(user, app: app.row), page)
        var topics: [RowID<Topic>: Topic] = [:]
        for row in Set(found.items.map(\.topic)) {
            topics[row] = try await store.topic(.row(row)).flatMap { mayTouch($0, caller) ? $0 : nil }
        }
        return found.compactMap { one in topics[one.topic].map { (one, $0) } }
    }

    private func forEachPage(
        of user: String,
        _ app: App,
        _ caller: Caller,
        _ body: ([(one: Subscription, topic: Topic)]) async throws -> Void
    ) async throws {
        var next: Int64?
        repeat {
            let request = PageRequest(after: next, count: PageRequest.limit)
            let page = try await subscriptions(of: user, app, caller, request)
            try await body(page.items)
            next = page.next
        } while next != nil
    }
}
