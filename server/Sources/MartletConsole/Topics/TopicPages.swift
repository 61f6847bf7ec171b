import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// Topics: listed, made, deleted, and what is set about each.
extension ConsoleService {
    var topicRoutes: [ConsoleRoute] {
        [
            .get("/topics", .read) { call in .page(try await topicsPage(call)) },
            .post("/topics", .configure, createTopic),
            .get("/topics/{id}", .read) { call in .page(try await topicPage(call, topic(of: call))) },
            .post("/topics/{id}/attributes", .configure, setAttribute),
            .post("/topics/{id}/delete", .configure, deleteTopic),
        ] + subscriptionRoutes
    }

    // MARK: All

    private static let topicsList = "console topics"
    /// What stands for the server's own topics where an app is chosen.
    private static let ownTopics = "-"

    private func topicsPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        let wanted = call.query["app"]
        let isOwn = wanted == Self.ownTopics
        let choice = try await appChoice(isOwn ? nil : wanted)
        let scope: TopicScope =
            isOwn || choice.chosen != nil ? .owned(by: choice.chosen?.row, region: settings.region) : .all
        let found = try await store.topics(scope, call.listPage(Self.topicsList))
        let making = call.form["app"]
        var values: PageValues = [
            "app_options": choice.values, "own_topics": Self.ownTopics, "own_chosen": isOwn,
            "topics": found.items.map { topic in
                [
                    "topic_name": topic.name, "topic_address": "/console/topics/\(topic.id)",
                    "topic_app": choice.name(topic.app) ?? call.texts["topics.own"],
                    "topic_confirmed": Texts.number(topic.counts.confirmed),
                    "topic_pending": Texts.number(topic.counts.pending), "is_fifo": topic.isFIFO,
                    "topic_region": topic.region, "topic_made": PageValues.time(topic.createdAt) as PageValues,
                ] as PageValues
            },
            "has_topics": !found.items.isEmpty, "form_open": failure != nil, "form_name": call.form["name"] ?? "",
            "new_topic": ["app_options": owner(making, choice, isOwn: isOwn).values] as PageValues,
        ]
        values.merge(call.pager(Self.topicsList, next: found.next)) { $1 }
        values.show(failure, call.texts)
        return Page(
            template: "topics",
            part: .topics,
            title: call.texts["nav.topics"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    /// Whose a new topic is as long as nobody says otherwise: the only app's, where there is one.
    private func owner(_ making: String?, _ choice: AppChoice, isOwn: Bool) -> AppChoice {
        if let making { return choice.choosing(making) }
        return isOwn || choice.apps.count != 1 ? choice : AppChoice(apps: choice.apps, chosen: choice.apps[0])
    }

    private func createTopic(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            var app: App?
            if let named = call.form["app"] { app = try await self.app(named: named) }
            let draft = TopicDraft(app: app?.row, region: settings.region, name: call.form["name"] ?? "")
            try draft.validate()
            let created = try await store.createTopic(draft)
            guard created.isNew else {
                throw Failure(.conflict, call.texts["topics.name_taken"], field: "name")
            }
            try await noteChange(
                "topic.create",
                of: created.topic.subject,
                by: call,
                app: app?.row,
                after: ["name": .string(created.topic.name)]
            )
            return .redirect("/console/topics/\(created.topic.id)?done=topic_made")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await topicsPage(call, failure: failure))
        }
    }

    // MARK: One

