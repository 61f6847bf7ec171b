import Foundation
import Hummingbird
import MartletCore
import MartletFilter
import MartletStore
import MartletWire

/// Who is subscribed to a topic. Whoever may see the topic may see and change its subscriptions.
extension MartletAPI {
    func subscribe(_ request: SubscriptionRequest, _ call: Call) async throws -> Reply<SubscriptionResponse> {
        let topic = try await topic(of: call)
        let app = try await subscriberApp(request.app, topic, call.caller)
        let (subscribed, response) = try await subscribe(request, to: topic, app: app)
        if subscribed.isNew {
            await record(
                "subscription.create",
                of: AuditSubject(subscribed.subscription),
                by: call.caller,
                app: app.row,
                after: .shown(response)
            )
        }
        return Reply(response, status: subscribed.isNew ? .created : .ok)
    }

    /// Subscribes somebody, or finds the subscription that they have.
    func subscribe(
        _ request: SubscriptionRequest,
        to topic: Topic,
        app: App
    ) async throws -> (Subscribed, SubscriptionResponse) {
        let filter = try SubscriptionFilter(request.filterPolicy, scope: request.filterScope)
        let (subject, address) = try await subject(request, of: app)
        let subscribed = try await store.subscribe(
            SubscriptionDraft(topic: topic.row, subject: subject, address: address, filter: filter)
        )
        guard subscribed.subscription.filter == filter else {
            throw Failure(
                .conflict,
                "There is a subscription already, with another filter.",
                hint: "Change it: PATCH /api/v1/subscriptions/\(subscribed.subscription.id)",
                field: "filter_policy"
            )
        }
        return (subscribed, SubscriptionResponse(subscribed.subscription, topic: topic, app: app.id))
    }

    func listSubscriptions(_ call: Call) async throws -> List<SubscriptionResponse> {
        let page = try call.page()
        let topic = try await topic(of: call)
        let found = try await store.subscriptions(.topic(topic.row), page)
        let ids = try await appIDs(of: found.items.compactMap(\.subject.app))
        return call.list(found) { one in
            SubscriptionResponse(one, topic: topic, app: one.subject.app.flatMap { ids[$0] })
        }
    }

    func showSubscription(_ call: Call) async throws -> Reply<SubscriptionResponse> {
        let (subscription, topic) = try await subscription(of: call)
        return Reply(try await response(for: subscription, topic))
    }

    func updateSubscription(_ request: SubscriptionChange, _ call: Call) async throws -> Reply<SubscriptionResponse> {
        let (known, topic) = try await subscription(of: call)
        let filter = try known.filter(request.filterPolicy, scope: request.filterScope)
        let before = try await response(for: known, topic)
        let answer = try await response(
            for: store.updateSubscription(known.row, SubscriptionUpdate(filter: filter)),
            topic
        )
        await record(
            "subscription.update",
            of: AuditSubject(known),
            by: call.caller,
            app: known.subject.app,
            before: .shown(before),
            after: .shown(answer)
        )
        return Reply(answer)
    }

    /// Whether a subscription would get a message.
    func tryFilter(_ request: FilterTrialRequest, _ call: Call) async throws -> Reply<FilterTrialResponse> {
        let (known, _) = try await subscription(of: call)
        let message = try TopicMessage(attributes: request.attributes, data: request.data)
        try message.validate()
        let filter =
            switch try known.filter(request.filterPolicy, scope: request.filterScope) {
            case .unset: known.filter
            case .null: SubscriptionFilter?.none
            case .value(let filter): filter
            }
        return Reply(FilterTrialResponse(matches: filter?.lets(through: message) ?? true))
    }

    func unsubscribe(_ call: Call) async throws -> Nothing {
        let (known, topic) = try await subscription(of: call)
        return try await end(known, topic, by: call.caller)
    }

    /// Ends a subscription.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` where somebody else has ended it.
    func end(_ known: Subscription, _ topic: Topic, by caller: Caller) async throws -> Nothing {
        let before = JSONValue.shown(try await response(for: known, topic))
        guard try await store.unsubscribe(known.row) else { throw Failure.notFound("subscription") }
        await record(
            "subscription.delete",
            of: AuditSubject(known),
            by: caller,
            app: known.subject.app,
            before: before
        )
        return Nothing()
    }

