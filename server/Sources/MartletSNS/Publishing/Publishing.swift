import Crypto
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Messages, to topics and to single endpoints. Whoever is told a message id can rely on it: the message is durable then.
extension SNSService {
    func publish(_ call: SNSCall) async throws -> SNSResult? {
        let request = try PublishRequest(call.form, in: call.scope)
        switch request.target {
        case .topic(let arn):
            let recipients = try await recipients(of: arn)
            let post = try TopicPost(request.message, on: recipients.topic)
            let published = try await publish([post], to: recipients, apps(of: recipients, for: [post]), call)
            return { writer in
                writer.element("MessageId", published[0].id.description)
                writer.element("SequenceNumber", optional: published[0].sequenceText)
            }
        case .endpoint(let arn):
            let id = try await publish(request.message, to: arn)
            return { $0.element("MessageId", id.description) }
        case .user(let arn):
            let id = try await publish(request.message, to: arn)
            return { $0.element("MessageId", id.description) }
        }
    }

    /// What is wrong with a batch refuses all of it; what is wrong with the text of one entry, that entry.
    func publishBatch(_ call: SNSCall) async throws -> SNSResult? {
        let request = try PublishBatchRequest(call.form, in: call.scope)
        let recipients = try await recipients(of: request.topic)
        var failed: [BatchFailure] = []
        var posts: [(id: String, post: TopicPost)] = []
        for entry in request.entries {
            do throws(SNSError) { try entry.message.check() } catch {
                failed.append(BatchFailure(id: entry.id, error: error))
                continue
            }
            posts.append((entry.id, try TopicPost(entry.message, on: recipients.topic)))
        }
        let apps = try await apps(of: recipients, for: posts.map(\.post))
        posts.removeAll { id, post in
            do throws(SNSError) { for app in apps { _ = try app.person(post) } } catch {
                failed.append(BatchFailure(id: id, error: error))
                return true
            }
            return false
        }
        let published = try await publish(posts.map(\.post), to: recipients, apps, call)
        let successful = zip(posts, published).map { BatchSuccess(id: $0.id, published: $1) }
        return { [failed] writer in
            writer.list("Successful", successful) { $1.write(to: &$0) }
            writer.list("Failed", failed) { $1.write(to: &$0) }
        }
    }
}

/// A message that a topic can take.
struct TopicPost: Sendable {
    let message: PublishedMessage
    let text: PublishedText
    /// `nil` for a topic that keeps no order.
    let order: PublicationOrder?
    /// What the topic says of preferences and inboxes where the message does not.
    let tags: PersonTags

    /// Looks whether a topic can take a message.
    ///
    /// - Throws: `InvalidParameter` in AWS's words.
    init(_ message: PublishedMessage, on topic: Topic) throws(SNSError) {
        // In AWS's order.
        text = try message.text()
        try text.requireDefault()
        order = try message.order(on: topic)
        tags = PersonTags(topic)
        self.message = message
    }
}

/// An app among those of a topic's subscribers.
struct TopicApp: Sendable {
    let app: App
    /// Which of SNS's platforms it is; at least one.
    let kinds: [PlatformApplication.Kind]
    /// Read where a message names one.
    let categories: [Category]

    /// What a message asks of this app's people.
    ///
    /// - Throws: `InvalidParameter` for a category that the app has not.
    func person(_ post: TopicPost) throws(SNSError) -> PersonRequest {
        try PersonRequest(post.message.person, tags: post.tags, app: app, categories: categories)
    }
}

/// An entry of a batch that was published.
private struct BatchSuccess: Sendable {
    let id: String
    let published: Published

    func write(to writer: inout AnswerWriter) {
        writer.element("Id", id)
        writer.element("MessageId", published.id.description)
        writer.element("SequenceNumber", optional: published.sequenceText)
    }
}

/// An entry of a batch that was not.
private struct BatchFailure: Sendable {
    let id: String
    let error: SNSError

    func write(to writer: inout AnswerWriter) {
        writer.element("Id", id)
        writer.element("Code", error.code.rawValue)
        writer.element("Message", error.message)
        writer.element("SenderFault", error.code.fault == .sender)
    }
}

