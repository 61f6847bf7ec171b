import Foundation
import MartletCore
import MartletWire

/// A payload: `aps` and the app's own values beside it, or a raw one.
struct APNsPayload: Sendable, Hashable {
    /// The whole JSON object.
    private(set) var members: [String: JSONValue]
    /// Whether the backend gave it as it is, so that only what APNs itself would refuse is checked.
    let isRaw: Bool
    /// Whether the sender said whether the service extension may change the alert.
    private let hasChosenMutability: Bool
    /// Whether the sender said which badge everybody gets, or none.
    private let hasChosenBadge: Bool
    /// Whether each user's badge is written into its `aps`.
    private var hasUserBadges = false
    /// Whether the delivery's id is written behind its last member.
    private var hasDeliveryID = false
    /// The text that is sent as it is; `nil` for what is written from the members.
    private var source: String?

    /// Where its `aps` stands, for messages.
    var apsPath: String { isRaw ? "\(APNsOverride.path).payload.aps" : "\(APNsOverride.path).aps" }

    /// The `aps` object; empty when there is none.
    var aps: [String: JSONValue] { members["aps"]?.objectValue ?? [:] }

    /// Whether the phone shows or plays something.
    var isShown: Bool { hasUserBadges || isShownToAll }

    /// The same, whatever the user's badge is.
    private var isShownToAll: Bool { ["alert", "badge", "sound"].contains { (aps[$0] ?? .null) != .null } }

    /// Whether it shows nothing but a badge that is the user's own.
    var isUserBadgeAlone: Bool { hasUserBadges && !isShownToAll }

    /// Whether the app is woken in the background.
    var isContentAvailable: Bool { aps["content-available"] == 1 }

    /// Whether there are values of the app's own.
    var hasCustomValues: Bool { members.contains { $0.key != "aps" } }

    /// A payload of typed parts.
    init(
        aps: APSPayload,
        custom: [String: JSONValue],
        hasChosenMutability: Bool = false,
        hasChosenBadge: Bool = false
    ) {
        members = custom
        members["aps"] = aps.json
        isRaw = false
        self.hasChosenMutability = hasChosenMutability
        self.hasChosenBadge = hasChosenBadge
        source = nil
    }

    /// A payload as the backend gave it.
    ///
    /// - Throws: `Failure` when its `aps` is not an object.
    init(raw: [String: JSONValue], source: String? = nil) throws(Failure) {
        members = raw
        isRaw = true
        hasChosenMutability = true
        hasChosenBadge = true
        self.source = source
        if let aps = raw["aps"], aps.objectValue == nil {
            throw .invalid(apsPath, "The member aps of a payload is an object.")
        }
    }

    /// A submission's payload before it is known which push type it gets.
    init(_ content: Content, isLiveActivity: Bool) throws(Failure) {
        switch try APNsOverride(content.overrides[.apns]) {
        case .payload(let raw): try self.init(raw: raw)
        case .text(let text): try self.init(raw: Self.members(of: text), source: text)
        case .none:
            self.init(aps: try APSPayload(content), custom: try Self.customValues(content))
        case .aps(let changes):
            let merged = APNsOverride.merge(changes, over: try APSPayload(content).json.objectValue ?? [:])
            let aps = try APSPayload(merged, path: "\(APNsOverride.path).aps", isLiveActivity: isLiveActivity)
            self.init(
                aps: aps,
                custom: try Self.customValues(content),
                hasChosenMutability: changes[Self.mutableContent] != nil,
                hasChosenBadge: changes["badge"] != nil
            )
        }
    }

    /// Lets the app's service extension see an alert before it is shown, unless the sender said otherwise: there it gets
    /// its image, its default category and its delivery event. An app without an extension sees no difference.
    mutating func allowChanges() {
        guard !hasChosenMutability, (aps["alert"] ?? .null) != .null else { return }
        set(Self.mutableContent, in: 1)
    }

    /// How many bytes the member with the delivery's id has behind others.
    private static let deliveryIDCount = #","delivery_id":"00000000-0000-0000-0000-000000000000""#.utf8.count

    private static let mutableContent = "mutable-content"

    /// Sets a member of `aps`.
    mutating func set(_ key: String, in aps: JSONValue) {
        var changed = self.aps
        changed[key] = aps
        members["aps"] = .object(changed)
    }

    /// Takes an empty `aps` away, for push types that have none.
    mutating func removeEmptyAPS() {
        if aps.isEmpty { members["aps"] = nil }
    }

    /// Adds the notification's id, by which the SDK reports on it, unless the sender gave one.
    ///
    /// Of a payload that is text, nothing else changes: the id is written behind the last member. Where it does not fit
    /// within the limit the text goes as it is, because what its sender may send is not refused for what is ours.
    mutating func add(messageID: PublicID, limit: Int) {
        guard members[PayloadKey.messageID] == nil else { return }
        if let text = source {
            guard let end = text.utf8.lastIndex(of: UInt8(ascii: "}")) else { return }
            let member = "\(members.isEmpty ? "" : ",")\"\(PayloadKey.messageID)\":\"\(messageID)\""
            let reserved = hasDeliveryID ? Self.deliveryIDCount : 0
            guard text.utf8.count + member.utf8.count + reserved <= limit else { return }
            source = text[..<end] + member + text[end...]
        }
        members[PayloadKey.messageID] = .string(messageID.description)
    }

