import Hummingbird
import MartletCore
import MartletStore
import MartletWire

/// Topics. A key bound to one app makes and sees that app's alone; other keys see all, the server's own among them.
extension MartletAPI {
    func createTopic(_ request: TopicRequest, _ call: Call) async throws -> Reply<TopicResponse> {
        let app = try await optionalApp(request.app, for: call.caller)
        let attributes = try request.attributes.map { given in
            app == nil ? try given.mapValues(Optional.some).checkedForSNS(isFIFO: false).compactMapValues { $0 } : given
        }
        let created = try await store.createTopic(
            TopicDraft(
                app: app?.row,
                region: settings.region,
                name: request.name,
                attributes: attributes ?? [:],
                tags: request.tags ?? [:]
            )
        )
        let topic = created.topic
        guard topic.attributes == attributes ?? topic.attributes, topic.tags == request.tags ?? topic.tags
        else {
            throw Failure(
                .conflict,
                "There is a topic of this name already, with other attributes or tags.",
                hint: "Change it: PATCH /api/v1/topics/\(topic.id)",
                field: "name"
            )
        }
        let answer = TopicResponse(topic, app: app?.id)
        if created.isNew {
            await record("topic.create", of: AuditSubject(topic), by: call.caller, app: app?.row, after: .shown(answer))
        }
        return Reply(answer, status: created.isNew ? .created : .ok)
    }

    func listTopics(_ call: Call) async throws -> List<TopicResponse> {
        let page = try call.page()
        let app = try await optionalApp(call.query("app"), for: call.caller)
        let scope = app.map { TopicScope.owned(by: $0.row, region: settings.region) } ?? .all
        let topics = try await store.topics(scope, page)
        let ids = try await appIDs(of: topics.items.compactMap(\.app))
        return call.list(topics) { topic in TopicResponse(topic, app: topic.app.flatMap { ids[$0] }) }
    }

    func showTopic(_ call: Call) async throws -> Reply<TopicResponse> {
        Reply(try await response(for: topic(of: call)))
    }

    func updateTopic(_ request: TopicChange, _ call: Call) async throws -> Reply<TopicResponse> {
        let topic = try await topic(of: call)
        let given = (request.attributes ?? [:]).mapValues(\.stringValue)
        let update = TopicUpdate(
            attributes: topic.app == nil ? try given.checkedForSNS(isFIFO: topic.isFIFO) : given,
            tags: (request.tags ?? [:]).mapValues(\.stringValue)
        )
        let before = try await response(for: topic)
        let answer = try await response(for: store.updateTopic(topic.row, update))
        await record(
            "topic.update",
            of: AuditSubject(topic),
            by: call.caller,
            app: topic.app,
            before: .shown(before),
            after: .shown(answer)
        )
        return Reply(answer)
    }

    func deleteTopic(_ call: Call) async throws -> Nothing {
        let topic = try await topic(of: call)
        let before = JSONValue.shown(try await response(for: topic))
        guard try await store.deleteTopic(topic.row) else { throw Failure.notFound("topic") }
        await record("topic.delete", of: AuditSubject(topic), by: call.caller, app: topic.app, before: before)
        return Nothing()
    }

    /// The topic of the path's `{topic}`, by id or name.
    func topic(of call: Call) async throws -> Topic {
        let text = try call.parameter("topic")
        let app = try await optionalApp(call.query("app"), for: call.caller)
        return try await topic(named: text, of: app, for: call.caller)
    }

    /// A topic by its id, or by the name that it has among an app's, without an app among the server's own.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``, also for a topic that the caller's key may not see.
    func topic(named text: String, of app: App?, for caller: Caller) async throws -> Topic {
        let selector =
            PublicID(text).map(TopicSelector.id) ?? .name(text, app: app?.row, region: settings.region)
        guard let topic = try await store.topic(selector), mayTouch(topic, caller) else {
            var failure = Failure.notFound("topic")
            if case .name = selector {
                failure.detail.hint = "A name finds topics of the region \(settings.region) only; name others by id."
            }
            throw failure
        }
        return topic
    }

    /// Whether a caller may see a topic.
    func mayTouch(_ topic: Topic, _ caller: Caller) -> Bool {
        guard let key = caller.key else { return false }
        return key.app == nil || key.app == topic.app
    }

    private func response(for topic: Topic) async throws -> TopicResponse {
        var id: PublicID?
        if let app = topic.app { id = try await store.app(.row(app))?.id }
        return TopicResponse(topic, app: id)
    }
}

extension TopicResponse {
    init(_ topic: Topic, app: PublicID?) {
        self.init(
            id: topic.id,
            name: topic.name,
            appID: app,
            region: topic.region,
            isFIFO: topic.isFIFO,
            attributes: topic.attributes,
            tags: topic.tags,
            subscriptions: topic.counts,
            createdAt: UTCTime(topic.createdAt)
        )
    }
}