    /// The subscription of the path, if the caller may see its topic.
    private func subscription(of call: Call) async throws -> (Subscription, Topic) {
        let id = try call.id("id", of: "subscription")
        guard let found = try await store.subscription(.id(id)),
            let topic = try await store.topic(.row(found.topic)), mayTouch(topic, call.caller)
        else { throw Failure.notFound("subscription") }
        return (found, topic)
    }

    /// Whose people a request is about: the app that it names, or else the topic's, or else the key's.
    func subscriberApp(_ named: String?, _ topic: Topic, _ caller: Caller) async throws -> App {
        guard named == nil, let owner = topic.app else { return try await app(named, for: caller) }
        guard let app = try await store.app(.row(owner)) else { throw Failure.notFound("topic") }
        return app
    }

    private func subject(
        _ request: SubscriptionRequest,
        of app: App
    ) async throws -> (SubscriptionDraft.Subject, address: String) {
        switch (request.userID, request.endpointID) {
        case (let user?, nil): return (.user(user, app: app.row), user)
        case (nil, let id?):
            guard let endpoint = try await store.endpoint(app.row, .id(id)) else {
                throw Failure.notFound("endpoint").at("endpoint_id")
            }
            return (.endpoint(endpoint.row), id.description)
        case (let user, _):
            throw Failure(
                user == nil ? .malformedRequest : .invalidValue,
                "A subscription is of a user or of an endpoint.",
                hint: "Send user_id or endpoint_id, one of the two.",
                field: "user_id"
            )
        }
    }

    private func response(for one: Subscription, _ topic: Topic) async throws -> SubscriptionResponse {
        var id: PublicID?
        if let app = one.subject.app { id = try await store.app(.row(app))?.id }
        return SubscriptionResponse(one, topic: topic, app: id)
    }
}

extension Subscription {
    /// What a request makes of its filter: a policy without a scope keeps the scope, and a scope alone keeps the policy.
    ///
    /// - Throws: `Failure` naming `filter_policy` or `filter_scope`.
    fileprivate func filter(
        _ policy: NullablePatch<[String: JSONValue]>,
        scope: FilterScopeName?
    ) throws -> NullablePatch<SubscriptionFilter> {
        switch policy {
        case .null: return .null
        case .value(let policy):
            let scope = scope ?? filter.map { FilterScopeName($0.scope) }
            return try SubscriptionFilter(policy, scope: scope).map(NullablePatch.value) ?? .null
        case .unset:
            guard let scope else { return .unset }
            guard let filter else {
                throw Failure.invalid(
                    "filter_scope",
                    "A filter scope needs a filter policy.",
                    hint: "Send filter_policy too."
                )
            }
            return .value(try .checked(filter.text, scope: FilterScope(scope)))
        }
    }
}

extension SubscriptionFilter {
    /// The filter that a request gives, if it gives one.
    ///
    /// - Throws: `Failure` naming `filter_policy`, or `filter_scope` without a policy.
    fileprivate init?(_ policy: [String: JSONValue]?, scope: FilterScopeName?) throws {
        guard let policy else {
            guard scope == nil else {
                throw Failure.invalid("filter_scope", "A filter scope needs a filter policy.", hint: "Leave it out.")
            }
            return nil
        }
        let text = String(decoding: try JSONValue.object(policy).json(), as: UTF8.self)
        self = try .checked(text, scope: scope.map(FilterScope.init) ?? .messageAttributes)
    }
}

extension SubscriptionResponse {
    init(_ one: Subscription, topic: Topic, app: PublicID?) {
        let kind: SubscriberKind =
            switch one.subject {
            case .endpoint: .endpoint
            case .user: .user
            case .webhook: .webhook
            }
        self.init(
            id: one.id,
            topicID: topic.id,
            topic: topic.name,
            kind: kind,
            appID: app,
            isConfirmed: one.isConfirmed,
            createdAt: UTCTime(one.createdAt)
        )
        switch one.subject {
        case .endpoint(_, let id, _): endpointID = id
        case .user(let user): userID = user.id
        case .webhook(let address): url = WebhookURL.masked(address)
        }
        filterPolicy = one.filter.flatMap { try? JSONValue(json: Data($0.text.utf8)) }
        filterScope = one.filter.map { FilterScopeName($0.scope) }
    }
}
