package import MartletWire

extension AuditDraft {
    /// That a notification is sent: to whom and when, and nothing of what it says.
    package init(sending draft: NotificationDraft, by actor: AuditActor) {
        var after = draft.audience.audited
        after["class"] = .string(draft.class.rawValue)
        after["category"] = draft.category.map { .string($0.key) }
        after["send_at"] = draft.sendAt.map { .string(UTCTime($0).description) }
        self.init(.sendNotification, of: .notification(draft.id), by: actor, app: draft.app, after: .object(after))
    }

    /// That a message is published to a topic: one line, however many apps its subscribers are of.
    package init(publishing id: PublicID, to topic: Topic, apps: [App], by actor: AuditActor) {
        var after = Audience.topic(TopicSelection(topic)).audited
        after["apps"] = .array(apps.map { .string($0.name) })
        self.init(
            .sendNotification,
            of: .notification(id),
            by: actor,
            app: apps.count == 1 ? apps[0].row : nil,
            after: .object(after)
        )
    }
}

extension Audience {
    /// Whether it can reach more than one person or device.
    package var isOfMany: Bool { count.map { $0 > 1 } ?? true }

    /// What the audit log shows of it: how many it names, and none of them.
    fileprivate var audited: [String: JSONValue] {
        let kind: String
        var members: [String: JSONValue] = [:]
        switch self {
        case .users: kind = "users"
        case .endpoints: kind = "endpoints"
        case .tokens: kind = "tokens"
        case .all: kind = "all"
        case .topic(let topic):
            kind = "topic"
            members["topic"] = .string(topic.name)
        }
        members["audience"] = .string(kind)
        members["named"] = count.map { .integer(Int64($0)) }
        return members
    }
}
