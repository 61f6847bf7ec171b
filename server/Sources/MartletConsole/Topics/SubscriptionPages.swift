import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// Who is subscribed to a topic, and what messages must be like for them.
extension ConsoleService {
    var subscriptionRoutes: [ConsoleRoute] {
        [
            .post("/topics/{id}/subscriptions", .configure, subscribe),
            .get("/topics/{id}/subscriptions/{subscription}", .read) { call in
                .page(try await subscriptionPage(call))
            },
            .post("/topics/{id}/subscriptions/{subscription}", .configure, setFilter),
            // It changes nothing: whoever may read may try.
            .post("/topics/{id}/subscriptions/{subscription}/try", .read) { call in
                .page(try await subscriptionPage(call, isTried: true))
            },
            .post("/topics/{id}/subscriptions/{subscription}/remove", .configure, unsubscribe),
        ]
    }

    // MARK: Who

    private func subscribe(_ call: ConsoleCall) async throws -> ConsoleReply {
        let topic = try await topic(of: call)
        var word = "subscribed"
        do {
            let filter = try FilterTrialForm.filter(call.form, call.texts)
            let (subject, address) = try await subject(of: call, topic)
            let draft = SubscriptionDraft(topic: topic.row, subject: subject, address: address, filter: filter)
            let subscribed = try await store.subscribe(draft)
            guard subscribed.isNew else {
                throw Failure(.conflict, call.texts["topics.subscribed_already"], field: "who")
            }
            try await noteChange(
                "subscription.create",
                of: subscribed.subscription.auditSubject,
                by: call,
                app: topic.app,
                after: subscribed.subscription.audited(topic)
            )
            if case .user(let user, let app) = subject,
                try await store.endpoints(app, user: user, PageRequest(count: 1)).items.isEmpty
            {
                word = "subscribed_unknown"
            }
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await topicPage(call, topic, failure: failure, in: .subscribe))
        }
        return .redirect("/console/topics/\(topic.id)?done=\(word)")
    }

    private func subject(of call: ConsoleCall, _ topic: Topic) async throws -> (SubscriptionDraft.Subject, String) {
        guard let who = call.form["who"] else { throw Failure.invalid("who", call.texts["topics.nobody"]) }
        let app: App
        if let owner = topic.app {
            guard let known = try await store.app(.row(owner)) else { throw Failure.notFound("app") }
            app = known
        } else {
            guard let named = call.form["app"] else { throw Failure.invalid("app", call.texts["topics.whose"]) }
            app = try await self.app(named: named)
        }
        guard call.form["kind"] == "endpoint" else {
            try User.validate(id: who, field: "who")
            return (.user(who, app: app.row), who)
        }
        guard let id = PublicID(who), let endpoint = try await store.endpoint(app.row, .id(id)) else {
            throw Failure.invalid("who", call.texts["topics.no_device"])
        }
        return (.endpoint(endpoint.row), id.description)
    }

    private func unsubscribe(_ call: ConsoleCall) async throws -> ConsoleReply {
        let topic = try await topic(of: call)
        let subscription = try await subscription(of: call, topic)
        guard try await store.unsubscribe(subscription.row) else { throw Failure.notFound("subscription") }
        try await noteChange(
            "subscription.delete",
            of: subscription.auditSubject,
            by: call,
            app: topic.app,
            before: subscription.audited(topic)
        )
        return .redirect("/console/topics/\(topic.id)?done=unsubscribed")
    }

    /// The subscription of the path, where it is one to the topic.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    private func subscription(of call: ConsoleCall, _ topic: Topic) async throws -> Subscription {
        let id = try call.id("subscription", of: "subscription")
        guard let found = try await store.subscription(.id(id)), found.topic == topic.row else {
            throw Failure.notFound("subscription")
        }
        return found
    }

    // MARK: What of

    /// - Parameter isTried: whether the form's message is tried on the form's filter.
    private func subscriptionPage(
        _ call: ConsoleCall,
        isTried: Bool = false,
        failure: Failure? = nil
    ) async throws -> Page {
        let topic = try await topic(of: call)
        let subscription = try await subscription(of: call, topic)
        let apps = try await appChoice(nil).apps
        let words = SubscriberWords(texts: call.texts, apps: apps, topic: topic)
        let isSent = isTried || failure != nil
        let known = subscription.filter.map { FilterScopeName($0.scope) } ?? .attributes
        var values: PageValues = [
            "topic_name": topic.name, "topic_address": "/console/topics/\(topic.id)", "may_write": call.may(.configure),
            "form_filter": isSent ? call.form["filter"] ?? "" : subscription.filter?.text ?? "",
        ]
        values.merge(words.values(of: subscription, tried: nil)) { $1 }
        values.merge(FilterTrialForm.scopes(isSent ? call.form["scope"] : known.rawValue, call.texts)) { $1 }
        let trial = FilterTrialForm(call.form)
        values.merge(trial.values) { $1 }
        var failure = failure
        if isTried {
            do throws(Failure) {
                let filter = try FilterTrialForm.filter(call.form, call.texts)
                values["tried"] = true
                values["would_get"] = filter?.lets(through: try trial.message() ?? TopicMessage()) ?? true
            } catch {
                failure = error
                values["tried"] = false
            }
        }
        values.show(failure, call.texts)
        return Page(
            template: "subscription",
            part: .topics,
            title: "\(topic.name) · \(call.texts["topics.filter"])",
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private func setFilter(_ call: ConsoleCall) async throws -> ConsoleReply {
        let topic = try await topic(of: call)
        let subscription = try await subscription(of: call, topic)
        do {
            var update = SubscriptionUpdate()
            update.filter = try FilterTrialForm.filter(call.form, call.texts).map(NullablePatch.value) ?? .null
            let changed = try await store.updateSubscription(subscription.row, update)
            try await noteChange(
                "subscription.update",
                of: subscription.auditSubject,
                by: call,
                app: topic.app,
                before: subscription.audited(topic),
                after: changed.audited(topic)
            )
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await subscriptionPage(call, failure: failure))
        }
        return .redirect("/console/topics/\(topic.id)/subscriptions/\(subscription.id)?done=filter_saved")
    }
}

extension Subscription {
    /// What it is in the audit log.
    fileprivate var auditSubject: AuditSubject { AuditSubject("subscription", id.description) }

    /// What the audit log shows of it.
    fileprivate func audited(_ topic: Topic) -> JSONValue {
        let (kind, who): (String, String) =
            switch subject {
            case .endpoint(_, let id, _): ("endpoint", id.description)
            case .user(let user): ("user", user.id)
            case .webhook(let address): ("webhook", WebhookURL.masked(address))
            }
        return [
            "topic": .string(topic.name), "kind": .string(kind), "subscriber": .string(who),
            "filter_policy": JSONValue(text: filter?.text),
            "filter_scope": JSONValue(text: filter.map { FilterScopeName($0.scope).rawValue }),
        ]
    }
}
