import MartletCore
import MartletWire

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
    /// - Returns: what became of each; none for none.
    /// - Throws: `NotFound` when the topic was deleted meanwhile; `Failure`.
    func publish(_ posts: [TopicPost], to recipients: TopicRecipients, _ call: SNSCall) async throws -> [Published] {
        guard !posts.isEmpty else { return [] }
        let topic = recipients.topic
        let apps = try await kinds(of: recipients.apps)
        let now = clock.now()
        var requests: [PublicationRequest] = []
        for post in posts {
            let id = submitter.makeID()
            let submissions = apps.compactMap { app, kinds in
                post.message.submission(
                    of: post.text,
                    to: .topic(TopicSelection(topic)),
                    app: app,
                    kind: post.text.kind(among: kinds),
                    now: now,
                    recordsRefusals: true
                )
            }
            let webhook = recipients.hasWebhooks ? try webhook(id, post, to: topic, at: now, call) : nil
            requests.append(
                PublicationRequest(
                    id: id,
                    topic: topic.row,
                    order: post.order,
                    submissions: submissions,
                    webhook: webhook
                )
            )
        }
        do {
            return try await submitter.publish(requests)
        } catch let failure as Failure where failure.code == .notFound {
            // Topic or app. Where it was an app, the next try leaves that out.
            let isTopicGone = try await store.topic(.row(topic.row)) == nil
            throw isTopicGone ? SNSError.notFound("Topic") : .throttling
        }
    }

    /// Apps with which of SNS's platforms each is, without those that are none now.
    private func kinds(of rows: [RowID<App>]) async throws -> [(app: App, kinds: [PlatformApplication.Kind])] {
        var apps: [(App, [PlatformApplication.Kind])] = []
        for row in rows {
            guard let app = try await store.app(.row(row)) else { continue }
            let kinds = try await kinds(of: app)
            if !kinds.isEmpty { apps.append((app, kinds)) }
        }
        return apps
    }

    /// Which of SNS's platforms an app is; none for one that was switched off, whose people are skipped. An app without
    /// any is treated as Apple's: nothing is sent, and each delivery says that there is no credential.
    private func kinds(of app: App) async throws -> [PlatformApplication.Kind] {
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
        func submission(recordsRefusals: Bool) throws(SNSError) -> Submission {
            let submission = message.submission(
                of: text,
                to: .endpoints([endpoint.id]),
                app: app,
                kind: application.kind,
                now: clock.now(),
                recordsRefusals: recordsRefusals
            )
            guard let submission else { throw .noText(for: application.kind) }
            return submission
        }
        do {
            return try await submitter.submit(submission(recordsRefusals: false), idempotency: nil).id
        } catch let failure as Failure where failure.code == .missingCredential {
            // Accepted as Amazon accepts it; the notification says why nothing was sent.
            return try await submitter.submit(submission(recordsRefusals: true), idempotency: nil).id
        } catch let failure as Failure {
            throw SNSError.refusal(of: failure, kind: application.kind)
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
