import MartletCore
import MartletWire

/// What pages show of a topic's subscribers. A pure value.
struct SubscriberWords: Sendable {
    var texts: Texts
    var apps: [App]
    var topic: Topic

    /// - Parameter message: one that the filter is tried on.
    func values(of one: Subscription, tried message: TopicMessage?) -> PageValues {
        let app = apps.first { $0.row == one.subject.app }
        var values: PageValues = [
            "subscription_id": one.id.description,
            "subscription_address": "/console/topics/\(topic.id)/subscriptions/\(one.id)",
            "subscriber_app": app?.name ?? "", "has_filter": one.filter != nil,
            "filter_text": Self.excerpt(one.filter?.text ?? ""),
            "filter_scope": one.filter.map { texts["topics.scope.\(FilterScopeName($0.scope).rawValue)"] } ?? "",
            "is_confirmed": one.isConfirmed, "subscribed": PageValues.time(one.createdAt) as PageValues,
            "would_get": message.map { wouldGet(one, $0) } ?? false, "has_address": false,
        ]
        switch one.subject {
        case .endpoint(_, let id, _):
            values["subscriber_kind"] = texts["topics.kind.endpoint"]
            values["subscriber"] = id.description
        case .user(let user):
            values["subscriber_kind"] = texts["topics.kind.user"]
            values["subscriber"] = user.id
            if let app {
                values["has_address"] = true
                values["subscriber_address"] = Person(app: app, user: user.id).address
            }
        case .webhook(let address):
            values["subscriber_kind"] = texts["topics.kind.webhook"]
            values["subscriber"] = WebhookURL.masked(address)
        }
        return values
    }

    /// As much of a policy as a list shows. Ours: a page of fifty stays below 100 KB.
    private static func excerpt(_ text: String) -> String { text.count > 160 ? text.prefix(160) + "…" : text }

    private func wouldGet(_ one: Subscription, _ message: TopicMessage) -> Bool {
        one.isConfirmed && (one.filter?.lets(through: message) ?? true)
    }
}