extension SNSService {
    /// The topic of a name, with what a message to it has to be written for.
    ///
    /// - Throws: `NotFound`.
    func recipients(of arn: TopicARN) async throws -> TopicRecipients {
        guard let found = try await store.recipients(of: .name(arn.name, app: nil, region: arn.region)) else {
            throw SNSError.notFound("Topic")
        }
        return found
    }

    /// Writes messages to a topic, all or none.
    ///
    /// - Parameter origin: what they came of.
    /// - Returns: what became of each; none for none.
    /// - Throws: `NotFound` when the topic was deleted meanwhile; `InvalidParameter` for a category that an app has not;
    ///   `Failure`.
    func publish(
        _ posts: [TopicPost],
        to recipients: TopicRecipients,
        _ apps: [TopicApp],
        _ call: SNSCall,
        origin: NotificationOrigin = .caller
    ) async throws -> [Published] {
        guard !posts.isEmpty else { return [] }
        let topic = recipients.topic
        let now = clock.now()
        var requests: [PublicationRequest] = []
        for post in posts {
            let id = submitter.makeID()
            var submissions = try apps.compactMap { app in
                post.message.submission(
                    of: post.text,
                    to: .topic(TopicSelection(topic)),
                    app: app.app,
                    kind: post.text.kind(among: app.kinds),
                    person: try app.person(post),
                    now: now,
                    recordsRefusals: true
                )
            }
            for index in submissions.indices { submissions[index].origin = origin }
            let webhook = recipients.hasWebhooks ? try webhook(id, post, to: topic, at: now, call) : nil
            var request = PublicationRequest(
                id: id,
                topic: topic.row,
                order: post.order,
                submissions: submissions,
                webhook: webhook
            )
            // What the server itself publishes, of an endpoint say, nobody sent.
            if let caller = call.caller {
                request.audit = AuditDraft(publishing: id, to: topic, apps: apps.map(\.app), by: AuditActor(caller))
            }
            requests.append(request)
        }
        do {
            return try await submitter.publish(requests)
        } catch let failure as Failure where failure.code == .notFound {
            // Topic or app. Where it was an app, the next try leaves that out.
            let isTopicGone = try await store.topic(.row(topic.row)) == nil
            throw isTopicGone ? SNSError.notFound("Topic") : .throttling
        }
    }

    /// A topic's apps, without those that are none of SNS's platforms now.
    func apps(of recipients: TopicRecipients, for posts: [TopicPost]) async throws -> [TopicApp] {
        let needsCategories = posts.contains { PersonRequest.needsCategories($0.message.person, tags: $0.tags) }
        var apps: [TopicApp] = []
        for row in recipients.apps {
            guard let app = try await store.app(.row(row)) else { continue }
            let kinds = try await kinds(of: app)
            guard !kinds.isEmpty else { continue }
            let categories = needsCategories ? try await store.categories(of: row) : []
            apps.append(TopicApp(app: app, kinds: kinds, categories: categories))
        }
        return apps
    }

    /// Which of SNS's platforms an app is; none for one that was switched off, whose people are skipped. An app without
    /// any is treated as Apple's: nothing is sent, and each delivery says that there is no credential.
    func kinds(of app: App) async throws -> [PlatformApplication.Kind] {
        let order: [(Platform, Environment)] = [(.apns, .production), (.apns, .sandbox), (.fcm, .production)]
        let queues = order.map { DeliveryQueue(app: app.row, platform: $0, environment: $1) }
        // In memory, as a rule; an application may have none.
        let credentialed = Set(try await store.credentials(app.row).map(\.queue))
        var known: [PlatformApplication] = []
        for queue in queues where credentialed.isEmpty || credentialed.contains(queue) {
            if let application = try await store.platformApplication(of: queue) { known.append(application) }
        }
        return known.isEmpty ? [.apns] : known.filter(\.isEnabled).map(\.kind)
    }

    private func webhook(
        _ id: PublicID,
        _ post: TopicPost,
        to topic: Topic,
        at now: Timestamp,
        _ call: SNSCall
    ) throws -> WebhookMessage? {
        guard let text = post.text.text(for: "http") else { return nil }
        return try WebhookMessage(
            id: id,
            topic: topic,
            message: text,
            secureMessage: post.text.text(for: "https"),
            subject: post.message.subject,
            attributes: post.message.attributes.map {
                WebhookDocument.Attribute(name: $0.name, type: $0.type, value: $0.value)
            },
            filtered: post.message.filtered(post.text),
            group: post.message.groupID,
            publishedAt: now,
            call
        )
    }
}