    /// Leaves a place in `aps` for the badge that a user has, unless the sender said what its badge is.
    mutating func addUserBadges() { hasUserBadges = !hasChosenBadge }

    /// Leaves a place for the delivery's id.
    ///
    /// - Throws: `Failure` where the sender gave a value for the same key.
    mutating func addDeliveryID() throws(Failure) {
        guard members[CustomKey.deliveryID] == nil else {
            let path = isRaw ? "\(APNsOverride.path).payload" : "data"
            throw .invalid(
                "\(path).\(CustomKey.deliveryID)",
                "The key \(CustomKey.deliveryID) is given twice: by its own field too."
            )
        }
        hasDeliveryID = true
    }

    /// What stands in a payload that is given as text. One beyond every limit is not read: its size is refused later.
    private static func members(of text: String) throws(Failure) -> [String: JSONValue] {
        guard text.utf8.count <= 2 * APNsPushType.voip.rules.payloadLimit else { return [:] }
        guard let members = (try? JSONValue(json: Data(text.utf8)))?.objectValue else {
            throw .invalid("\(APNsOverride.path).text", "The payload is not a JSON object.")
        }
        return members
    }

    /// What is sent: compact, keys sorted, so that the same submission gives the same bytes; `aps` is first where it has a
    /// place for a badge.
    func rendered() throws(Failure) -> Payload {
        var payload = hasUserBadges ? try badged() : Payload(try bytes())
        if hasDeliveryID { insertDeliveryID(into: &payload) }
        return payload
    }

    private func bytes() throws(Failure) -> [UInt8] {
        if let source { return Array(source.utf8) }
        return try Self.json(members)
    }

    /// With the place for a badge as the first member of `aps`. A user without one gets no such member.
    private func badged() throws(Failure) -> Payload {
        let opening = Array(#"{"aps":{"#.utf8)
        var rest = members
        rest["aps"] = nil
        var bytes = opening + (try Self.json(aps)).dropFirst()
        bytes += rest.isEmpty ? [UInt8(ascii: "}")] : [UInt8(ascii: ",")] + (try Self.json(rest)).dropFirst()
        let after = aps.isEmpty ? "" : ","
        return Payload(bytes, holes: [.init(.badge, at: opening.count, before: #""badge":"#, after: after)])
    }

    /// Behind the last member: of a payload that is text nothing else changes.
    private func insertDeliveryID(into payload: inout Payload) {
        guard let end = payload.bytes.lastIndex(of: UInt8(ascii: "}")) else { return }
        let name = Array("\(members.isEmpty && !hasUserBadges ? "" : ",")\"\(CustomKey.deliveryID)\":\"".utf8)
        payload.bytes.insert(contentsOf: name + [UInt8(ascii: "\"")], at: end)
        payload.holes.append(.init(.deliveryID, at: end + name.count))
    }

    private static func json(_ members: [String: JSONValue]) throws(Failure) -> [UInt8] {
        do {
            return Array(try JSONValue.object(members).json())
        } catch {
            throw .invalid("content", "The payload has a number that JSON cannot hold.")
        }
    }
}

extension APNsPayload {
    /// The keys beside `aps` that Martlet fills; the SDK reads them.
    enum CustomKey {
        static let deepLink = "deep_link"
        static let imageURL = "image_url"
        static let deliveryID = "delivery_id"
    }

    private static func customValues(_ content: Content) throws(Failure) -> [String: JSONValue] {
        var custom = content.data
        guard custom["aps"] == nil else {
            throw .invalid(
                "data.aps",
                "The key aps is reserved for Apple.",
                hint: "Change aps with overrides.apns.aps, or give a whole payload in overrides.apns.payload."
            )
        }
        try checkID(custom, PayloadKey.messageID)
        try checkID(custom, PayloadKey.campaignID)
        try checkID(custom, PayloadKey.treasureDataCampaignID)
        for (key, value) in [(CustomKey.deepLink, content.deepLink), (CustomKey.imageURL, content.image)] {
            guard let value else { continue }
            guard custom.updateValue(.string(value), forKey: key) == nil else {
                throw .invalid("data.\(key)", "The key \(key) is given twice: in data and by its own field.")
            }
        }
        return custom
    }
}

extension APNsPayload {
    /// Checks an id of the sender's that phones send back with what they report.
    private static func checkID(_ custom: [String: JSONValue], _ key: String) throws(Failure) {
        guard let value = custom[key] else { return }
        guard let text = value.stringValue, (1...256).contains(text.utf8.count) else {
            throw .invalid("data.\(key)", "It must be a text of 1 to 256 bytes: phones send it back with their events.")
        }
    }
}

extension APSPayload {
    /// The `aps` of what a notification says.
    fileprivate init(_ content: Content) throws(Failure) {
        self.init()
        if content.title != nil || content.subtitle != nil || content.body != nil {
            alert = APSAlert(
                title: content.title.map(APSAlert.Text.plain),
                subtitle: content.subtitle.map(APSAlert.Text.plain),
                body: content.body.map(APSAlert.Text.plain)
            )
        }
        if let number = content.badge, number < 0 { throw .invalid("badge", "A badge is a whole number, 0 or more.") }
        badge = content.badge.map(Int64.init)
        sound = content.sound.map(APSSound.named)
        category = content.actionCategory
        threadID = content.threadID
    }
}
