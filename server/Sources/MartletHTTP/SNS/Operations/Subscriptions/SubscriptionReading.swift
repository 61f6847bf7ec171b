import MartletCore

/// What subscriptions there are, and what is set about one.
extension SNSService {
    func listSubscriptions(_ call: SNSCall) async throws -> SNSResult? {
        let scope = SubscriptionScope.owned(by: nil, region: call.region)
        let page = try await store.subscriptions(scope, PageToken.request(call.form))
        var topics: [RowID<Topic>: TopicARN] = [:]
        var reports: [SubscriptionReport] = []
        for subscription in page.items {
            if topics[subscription.topic] == nil {
                // One that was deleted since the page was read.
                guard let topic = try await store.topic(.row(subscription.topic)) else { continue }
                topics[subscription.topic] = call.arn(of: topic)
            }
            guard let arn = topics[subscription.topic] else { continue }
            reports.append(try await report(subscription, arn))
        }
        return Self.list(reports, next: PageToken.next(page))
    }

    func listSubscriptionsByTopic(_ call: SNSCall) async throws -> SNSResult? {
        let topic = try await topic(of: call)
        let arn = call.arn(of: topic)
        let page = try await store.subscriptions(.topic(topic.row), PageToken.request(call.form))
        var reports: [SubscriptionReport] = []
        for subscription in page.items { reports.append(try await report(subscription, arn)) }
        return Self.list(reports, next: PageToken.next(page))
    }

    func getSubscriptionAttributes(_ call: SNSCall) async throws -> SNSResult? {
        let (subscription, topic) = try await subscription(of: call)
        let report = try await report(subscription, call.arn(of: topic))
        let attributes = report.attributes(deliveryPolicy: topic.attributes[TopicAttribute.deliveryPolicy])
        return { $0.map("Attributes", attributes) }
    }

    func setSubscriptionAttributes(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("SubscriptionArn", "AttributeName", in: call.form)
        try missing.check()
        let (subscription, topic) = try await subscription(of: call)
        guard let attribute = SubscriptionAttribute(rawValue: try call.form.required("AttributeName")) else {
            throw SNSError.invalidParameter("AttributeName")
        }
        let update: SubscriptionUpdate
        do {
            let value = try attribute.checked(
                try call.form.string("AttributeValue") ?? "",
                for: SubscriptionProtocol(of: subscription),
                isFIFO: topic.isFIFO
            )
            update = try SubscriptionUpdate(attribute, value, of: subscription)
        } catch let refusal as AttributeRefusal {
            throw AttributeForm.single.error(refusal.reason)
        }
        _ = try await updateSubscription(subscription.row, update)
        return nil
    }

    /// The subscription that a call names, with its topic.
    private func subscription(of call: SNSCall) async throws -> (Subscription, Topic) {
        let arn = try SubscriptionARN(call.form.required("SubscriptionArn"), in: call.scope)
        guard let found = try await subscription(arn) else { throw SNSError.notFound("Subscription") }
        return found
    }

    /// What is said about a subscription. An endpoint that REST subscribed has an ARN here as well.
    func report(_ subscription: Subscription, _ topic: TopicARN) async throws -> SubscriptionReport {
        var address = subscription.address
        if case .webhook = subscription.subject { address = WebhookURL.masked(address) }
        if case .endpoint(_, let id, let app) = subscription.subject, !address.hasPrefix("arn:"),
            let endpoint = try await store.endpoint(app, .id(id))
        {
            // Where the environment is not known yet, the endpoint is the production application's first.
            for environment in endpoint.environment.map({ [$0] }) ?? [.production, .sandbox] {
                let lane = Lane(app: app, platform: endpoint.platform, environment: environment)
                guard let application = try await store.platformApplication(of: lane) else { continue }
                address = arn(of: endpoint, in: application).description
                break
            }
        }
        return SubscriptionReport(subscription: subscription, topic: topic, endpoint: address)
    }

    private static func list(_ reports: [SubscriptionReport], next: String?) -> SNSResult {
        { writer in
            writer.list("Subscriptions", reports) { $1.write(to: &$0) }
            writer.element("NextToken", optional: next)
        }
    }
}
