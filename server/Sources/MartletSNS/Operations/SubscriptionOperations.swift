import MartletCore
import MartletStore
import MartletWire

/// Subscribing and its end.
extension SNSService {
    func subscribe(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("TopicArn", "Protocol", in: call.form)
        try missing.check()
        let topic = try await topic(of: call)
        let address = try call.form.string("Endpoint") ?? ""
        let transport = try SubscriptionProtocol(
            call.form.required("Protocol"),
            endpoint: address,
            isFIFO: topic.isFIFO
        )
        try checkReach(of: address, over: transport)
        let settings = try SubscriptionSettings(call.form.map("Attributes"), for: transport, isFIFO: topic.isFIFO)
        let showsARN = try call.form.bool("ReturnSubscriptionArn") ?? false

        let subject: SubscriptionDraft.Subject
        var stored = address
        if transport == .application {
            (subject, stored) = try await person(subscribing: address, call)
        } else {
            stored = try WebhookAddress.sealed(address, vault)
            subject = .webhook(stored)
        }
        var draft = SubscriptionDraft(topic: topic.row, subject: subject, address: stored, filter: settings.filter)
        draft.attributes = settings.attributes
        draft.attributes[SubscriptionReport.Note.principal] = call.principal
        draft.isPending = transport != .application

        let subscribed = try await subscribe(draft, call)
        var subscription = subscribed.subscription
        guard subscribed.isNew || settings.agree(with: subscription) else {
            throw AttributeForm.map.error("Subscription already exists with different attributes")
        }
        if subscribed.isNew {
            await record(
                "subscription.create",
                of: AuditSubject(subscription),
                by: call,
                app: subscription.subject.app,
                after: subscription.audited(topic)
            )
        }
        if !subscription.isConfirmed {
            if !subscribed.isNew {
                subscription = try await updateSubscription(subscription.row, SubscriptionUpdate(isAskedAgain: true))
            }
            try await enqueueConfirmation(of: subscription, topic: topic, call)
        }
        let name = SubscriptionARN(topic: call.arn(of: topic), id: subscription.id.description)
        let arn = subscription.isConfirmed || showsARN ? name.description : "pending confirmation"
        return { $0.element("SubscriptionArn", arn) }
    }

    /// Ending what there is not is no error. The link in a message to a webhook URL has no signature, and works unless the
    /// subscriber asked for one when they confirmed.
    func unsubscribe(_ call: SNSCall) async throws -> SNSResult? {
        let text = try call.form.string("SubscriptionArn") ?? ""
        let arn = try SubscriptionARN(text, in: call.scope(of: text))
        guard let (subscription, topic) = try await subscription(arn) else { return nil }
        if call.caller == nil {
            let mustSign = subscription.attributes[SubscriptionReport.Note.mustAuthenticate] == "true"
            guard case .webhook = subscription.subject, !mustSign else {
                throw SNSError.notAuthorized(
                    user: ARN.principal("anonymous", region: call.region, account: call.account),
                    action: call.action.rawValue,
                    resource: call.arn(of: topic).description
                )
            }
        }
        try await end(subscription, of: topic, call)
        await record(
            "subscription.delete",
            of: AuditSubject(subscription),
            by: call,
            app: subscription.subject.app,
            before: subscription.audited(topic)
        )
        return nil
    }

    private func subscribe(_ draft: SubscriptionDraft, _ call: SNSCall) async throws -> Subscribed {
        do {
            return try await store.subscribe(draft)
        } catch let failure as Failure where failure.code == .conflict {
            throw SNSError.filterPolicyLimit
        } catch let failure as Failure where failure.code == .notFound {
            // One of the two was deleted since it was looked up.
            guard try await store.topic(.row(draft.topic)) != nil else { throw SNSError.notFound("Topic") }
            throw SNSError.noEndpoint(draft.address)
        }
    }

    /// Refuses an address of the inside that stands in a URL at once; what a name leads to is found out with each attempt.
    private func checkReach(of address: String, over transport: SubscriptionProtocol) throws(SNSError) {
        guard transport != .application, case .address(let ip)? = WebhookURL(address)?.host,
            let purpose = settings.privateHosts.refusal(of: ip, for: ip.description)
        else { return }
        throw .invalidParameter("Endpoint", reason: "This server does not call \(purpose) addresses")
    }

    /// The endpoint or the user that a call subscribes, and what it is called.
    private func person(subscribing text: String, _ call: SNSCall) async throws -> (SubscriptionDraft.Subject, String) {
        guard let arn = try? ARN(text, parameter: "Endpoint"), arn.resource.hasPrefix("user/") else {
            return (.endpoint(try await endpoint(subscribing: text, call).row), text)
        }
        guard let user = try? UserARN(text, parameter: "Endpoint", in: call.scope) else {
            throw SNSError.invalidParameter("Application endpoint arn invalid:\(text.excerpt)")
        }
        guard let app = try await app(of: user) else { throw SNSError.noEndpoint(text) }
        return (.user(user.user, app: app.row), user.description)
    }

    /// The endpoint that a call subscribes.
    private func endpoint(subscribing text: String, _ call: SNSCall) async throws -> Endpoint {
        let parts = (try? ARN(text, parameter: "Endpoint"))?.resource.split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        guard let parts, parts.count == 4, parts[0] == "endpoint", !parts.contains("") else {
            throw SNSError.invalidParameter("Application endpoint arn invalid:\(text.excerpt)")
        }
        guard let arn = try? EndpointARN(text, parameter: "Endpoint", in: call.scope),
            let (_, endpoint) = try await endpoint(arn)
        else { throw SNSError.noEndpoint(text) }
        return endpoint
    }

