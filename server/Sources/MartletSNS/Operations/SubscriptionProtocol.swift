import MartletCore
import MartletStore
import MartletWire

/// What a subscription reaches its subscriber by, of what this server has.
enum SubscriptionProtocol: String, Sendable {
    case application
    case http
    case https

    /// What of Amazon's protocols this server has not: it reaches devices and webhook URLs.
    private static let absent: Set<String> = ["email", "email-json", "firehose", "lambda", "sms", "sqs"]

    /// Reads a protocol and looks whether an endpoint can be one of it.
    ///
    /// - Throws: `InvalidParameter`, in AWS's words for unknown protocols and for endpoints that no protocol takes.
    init(_ name: String, endpoint: String, isFIFO: Bool) throws(SNSError) {
        guard let known = Self(rawValue: name) else { throw Self.refusal(of: name, endpoint: endpoint, isFIFO: isFIFO) }
        switch known {
        case .application:
            // Nothing is promised about the order in which pushes reach a device. Amazon's FIFO topics take queues alone,
            // of which there are none here: webhook URLs stand in for them.
            guard !isFIFO else { throw .invalidParameter("Invalid protocol type: \(name)") }
        case .http, .https: try Self.check(address: endpoint, scheme: name)
        }
        self = known
    }

    /// That of a subscription, whoever made it.
    init(of subscription: Subscription) {
        guard case .webhook(let address) = subscription.subject else {
            self = .application
            return
        }
        self = address.lowercased().hasPrefix("https:") ? .https : .http
    }

    private static func refusal(of name: String, endpoint: String, isFIFO: Bool) -> SNSError {
        guard absent.contains(name) else {
            return .invalidParameter("Amazon SNS does not support this protocol string: \(name.excerpt)")
        }
        switch name {
        case "sms" where !isPhoneNumber(endpoint):
            return SNSError(.invalidParameter, "Invalid SMS endpoint: \(endpoint.excerpt)")
        case "email" where !endpoint.contains("@"), "email-json" where !endpoint.contains("@"):
            return .invalidParameter("Email address")
        case "sqs":
            guard let arn = try? ARN(endpoint, parameter: "Endpoint"), arn.service == "sqs", !arn.resource.isEmpty
            else { return .invalidParameter("SQS endpoint ARN") }
            guard isFIFO || !arn.resource.hasSuffix(Topic.fifoSuffix) else {
                return .invalidParameter(
                    "Invalid parameter: Endpoint",
                    reason: "FIFO SQS Queues can not be subscribed to standard SNS topics"
                )
            }
        default: break
        }
        return .invalidParameter("Protocol", reason: "This server does not deliver over \(name)")
    }

    /// A number as E.164 writes it, with spaces and single hyphens between the digits, as AWS takes them.
    private static func isPhoneNumber(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "+"), !text.contains("--") else { return false }
        let rest = text.dropFirst()
        let digits = rest.utf8.count { (0x30...0x39).contains($0) }
        return (1...15).contains(digits) && rest.utf8.last.map { (0x30...0x39).contains($0) } == true
            && rest.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
    }

    private static func check(address: String, scheme: String) throws(SNSError) {
        guard address.lowercased().hasPrefix("\(scheme)://") else {
            throw .invalidParameter("Endpoint must match the specified protocol")
        }
        guard address.utf8.count <= SubscriptionDraft.addressLimit, WebhookURL(address) != nil else {
            throw .invalidParameter("Endpoint")
        }
    }
}

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
        let changed = try await updateSubscription(subscription.row, update)
        await recordUpdate(of: subscription, to: changed, on: topic, by: call)
        return nil
    }

    /// The subscription that a call names, with its topic.
    private func subscription(of call: SNSCall) async throws -> (Subscription, Topic) {
        let arn = try SubscriptionARN(call.form.required("SubscriptionArn"), in: call.scope)
        guard let found = try await subscription(arn) else { throw SNSError.notFound("Subscription") }
        return found
    }

    /// What is said about a subscription.
    func report(_ subscription: Subscription, _ topic: TopicARN) async throws -> SubscriptionReport {
        SubscriptionReport(
            subscription: subscription,
            topic: topic,
            endpoint: try await shownEndpoint(of: subscription)
        )
    }

    /// Whom a subscription reaches, always with the parts of an ARN unless it is a webhook URL. What REST subscribes has
    /// one as well: an endpoint that of its application, a user `user/APP/ID`.
    private func shownEndpoint(of subscription: Subscription) async throws -> String {
        switch subscription.subject {
        case .webhook(let address): return WebhookURL.masked(address)
        case .endpoint where subscription.address.hasPrefix("arn:"), .user where subscription.address.hasPrefix("arn:"):
            return subscription.address
        case .endpoint(_, let id, let app):
            let endpoint = try await store.endpoint(app, .id(id))
            // Where the environment is not known yet, the endpoint is the production application's first.
            for environment in endpoint?.environment.map({ [$0] }) ?? [.production, .sandbox] {
                guard let endpoint else { break }
                let queue = DeliveryQueue(app: app, platform: endpoint.platform, environment: environment)
                guard let application = try await store.platformApplication(of: queue) else { continue }
                return arn(of: endpoint, in: application).description
            }
            let kind = endpoint.flatMap { endpoint in
                let environment = endpoint.environment ?? .production
                return PlatformApplication.Kind(
                    DeliveryQueue(app: app, platform: endpoint.platform, environment: environment)
                )
            }
            return try await ownARN("endpoint/\(kind?.rawValue ?? "NONE")", app, id.description)
        case .user(let user): return try await ownARN("user", user.app, user.id)
        }
    }

    /// What is called by its app's name and an id, whose characters an ARN may not have.
    private func ownARN(_ kind: String, _ app: RowID<App>, _ id: String) async throws -> String {
        let name = try await store.app(.row(app))?.name ?? ""
        let resource = "\(kind)/\(SignedQuery.escaped(name.utf8))/\(SignedQuery.escaped(id.utf8))"
        return ARN.text(region: homeRegion, account: settings.account, resource: resource)
    }

    private static func list(_ reports: [SubscriptionReport], next: String?) -> SNSResult {
        { writer in
            writer.list("Subscriptions", reports) { $1.write(to: &$0) }
            writer.element("NextToken", optional: next)
        }
    }
}
