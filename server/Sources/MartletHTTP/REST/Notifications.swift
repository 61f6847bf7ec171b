import Hummingbird
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Notifications: asked for, looked at, cancelled.
extension MartletAPI {
    func send(_ request: NotificationRequest, _ call: Call) async throws -> Reply<NotificationAccepted> {
        do {
            var submission = try await submission(request, call)
            if submission.audience.isOfMany { submission.sentBy = call.caller.auditActor }
            do {
                return accepted(try await submitter.submit(submission, idempotency: call.idempotency), request)
            } catch let failure as Failure {
                throw failure.naming(largestFieldOf: submission.content)
            }
        } catch let failure as Failure {
            return accepted(try await earlier(call.idempotency, orElse: failure).get(), request)
        }
    }

    /// What the same request made before, or else the refusal: a repeated request gets the same answer also when what it
    /// asks for has become invalid since, such as a time to send at.
    func earlier(
        _ idempotency: IdempotencyRecord?,
        orElse failure: Failure
    ) async throws -> Result<Submitted, Failure> {
        guard failure.code.status != .internalServerError else { throw failure }
        guard let idempotency, failure.code != .idempotencyMismatch else { return .failure(failure) }
        do {
            return try await submitter.repeated(idempotency).map(Result.success) ?? .failure(failure)
        } catch let mismatch as Failure where mismatch.code == .idempotencyMismatch {
            return .failure(mismatch)
        }
    }

    /// The topic whose subscribers a request is for, where it names one: the app's own, or else the server's.
    func audienceTopic(_ name: String?, app: App, caller: Caller) async throws -> Topic? {
        guard let name else { return nil }
        do { return try await ownTopic(name, app, caller) } catch let failure as Failure {
            throw failure.at("audience.topic")
        }
    }

    /// A topic by its id or name: the app's own, or else the server's.
    func ownTopic(_ name: String, _ app: App, _ caller: Caller) async throws -> Topic {
        for owner in [app, nil] {
            do {
                let topic = try await topic(named: name, of: owner, for: caller)
                if topic.app == nil || topic.app == app.row { return topic }
            } catch let failure as Failure where failure.code == .notFound {
                continue
            }
        }
        throw Failure.notFound("topic")
    }

    /// The category that a request names.
    ///
    /// - Throws: `Failure` naming `category`.
    func category(of request: NotificationRequest, app: App) async throws -> Category? {
        guard let key = request.category else { return nil }
        return try await category(key, of: app, field: NotificationRequest.CodingKeys.category.rawValue)
    }

    private func accepted(_ submitted: Submitted, _ request: NotificationRequest) -> Reply<NotificationAccepted> {
        let answer = NotificationAccepted(id: submitted.id, status: request.acceptedStatus)
        return Reply(answer, isReplayed: submitted.isRepeated)
    }

    func listNotifications(_ call: Call) async throws -> List<NotificationResponse> {
        var page = try call.page()
        if let until = call.time("until") {
            page.after = min(page.after ?? .max, NotificationFilter.firstKey(since: until))
        }
        let (key, user) = (call.query("category"), call.query("user_id"))
        // People and categories are an app's own.
        let app =
            key == nil && user == nil
            ? try await optionalApp(call.query("app"), for: call.caller)
            : try await self.app(call.query("app"), for: call.caller)
        var filter = NotificationFilter(app: app?.row, since: call.time("since"))
        filter.dedupKey = call.query("dedup_key")
        if let user { try User.validate(id: user, field: "user_id") }
        filter.user = user
        if let key, let app {
            // One that is archived too.
            guard let category = try await store.categories(of: app.row).first(where: { $0.key == key }) else {
                throw Failure.invalid(
                    "category",
                    "The app has no such category.",
                    hint: "GET /api/v1/categories lists them."
                )
            }
            filter.category = category.row
        }
        filter.state = call.query("status").flatMap(NotificationStatus.init(rawValue:))
        if let text = call.query("search") {
            guard !text.isEmpty else {
                throw Failure.invalid("search", "It must not be empty.", hint: "Leave it out for all notifications.")
            }
            filter.search = ContentSearch(text)
        }
        let found = try await store.notifications(.matching(filter), page)
        let ids = try await appIDs(of: found.items.map(\.app))
        let events = try await eventCounts(of: found.items)
        return call.list(found) { NotificationResponse($0, app: ids[$0.app] ?? $0.id, events: events[$0.id]) }
    }

