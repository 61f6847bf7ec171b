public import Foundation
package import MartletWire

/// What a user can read later, whether or not a push of it arrived.
public struct InboxItem: Sendable, Hashable, Identifiable {
    /// The id: that of the notification, ``NotificationPayload/messageID``.
    public let id: String
    /// The category's key, as in ``NotificationPreferences``.
    public let category: String?
    /// The first line.
    public let title: String?
    /// The second line.
    public let subtitle: String?
    /// The text.
    public let body: String?
    /// An image to show; only https.
    public let imageURL: URL?
    /// Where a tap leads, as far as ``PushNotificationSDK/linkPolicy`` allows it; ``PushNotificationSDK/Inbox/open(_:)``
    /// goes there.
    public let deepLink: URL?
    /// When it was published.
    public let publishedAt: Date
    /// When it leaves the inbox.
    public let expiresAt: Date
    /// Whether the user saw it in a list.
    public private(set) var isSeen: Bool
    /// Whether the user read it; who read it saw it too.
    public private(set) var isRead: Bool
    /// Whether the user put it away; who did so read it too.
    public private(set) var isArchived: Bool
    /// The link as it came.
    let link: String?
    private let data: [String: JSONValue]

    /// What the backend sent beside the text; `nil` when it sent nothing.
    ///
    /// The values are `String`, `Bool`, `Int`, `Double`, `NSNull`, `[Any]` and `[String: Any]`.
    public var customData: [String: Any]? { data.isEmpty ? nil : data.mapValues(\.foundationValue) }

    /// The item as it is after a mark: who read it saw it too, and who put it away read it.
    package func after(_ mark: InboxMark) -> InboxItem {
        var item = self
        switch mark {
        case .seen: item.isSeen = true
        case .unseen: (item.isSeen, item.isRead) = (false, false)
        case .read: (item.isSeen, item.isRead) = (true, true)
        case .unread: item.isRead = false
        case .archived: (item.isSeen, item.isRead, item.isArchived) = (true, true, true)
        case .unarchived: item.isArchived = false
        }
        return item
    }
}

extension InboxItem {
    /// An item as the server says it, with the link that a policy allows.
    package init(_ response: InboxItemResponse, links: LinkPolicy) {
        id = response.id.description
        category = response.category
        title = response.title
        subtitle = response.subtitle
        body = response.body
        imageURL = response.image.flatMap(URL.init).flatMap { $0.scheme?.lowercased() == "https" ? $0 : nil }
        link = response.deepLink
        deepLink =
            switch link.map(links.decision) {
            case .deepLink(let url)?, .web(let url)?: url
            case .refused?, nil: nil
            }
        publishedAt = Date(response.publishedAt)
        expiresAt = Date(response.expiresAt)
        isSeen = response.isSeen
        isRead = response.isRead
        isArchived = response.isArchived
        data = response.data ?? [:]
    }

    /// The notification that the item is of, as a tap on it has it.
    var notification: ReceivedNotification {
        var members = data
        members[PayloadKey.messageID] = .string(id)
        members["title"] = title.map(JSONValue.string)
        members["body"] = body.map(JSONValue.string)
        members["deep_link"] = link.map(JSONValue.string)
        // The item's own link is the one that counts.
        for name in ["aps", "deeplink", "link", "url"] { members[name] = nil }
        return ReceivedNotification(identifier: id, payload: NotificationPayload(members: members))
    }

    /// The item as JSON, under this type's own names; times are RFC 3339 in UTC. What is absent is left out.
    public var json: String { value.text }

    var value: JSONValue {
        var members: [String: JSONValue] = ["id": .string(id)]
        let texts = [
            ("publishedAt", publishedAt.rfc3339), ("expiresAt", expiresAt.rfc3339), ("category", category),
            ("title", title), ("subtitle", subtitle), ("body", body),
            ("imageURL", imageURL?.absoluteString), ("deepLink", deepLink?.absoluteString),
        ]
        for (name, text) in texts { members[name] = text.map(JSONValue.string) }
        if !data.isEmpty { members["customData"] = .object(data) }
        members["isSeen"] = .bool(isSeen)
        members["isRead"] = .bool(isRead)
        members["isArchived"] = .bool(isArchived)
        return .object(members)
    }
}

extension Date {
    fileprivate init(_ time: UTCTime) { self.init(timeIntervalSince1970: TimeInterval(time.milliseconds) / 1000) }

    fileprivate var rfc3339: String {
        UTCTime(milliseconds: Int64((timeIntervalSince1970 * 1000).rounded())).description
    }
}