extension SNSService {
    /// Sends a message to one endpoint.
    ///
    /// - Returns: the notification's id.
    /// - Throws: `SNSError` in AWS's words: first for an endpoint that there is not, then for one that is disabled, then
    ///   for what the message says.
    func publish(_ message: PublishedMessage, to arn: EndpointARN) async throws -> PublicID {
        let (application, endpoint) = try await target(arn)
        guard application.isEnabled else {
            throw SNSError(.platformApplicationDisabled, "Platform application is disabled")
        }
        guard endpoint.isEnabled else { throw SNSError(.endpointDisabled, "Endpoint is disabled") }
        let text = try message.text()
        guard let app = try await store.app(.row(application.app)) else { throw Self.noEndpoint }
        let person = try await person(message.person, in: app, isOfOneDevice: true)
        return try await submit(kind: application.kind) { recordsRefusals in
            message.submission(
                of: text,
                to: .endpoints([endpoint.id]),
                app: app,
                kind: application.kind,
                person: person,
                now: clock.now(),
                recordsRefusals: recordsRefusals
            )
        }
    }

    private static let noEndpoint = SNSError.invalidParameter(
        "TargetArn",
        reason: "No endpoint found for the target arn specified"
    )

    private func target(_ arn: EndpointARN) async throws -> (PlatformApplication, Endpoint) {
        guard let kind = PlatformApplication.Kind(rawValue: arn.application.platform),
            let id = PublicID(arn.id),
            let application = try await store.platformApplication(
                PlatformApplicationName(
                    kind: kind,
                    region: arn.application.region,
                    isHome: arn.application.region == homeRegion,
                    name: arn.application.name
                )
            ),
            let endpoint = try await store.platformEndpoint(application, id)
        else { throw Self.noEndpoint }
        return (application, endpoint)
    }
}

extension PublishedMessage {
    /// What a topic knows the message by.
    ///
    /// - Returns: `nil` for a topic that keeps no order.
    /// - Throws: `InvalidParameter` in AWS's words when a FIFO topic lacks what it needs, or another has too much.
    func order(on topic: Topic) throws(SNSError) -> PublicationOrder? {
        guard topic.isFIFO else {
            guard deduplicationID == nil else {
                throw .invalidParameter(
                    "MessageDeduplicationId",
                    reason:
                        "The request includes MessageDeduplicationId parameter that is not valid for this topic type"
                )
            }
            return nil
        }
        guard let groupID else {
            throw .invalidParameter("The MessageGroupId parameter is required for FIFO topics")
        }
        let isByContent = topic.attributes["ContentBasedDeduplication"]?.lowercased() == "true"
        guard let id = deduplicationID ?? (isByContent ? contentHash : nil) else {
            throw .invalidParameter(
                """
                The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided \
                explicitly
                """
            )
        }
        // The group's length in front, so that no two pairs are the same text.
        let isPerGroup = topic.attributes["FifoThroughputScope"] == "MessageGroup"
        let scope = isPerGroup ? "\(groupID.utf8.count):\(groupID)" : ""
        return PublicationOrder(deduplication: SecretHash(of: "\(scope)/\(id)"))
    }

    /// SHA-256 of the message, without its attributes (Amazon SNS, "Message deduplication for FIFO topics").
    private var contentHash: String { Hex.text(SHA256.hash(data: Array(message.utf8))) }
}

extension Published {
    /// The message's place as clients see it.
    var sequenceText: String? { sequenceNumber.map(place) }
}

extension WebhookDelivery {
    /// The message's place as subscribers see it, the same as its publisher was told.
    var sequenceText: String? { sequenceNumber.map(place) }
}

/// A place among a topic's messages: 20 digits, so that texts sort as their numbers do.
private func place(_ number: Int64) -> String {
    let digits = String(number)
    return "1" + String(repeating: "0", count: max(0, 19 - digits.count)) + digits
}
