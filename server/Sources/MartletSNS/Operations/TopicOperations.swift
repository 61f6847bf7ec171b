import Foundation
import MartletCore
import MartletStore
import MartletWire

/// Topics. The interface makes and sees the server's own of one region, which belong to no app.
extension SNSService {
    func createTopic(_ call: SNSCall) async throws -> SNSResult? {
        let draft = try TopicDraft(call)
        let created = try await store.createTopic(draft)
        let arn = call.arn(of: created.topic)
        if created.isNew {
            let topic = created.topic
            await record("topic.create", of: AuditSubject(topic), by: call, app: topic.app, after: topic.audited)
        } else {
            try created.topic.check(agreesWith: draft, arn)
        }
        return { $0.element("TopicArn", arn.description) }
    }

    /// Deleting what is not there is no error.
    func deleteTopic(_ call: SNSCall) async throws -> SNSResult? {
        let arn = try TopicARN(call.form.required("TopicArn"), in: call.scope)
        if let topic = try await store.topic(.name(arn.name, app: nil, region: arn.region)) {
            let isDeleted = try await store.deleteTopic(topic.row)
            guard isDeleted else { return nil }
            await record("topic.delete", of: AuditSubject(topic), by: call, app: topic.app, before: topic.audited)
        }
        return nil
    }

    func listTopics(_ call: SNSCall) async throws -> SNSResult? {
        let page = try await store.topics(.owned(by: nil, region: call.region), PageToken.request(call.form))
        let arns = page.items.map { call.arn(of: $0).description }
        let next = PageToken.next(page)
        return { writer in
            writer.list("Topics", arns) { $0.element("TopicArn", $1) }
            writer.element("NextToken", optional: next)
        }
    }

    func getTopicAttributes(_ call: SNSCall) async throws -> SNSResult? {
        let topic = try await topic(of: call)
        let attributes = TopicReport.attributes(of: topic, call.arn(of: topic))
        return { $0.map("Attributes", attributes) }
    }

    func setTopicAttributes(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("TopicArn", "AttributeName", in: call.form)
        try missing.check()
        let topic = try await topic(of: call)
        let name = try call.form.required("AttributeName")
        guard let attribute = TopicAttribute(name), attribute != .fifoTopic else {
            throw SNSError.invalidParameter("AttributeName")
        }
        let value: String
        do {
            value = try attribute.checked(try call.form.string("AttributeValue") ?? "", isFIFO: topic.isFIFO)
        } catch let refusal as AttributeRefusal {
            throw AttributeForm.single.error(refusal.reason)
        }
        try await update(topic, TopicUpdate(attributes: [name: value.isEmpty ? nil : value]), call)
        return nil
    }

    /// The topic that a call names.
    ///
    /// - Throws: `InvalidParameter` for what is no topic's name of this region, `AuthorizationError` for another account's,
    ///   `NotFound`.
    func topic(of call: SNSCall) async throws -> Topic {
        let arn = try TopicARN(call.form.required("TopicArn"), in: call.scope)
        guard let topic = try await store.topic(.name(arn.name, app: nil, region: arn.region)) else {
            throw SNSError.notFound("Topic")
        }
        return topic
    }

    /// Writes an update of a topic that may have been deleted meanwhile.
    func update(_ topic: Topic, _ update: TopicUpdate, _ call: SNSCall) async throws {
        do {
            let changed = try await store.updateTopic(topic.row, update)
            await recordUpdate(of: topic, to: changed, by: call)
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.notFound("Topic")
        }
    }
}

extension SNSCall {
    /// The name of a topic of the call's account.
    func arn(of topic: Topic) -> TopicARN { TopicARN(region: topic.region, account: account, name: topic.name) }
}