    /// A subscription and its topic, by a name; `nil` when there is none of that name.
    func subscription(_ arn: SubscriptionARN) async throws -> (Subscription, Topic)? {
        guard let id = PublicID(arn.id), let subscription = try await store.subscription(.id(id)),
            let topic = try await store.topic(.row(subscription.topic)), topic.app == nil,
            topic.name == arn.topic.name, topic.region == arn.topic.region
        else { return nil }
        return (subscription, topic)
    }

    /// Writes an update of a subscription that may have ended meanwhile.
    func updateSubscription(
        _ row: RowID<Subscription>,
        _ update: SubscriptionUpdate
    ) async throws -> Subscription {
        do {
            return try await store.updateSubscription(row, update)
        } catch let failure as Failure where failure.code == .conflict {
            throw SNSError.filterPolicyLimit
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.notFound("Subscription")
        }
    }
}

extension SNSCall {
    /// What a name in this call may be of. A call without a signature names no region, so that of the name counts.
    fileprivate func scope(of text: String) -> ARNScope {
        guard caller == nil, let arn = try? ARN(text, parameter: "SubscriptionArn") else { return scope }
        return ARNScope(region: arn.region, account: account, action: action)
    }
}

extension SNSError {
    /// A topic that has as many different filter policies as it may.
    static let filterPolicyLimit = SNSError(
        .filterPolicyLimitExceeded,
        "The topic has as many filter policies as it may have."
    )

    /// An endpoint that somebody would subscribe and that is not there, in AWS's words and spaces.
    fileprivate static func noEndpoint(_ arn: String) -> SNSError {
        .invalidParameter("Endpoint", reason: "Endpoint does not exist for endpoint arn\(arn.excerpt)")
    }
}

/// What the interface says about a subscription.
struct SubscriptionReport: Sendable {
    /// In place of the name of a subscription that is not confirmed.
    static let pending = "PendingConfirmation"

    /// Names under which a subscription keeps what is no attribute that somebody may set.
    enum Note {
        /// Who subscribed, as an ARN.
        static let principal = "SubscriptionPrincipal"
        /// Whether the confirmation was signed.
        static let isAuthenticated = "ConfirmationWasAuthenticated"
        /// Whether an unsubscription must be signed.
        static let mustAuthenticate = "AuthenticateOnUnsubscribe"
    }

    let subscription: Subscription
    let topic: TopicARN
    /// Whom it reaches: an address, or an endpoint's ARN; of a user, whom REST subscribes, a text in the form of one.
    let endpoint: String

    /// Its name.
    var arn: SubscriptionARN { SubscriptionARN(topic: topic, id: subscription.id.description) }

    /// Writes it as a member of a list.
    func write(to writer: inout AnswerWriter) {
        writer.element("SubscriptionArn", subscription.isConfirmed ? arn.description : Self.pending)
        writer.element("Owner", topic.account)
        writer.element("Protocol", SubscriptionProtocol(of: subscription).rawValue)
        writer.element("Endpoint", endpoint)
        writer.element("TopicArn", topic.description)
    }

    /// What `GetSubscriptionAttributes` says.
    ///
    /// - Parameter deliveryPolicy: that of its topic.
    func attributes(deliveryPolicy: String?) -> [(key: String, value: String)] {
        let known = subscription.attributes
        let transport = SubscriptionProtocol(of: subscription)
        var entries: [(key: String, value: String)] = [
            ("SubscriptionArn", arn.description),
            ("TopicArn", topic.description),
            ("Owner", topic.account),
            ("Protocol", transport.rawValue),
            ("Endpoint", endpoint),
            ("PendingConfirmation", subscription.isConfirmed ? "false" : "true"),
            (Note.isAuthenticated, known[Note.isAuthenticated] ?? (transport == .application ? "true" : "false")),
            (
                "RawMessageDelivery",
                known[SubscriptionAttribute.rawMessageDelivery] ?? SubscriptionAttribute.rawMessageDelivery.defaultValue
            ),
            (
                Note.principal,
                known[Note.principal] ?? ARN.principal("root", region: topic.region, account: topic.account)
            ),
        ]
        for attribute in [SubscriptionAttribute.deliveryPolicy, .redrivePolicy, .subscriptionRoleARN] {
            guard let value = known[attribute], !value.isEmpty else { continue }
            let isPolicy = attribute == .deliveryPolicy
            entries.append(
                (attribute.rawValue, isPolicy ? DeliveryPolicyDocument.shown(subscription: value) : value)
            )
        }
        if transport != .application {
            let policy = DeliveryPolicyDocument.effective(
                subscription: known[SubscriptionAttribute.deliveryPolicy],
                topic: deliveryPolicy
            )
            entries.append(("EffectiveDeliveryPolicy", policy))
        }
        if let filter = subscription.filter {
            entries.append((SubscriptionAttribute.filterPolicy.rawValue, filter.text))
            entries.append((SubscriptionAttribute.filterPolicyScope.rawValue, filter.scope.attribute))
        }
        return entries
    }
}

extension Subscription {
    /// What an attribute is now, its default where nobody set it.
    func value(of attribute: SubscriptionAttribute) -> String {
        switch attribute {
        case .filterPolicy: filter?.text ?? ""
        case .filterPolicyScope: filter?.scope.attribute ?? attributes[attribute] ?? attribute.defaultValue
        default: attributes[attribute] ?? attribute.defaultValue
        }
    }
}

extension [String: String] {
    /// What was set about a subscription under a name.
    subscript(attribute: SubscriptionAttribute) -> String? { self[attribute.rawValue] }
}
