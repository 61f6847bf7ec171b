import MartletCore
import MartletPipeline
import MartletWire

/// Who changed what by an access key. What needs no signature has nobody to name: the links that a subscriber follows.
extension SNSService {
    /// Writes a change down when it is made.
    ///
    /// - Parameters:
    ///   - before: what was there; `nil` for what was made.
    ///   - after: what is there now; `nil` for what is gone.
    func record(
        _ action: AuditAction,
        of subject: AuditSubject,
        by call: SNSCall,
        app: RowID<App>? = nil,
        before: JSONValue? = nil,
        after: JSONValue? = nil
    ) async {
        guard let caller = call.caller else { return }
        let draft = AuditDraft(action, of: subject, by: AuditActor(caller), app: app, before: before, after: after)
        await AuditRecorder(store: store, logger: logger).record([draft])
    }

    func recordUpdate(of topic: Topic, to changed: Topic, by call: SNSCall) async {
        await record(
            "topic.update",
            of: AuditSubject(topic),
            by: call,
            app: topic.app,
            before: topic.audited,
            after: changed.audited
        )
    }

    func recordUpdate(of known: Subscription, to changed: Subscription, on topic: Topic, by call: SNSCall) async {
        await record(
            "subscription.update",
            of: AuditSubject(known),
            by: call,
            app: known.subject.app,
            before: known.audited(topic),
            after: changed.audited(topic)
        )
    }

    /// - Parameter hasNewCredential: whether it authenticates with something else now, which is not shown.
    func recordUpdate(
        of known: PlatformApplication,
        to changed: PlatformApplication,
        hasNewCredential: Bool,
        by call: SNSCall
    ) async {
        var after = changed.audited.objectValue ?? [:]
        if hasNewCredential { after["has_new_credential"] = true }
        await record(
            "platform_application.update",
            of: subject(known),
            by: call,
            app: known.app,
            before: known.audited,
            after: .object(after)
        )
    }

    /// What the audit log knows a platform application by.
    func subject(_ application: PlatformApplication) -> AuditSubject {
        AuditSubject("platform_application", arn(of: application).description)
    }
}

extension AuditSubject {
    init(_ topic: Topic) { self.init("topic", topic.id.description) }
    init(_ subscription: Subscription) { self.init("subscription", subscription.id.description) }
    init(_ device: Endpoint) { self.init("device", device.id.description) }
}

extension Topic {
    /// What the audit log shows of it.
    var audited: JSONValue {
        [
            "name": .string(name), "region": .string(region),
            "attributes": .object(attributes.mapValues { .string($0) }),
            "tags": .object(tags.mapValues { .string($0) }),
        ]
    }
}

extension Subscription {
    /// What the audit log shows of it; of a webhook URL neither user nor password.
    func audited(_ topic: Topic) -> JSONValue {
        var members: [String: JSONValue] = [
            "topic": .string(topic.name), "is_confirmed": .bool(isConfirmed),
            "attributes": .object(attributes.mapValues { .string($0) }),
        ]
        switch subject {
        case .endpoint(_, let id, _): members["endpoint_id"] = .string(id.description)
        case .user(let user): members["user_id"] = .string(user.id)
        case .webhook(let address): members["url"] = .string(WebhookURL.masked(address))
        }
        members["filter_policy"] = filter.map { .string($0.text) }
        members["filter_scope"] = filter.map { .string($0.scope.attribute) }
        return .object(members)
    }
}

extension PlatformApplication {
    /// What the audit log shows of it: nothing that it authenticates with, which is not among its attributes.
    var audited: JSONValue {
        [
            "name": .string(name), "platform": .string(kind.rawValue), "is_enabled": .bool(isEnabled),
            "attributes": .object(attributes.mapValues { .string($0) }),
        ]
    }
}

extension Endpoint {
    /// What the audit log shows of it: not the token, nor what its owner keeps with it.
    var audited: JSONValue {
        var members: [String: JSONValue] = [
            "is_enabled": .bool(isEnabled), "device_token": .string(token), "platform": .string(platform.rawValue),
        ]
        members["user_id"] = user.map { .string($0.id) }
        members["custom_user_data"] = customUserData.map { .string($0) }
        return .object(members)
    }
}
