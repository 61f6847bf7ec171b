import Foundation
package import MartletWireBase

/// What a push says.
///
/// Nothing in a payload is trusted to have the type that it should have: what does not fit reads as absent.
public struct NotificationPayload: Sendable, Equatable, Hashable {
    /// The first line; empty when there is none.
    public let title: String
    /// The text; empty when there is none.
    public let body: String
    /// The second line.
    public let subtitle: String?
    /// The id by which the push is counted.
    public let messageID: String?
    /// The campaign, from `td_campaign_id` or `campaign_id`.
    public let campaignID: String?
    /// The category whose buttons are shown.
    public let category: String?
    /// The number on the app's icon.
    public let badge: Int?
    /// What the person wrote into the notification, where the tapped button takes text; it is no part of the push.
    public package(set) var userText: String?
    /// Everything beside Apple's `aps` and the push's own id.
    package let custom: [String: JSONValue]
    /// The messages whose notifications the device shall not show any more: they were recalled, or read elsewhere.
    package let removedMessageIDs: Set<String>
    /// Apple's `aps`.
    package let aps: [String: JSONValue]

    /// What the backend sent beside the text; `nil` when it sent nothing.
    ///
    /// The values are `String`, `Bool`, `Int`, `Double`, `NSNull`, `[Any]` and `[String: Any]`.
    public var customData: [String: Any]? { custom.isEmpty ? nil : custom.mapValues(\.foundationValue) }

    /// Reads what the system hands over with a notification. Every dictionary is a payload, if an empty one.
    public init(userInfo: [AnyHashable: Any]) {
        self.init(members: JSONValue.members(of: userInfo))
    }

    /// Reads what the system hands over, and takes the text that it shows where the payload has only keys of the app's own
    /// translations (`title-loc-key`, `loc-key`).
    package init(userInfo: [AnyHashable: Any], shown: (title: String, body: String)) {
        self.init(members: JSONValue.members(of: userInfo), shown: shown)
    }

    /// Reads a payload from its JSON.
    package init(members: [String: JSONValue], shown: (title: String, body: String) = ("", "")) {
        let aps = members["aps"]?.objectValue ?? [:]
        let alert = aps["alert"]
        let parts = alert?.objectValue ?? [:]
        var custom = members
        custom["aps"] = nil
        custom[PayloadKey.messageID] = nil
        removedMessageIDs = Self.removed(members[Self.ownKey]?.objectValue)
        // What the server says to the SDK is not the app's. Another's value of that name is.
        if !removedMessageIDs.isEmpty { custom[Self.ownKey] = nil }
        self.aps = aps
        self.custom = custom
        title = parts.text("title") ?? members.text("title") ?? shown.title
        body = parts.text("body") ?? alert?.stringValue ?? members.text("body") ?? shown.body
        subtitle = parts.text("subtitle")
        messageID = members.word(PayloadKey.messageID)
        campaignID = members.word(PayloadKey.treasureDataCampaignID) ?? members.word(PayloadKey.campaignID)
        category = aps.text("category")
        badge = aps["badge"]?.integerValue.flatMap(Int.init(exactly:))
    }
}

extension NotificationPayload {
    /// Under this key the server speaks to the SDK.
    private static let ownKey = "martlet"

    private static func removed(_ members: [String: JSONValue]?) -> Set<String> {
        guard case .array(let ids)? = members?["remove"] else { return [] }
        return Set(ids.compactMap(\.stringValue).filter { !$0.isEmpty })
    }

    /// Whether it only takes notifications away, and is none itself.
    package var isOnlyRemoval: Bool { !removedMessageIDs.isEmpty && !showsAlert && custom.isEmpty }

    /// The web link, from `link` or `url`.
    public var link: String? { custom.word("link") ?? custom.word("url") }
    /// The link into an app, from `deeplink` or `deep_link`.
    public var deepLink: String? { custom.word("deeplink") ?? custom.word("deep_link") }
    /// The image, from `image_url` or `fcm_options.image`.
    public var imageURL: String? {
        custom.word("image_url") ?? custom["fcm_options"]?.objectValue?.word("image")
    }
    /// What the app is asked to do, such as `refresh_dashboard`.
    public var action: String? { custom.word("action") }

    /// Whether the system shows something.
    package var showsAlert: Bool { aps["alert"].map { $0 != .null } ?? false }
    /// Whether the app is woken in the background.
    package var isContentAvailable: Bool { aps["content-available"]?.isOne ?? false }
    /// Whether the service extension is run.
    package var isMutable: Bool { aps["mutable-content"]?.isOne ?? false }
    /// Whether it has an id to count events by: Martlet puts `message_id` into every payload.
    package var isCounted: Bool { messageID != nil || campaignID != nil }
    /// Whether the SDK tells of it: every push but another vendor's, which is left to that vendor's SDK. An id, a
    /// removal and something to reload count for more than a vendor's marker: their senders may use Firebase.
    package var isOurs: Bool {
        isCounted || !removedMessageIDs.isEmpty || RefreshWish(self) != nil || !isMarkedByVendor
    }

    /// Whether it has what another vendor puts into each of its pushes. A vendor that is not named here is not known.
    private var isMarkedByVendor: Bool {
        custom.contains { key, value in
            switch key {
            // Firebase, Customer.io, Leanplum, NIFCLOUD, Pushwoosh and KARTE.
            case "gcm.message_id", "CIO-Delivery-ID", "_lpm", "com.nifty.PushId", "pw_msg": true
            case "krt_push_notification", "krt_mass_push_notification": true
            // Braze, Batch, Iterable and MoEngage.
            case "ab", "com.batch", "itbl", "moengage": value.objectValue != nil
            // OneSignal.
            case "custom": value.objectValue?["i"] != nil
            // Salesforce.
            case "_sid": value == .string("SFMC")
            // CleverTap and Airship.
            default: key.hasPrefix("wzrk_") || key.hasPrefix("com.urbanairship.")
            }
        }
    }

    /// The payload as JSON, under this type's own names: `title` and `body`, and `subtitle`, `messageId`, `campaignId`,
    /// `category`, `badge`, `userText` and `customData` where they are present.
    public var json: String {
        var members: [String: JSONValue] = ["title": .string(title), "body": .string(body)]
        if !custom.isEmpty { members["customData"] = .object(custom) }
        let texts = [
            ("subtitle", subtitle), ("messageId", messageID), ("campaignId", campaignID), ("category", category),
            ("userText", userText),
        ]
        for (key, value) in texts { if let value { members[key] = .string(value) } }
        if let badge { members["badge"] = .integer(Int64(badge)) }
        // Numbers that JSON cannot hold do not come from JSON; they were left out when the payload was read.
        return (try? JSONValue.object(members).json()).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension [String: JSONValue] {
    /// The text under a key.
    fileprivate func text(_ key: String) -> String? { self[key]?.stringValue }

    /// The text under a key, unless it is empty; ids that were written as numbers are read as well.
    fileprivate func word(_ key: String) -> String? {
        switch self[key] {
        case .string(let text)? where !text.isEmpty: text
        case .integer(let number)?: String(number)
        case .decimal(let number)?: number
        default: nil
        }
    }
}

extension JSONValue {
    /// Apple's way to say yes; senders also write `true`.
    fileprivate var isOne: Bool { self == .integer(1) || self == .bool(true) || self == .number(1) }
}