    /// The topic of the path.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func topic(of call: ConsoleCall) async throws -> Topic {
        guard let topic = try await store.topic(.id(call.id(of: "topic"))) else { throw Failure.notFound("topic") }
        return topic
    }

    private static let subscribersList = "console topics/subscribers"

    /// - Parameters:
    ///   - failure: what was refused.
    ///   - place: the form that it was sent by.
    func topicPage(
        _ call: ConsoleCall,
        _ topic: Topic,
        failure: Failure? = nil,
        in place: TopicPlace? = nil
    ) async throws -> Page {
        var call = call
        // A form's own address has no page to go on from.
        if place != nil { call.uri = "/console/topics/\(topic.id)" }
        let page = try call.listPage(Self.subscribersList)
        let found = try await store.subscriptions(.topic(topic.row), page)
        let choice = try await appChoice(nil)
        let trial = FilterTrialForm(call.query)
        let words = SubscriberWords(texts: call.texts, apps: choice.apps, topic: topic)
        var failure = failure
        var place = place
        var message: TopicMessage?
        do { message = try trial.message() } catch { (failure, place) = (error, .trial) }
        var values: PageValues = [
            "topic_name": topic.name, "topic_id": topic.id.description, "is_fifo": topic.isFIFO,
            "topic_address": "/console/topics/\(topic.id)", "topic_region": topic.region,
            "topic_app": choice.name(topic.app) ?? call.texts["topics.own"], "is_own": topic.app == nil,
            "topic_made": PageValues.time(topic.createdAt) as PageValues,
            "confirmed": Texts.number(topic.counts.confirmed), "pending": Texts.number(topic.counts.pending),
            "confirmed_word": call.texts.counted("topics.confirmed", topic.counts.confirmed),
            "deleted_word": call.texts.counted("topics.deleted", topic.counts.deleted),
            "deleted": Texts.number(topic.counts.deleted), "may_write": call.may(.configure),
            "compose_address": "/console/compose?"
                + Link.query([
                    "app": choice.apps.first { $0.row == topic.app }?.id.description, "audience": "topic",
                    "topic": topic.id.description,
                ]),
            "attributes": Self.pairs(topic.attributes), "has_attributes": !topic.attributes.isEmpty,
            "tags": Self.pairs(topic.tags), "has_tags": !topic.tags.isEmpty,
            "subscribers": found.items.map { words.values(of: $0, tried: message) },
            "has_subscribers": !found.items.isEmpty, "tried": message != nil,
            "app_options": choice.values, "filter_open": place == .subscribe && call.form["filter"] != nil,
        ]
        for other in TopicPlace.allCases { values["fails_\(other.rawValue)"] = other == place && failure != nil }
        for name in ["kind", "who", "filter", "attribute", "value", "typed"] {
            values["form_\(name)"] = call.form[name] ?? ""
        }
        values["kind_device"] = call.form["kind"] == "endpoint"
        values.merge(FilterTrialForm.scopes(call.form["scope"], call.texts)) { $1 }
        values.merge(trial.values) { $1 }
        values.merge(call.pager(Self.subscribersList, next: found.next)) { $1 }
        values.show(failure, call.texts)
        return Page(
            template: "topic",
            part: .topics,
            title: topic.name,
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private static func pairs(_ values: [String: String]) -> [PageValues] {
        values.sorted { $0.key < $1.key }.map { ["pair_name": $0.key, "pair_value": $0.value] as PageValues }
    }

    /// Sets an attribute, or takes it away where the value is empty.
    private func setAttribute(_ call: ConsoleCall) async throws -> ConsoleReply {
        let topic = try await topic(of: call)
        do {
            guard let name = call.form["attribute"] else {
                throw Failure.invalid("attribute", call.texts["topics.no_attribute"])
            }
            let given: [String: String?] = [name: call.form["value"]]
            let attributes = topic.app == nil ? try given.checkedForSNS(isFIFO: topic.isFIFO) : given
            let changed = try await store.updateTopic(topic.row, TopicUpdate(attributes: attributes))
            try await noteChange(
                "topic.update",
                of: topic.subject,
                by: call,
                app: topic.app,
                before: ["attributes": .object(topic.attributes.mapValues(JSONValue.string))],
                after: ["attributes": .object(changed.attributes.mapValues(JSONValue.string))]
            )
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await topicPage(call, topic, failure: failure, in: .attributes))
        }
        return .redirect("/console/topics/\(topic.id)?done=topic_saved")
    }

    private func deleteTopic(_ call: ConsoleCall) async throws -> ConsoleReply {
        let topic = try await topic(of: call)
        guard call.form["typed"] == topic.name else {
            let failure = Failure.invalid("typed", call.texts["topics.name_differs"])
            return .page(try await topicPage(call, topic, failure: failure, in: .delete))
        }
        guard try await store.deleteTopic(topic.row) else { throw Failure.notFound("topic") }
        try await noteChange(
            "topic.delete",
            of: topic.subject,
            by: call,
            app: topic.app,
            before: ["name": .string(topic.name), "subscriptions": .integer(Int64(topic.counts.confirmed))]
        )
        return .redirect("/console/topics?done=topic_deleted")
    }
}

/// The forms of a topic's page.
enum TopicPlace: String, CaseIterable {
    case subscribe, trial, attributes, delete
}

extension Topic {
    /// What it is in the audit log.
    var subject: AuditSubject { AuditSubject("topic", id.description) }
}