extension TopicDraft {
    /// What `CreateTopic` asks for.
    ///
    /// - Throws: `SNSError` for a name, attributes or tags that a topic cannot have.
    init(_ call: SNSCall) throws {
        let name = try call.form.required("Name")
        var given: [(attribute: TopicAttribute, value: String)] = []
        for entry in try call.form.map("Attributes") {
            guard let attribute = TopicAttribute(entry.key) else {
                throw AttributeForm.map.error("Unknown attribute \(entry.key.excerpt)")
            }
            given.append((attribute, entry.value))
        }
        let tags = try Tag.list(call.form)
        if let policy = try call.form.string("DataProtectionPolicy"), !policy.isEmpty {
            throw SNSError.invalidParameter("DataProtectionPolicy", reason: "This server does not inspect messages")
        }
        do {
            let fifo = given.first { $0.attribute == .fifoTopic }?.value
            let isFIFO = try TopicAttribute.fifoTopic.checked(fifo ?? "false", isFIFO: false) == "true"
            guard (try? Topic.validate(name: name, isFIFO: isFIFO)) != nil else {
                throw SNSError.invalidParameter("Topic Name")
            }
            var attributes: [String: String] = [:]
            for (attribute, value) in given where attribute != .fifoTopic {
                attributes[attribute.name] = try attribute.checked(value, isFIFO: isFIFO)
            }
            self.init(region: call.region, name: name, isFIFO: isFIFO, attributes: attributes, tags: tags)
        } catch let refusal as AttributeRefusal {
            throw AttributeForm.map.error(refusal.reason)
        }
    }
}

extension Topic {
    /// Checks whether this topic is what somebody asks for a second time: what they say must be so, and what they do not
    /// say may be as it is.
    ///
    /// - Throws: `InvalidParameter` in AWS's words.
    fileprivate func check(agreesWith draft: TopicDraft, _ arn: TopicARN) throws(SNSError) {
        for (name, value) in draft.attributes {
            guard let attribute = TopicAttribute(name) else { continue }
            let known = attributes[name] ?? attribute.defaultValue(of: arn, isFIFO: isFIFO)
            guard attribute.isSame(value, known) else {
                throw AttributeForm.map.error("Topic already exists with different attributes")
            }
        }
        guard draft.tags.allSatisfy({ tags[$0.key] == $0.value }) else {
            throw .invalidParameter("Tags", reason: "Topic already exists with different tags")
        }
    }
}

/// What `GetTopicAttributes` says about a topic.
enum TopicReport {
    /// What is shown only where it was set, in this order; whatever else another interface wrote stays its own.
    private static let optional =
        ["DeliveryPolicy", "KmsMasterKeyId", "SignatureVersion", "TracingConfig", "FifoThroughputScope"]
        + TopicAttribute.feedbackNames.sorted()

    /// All attributes by name.
    static func attributes(of topic: Topic, _ arn: TopicARN) -> [(key: String, value: String)] {
        let known = topic.attributes
        var entries: [(key: String, value: String)] = [
            ("TopicArn", arn.description),
            ("Owner", arn.account),
            ("Policy", known[TopicAttribute.policy] ?? AccessPolicy.standard(of: arn).text),
            ("DisplayName", known[TopicAttribute.displayName] ?? ""),
            ("SubscriptionsConfirmed", String(topic.counts.confirmed)),
            ("SubscriptionsPending", String(topic.counts.pending)),
            ("SubscriptionsDeleted", String(topic.counts.deleted)),
            ("EffectiveDeliveryPolicy", DeliveryPolicyDocument.effective(topic: known[TopicAttribute.deliveryPolicy])),
        ]
        if topic.isFIFO {
            entries.append(("FifoTopic", "true"))
            entries.append(("ContentBasedDeduplication", known[TopicAttribute.contentBasedDeduplication] ?? "false"))
        }
        for name in optional {
            guard let value = known[name], !value.isEmpty else { continue }
            let isPolicy = name == TopicAttribute.deliveryPolicy.name
            entries.append((name, isPolicy ? DeliveryPolicyDocument.shown(topic: value) : value))
        }
        return entries
    }
}

extension [String: String] {
    /// What was set about a topic under a name.
    subscript(attribute: TopicAttribute) -> String? { self[attribute.name] }
}

/// `NextToken`: where a list goes on, as text that means nothing to the caller.
enum PageToken {
    /// How many items a page of a list has (Amazon SNS, `ListTopics` and the others).
    static let pageSize = 100

    /// The page that a call asks for.
    ///
    /// - Throws: `InvalidParameter` for a text that is no token.
    static func request(_ form: FormParameters) throws(SNSError) -> PageRequest {
        guard let text = try form.string("NextToken"), !text.isEmpty else { return PageRequest(count: pageSize) }
        guard let data = Data(base64Encoded: text), let row = Int64(String(decoding: data, as: UTF8.self)), row > 0
        else { throw .invalidParameter("NextToken") }
        return PageRequest(after: row, count: pageSize)
    }

    /// The token of the page after this one; `nil` after the last.
    static func next<Item>(_ page: Page<Item>) -> String? {
        page.next.map { Data(String($0).utf8).base64EncodedString() }
    }
}