    func showNotification(_ call: Call) async throws -> Reply<NotificationResponse> {
        Reply(try await response(for: notification(of: call)))
    }

    func cancelNotification(_ call: Call) async throws -> Reply<NotificationResponse> {
        let notification = try await notification(of: call)
        let cancelled = try await store.cancel(notification.row)
        if CancelOutcome(before: notification.state, after: cancelled.state) == .cancelled {
            await record(.cancelNotification, notification, cancelled, by: call.caller)
        }
        return Reply(try await response(for: cancelled))
    }

    /// Writes down that a notification was stopped, and nothing of what it says.
    func record(_ action: AuditAction, _ known: Notification, _ changed: Notification, by caller: Caller) async {
        await record(
            action,
            of: .notification(known.id),
            by: caller,
            app: known.app,
            before: ["status": .string(known.state.rawValue)],
            after: ["status": .string(changed.state.rawValue)]
        )
    }

    /// The notification of the path, if the caller may see it.
    func notification(of call: Call) async throws -> Notification {
        let id = try call.id("id", of: "notification")
        guard let found = try await store.notification(id), mayTouch(found.app, call.caller) else {
            throw Failure.notFound("notification")
        }
        return found
    }

    func response(for notification: Notification) async throws -> NotificationResponse {
        guard let app = try await store.app(.row(notification.app)) else { throw Failure.notFound("notification") }
        let events = try await eventCounts(of: [notification])
        var response = NotificationResponse(notification, app: app.id, events: events[notification.id])
        if notification.state == .sending {
            let pauses = try await store.pauses(.holding(notification.row))
            if !pauses.isEmpty { response.pauses = pauses.map(PauseResponse.init) }
        }
        return response
    }

    /// What phones reported of notifications.
    private func eventCounts(of notifications: [Notification]) async throws -> [PublicID: EventCounts] {
        var counts: [PublicID: EventCounts] = [:]
        for (app, items) in Dictionary(grouping: notifications, by: \.app) {
            let names = items.map { $0.content.messageID(orElse: $0.id, providers: providers) }
            let found = try await store.eventCounts(app, messages: names)
            for (item, name) in zip(items, names) { counts[item.id] = found[name] }
        }
        return counts
    }
}

extension NotificationRequest {
    /// What the answer says: from the request alone, so that a repeated request gets the same answer later too.
    var acceptedStatus: NotificationStatus { sendAt == nil ? .sending : .scheduled }
}

extension NotificationResponse {
    init(_ notification: Notification, app: PublicID, events: EventCounts?) {
        self.init(
            id: notification.id,
            appID: app,
            status: notification.state,
            audience: AudienceResponse(notification.audience),
            class: notification.class,
            priority: notification.priority,
            counts: notification.counts,
            events: EventCountsResponse(events),
            createdAt: UTCTime(notification.createdAt),
            sendAt: UTCTime(notification.sendAt),
            expiresAt: UTCTime(notification.expiresAt)
        )
        title = notification.content.title
        body = notification.content.body
        dedupKey = notification.dedup?.key
        collapseID = notification.collapseID
    }
}

extension AudienceResponse {
    init(_ audience: Audience) {
        let kind: Kind =
            switch audience {
            case .users: .users
            case .endpoints: .endpoints
            case .tokens: .tokens
            case .all: .all
            case .topic: .topic
            }
        var name: String?
        if case .topic(let topic) = audience { name = topic.name }
        self.init(kind: kind, count: audience.count, topic: name)
    }
}
