import MartletCore
import MartletWire

/// What a browser gets: a notification in the declarative form, which Safari shows by itself and every other browser hands
/// to the site's worker (W3C Push API, "declarative push message"), or a payload of the sender's own.
struct WebPushPayload: Sendable, Hashable {
    /// The members beside `notification`.
    private var rest: [String: JSONValue]
    /// The members of `notification` without its `data`; `nil` for a payload that has none.
    private var notification: [String: JSONValue]?
    /// What the worker reads.
    private var data: [String: JSONValue]
    private var hasUserBadge = false
    /// Whether a value of the sender's stands where the worker would look for the delivery's id.
    private var hasOwnDeliveryID: Bool { data[Key.deliveryID] != nil }

    /// The members that Martlet fills.
    enum Key {
        /// In `notification`, where Safari 18.4 reads it, and beside it, where WebKit does since May 2025.
        static let badge = "app_badge"
        static let deliveryID = "delivery_id"
        static let deepLink = "deep_link"
        static let data = "data"
    }

    /// A notification in the declarative form.
    init(notification: [String: JSONValue], data: [String: JSONValue]) {
        rest = ["web_push": 8030, "mutable": true]
        (self.notification, self.data) = (notification, data)
        rest[Key.badge] = notification[Key.badge]
    }

    /// A payload of the sender's.
    ///
    /// - Throws: `Failure` where `notification.data` cannot hold the ids by which the worker reports.
    init(_ members: [String: JSONValue]) throws(Failure) {
        rest = members
        data = [:]
        guard var notification = members["notification"]?.objectValue else { return }
        if let given = notification.removeValue(forKey: Key.data) {
            guard let object = given.objectValue else {
                throw .invalid("\(WebPushOverride.path).payload.notification.data", "The data is an object.")
            }
            data = object
        }
        rest["notification"] = nil
        self.notification = notification
    }

    /// Whether the browser shows it by itself.
    var isDeclarative: Bool { notification != nil && rest["web_push"] == 8030 }

    /// Adds the notification's id, by which the worker reports on it, unless the sender gave one.
    mutating func add(messageID: PublicID) {
        let id = JSONValue.string(messageID.description)
        if notification != nil {
            if data[PayloadKey.messageID] == nil { data[PayloadKey.messageID] = id }
        } else if rest[PayloadKey.messageID] == nil {
            rest[PayloadKey.messageID] = id
        }
    }

    /// Leaves a place for the badge that a user has, unless the sender said which.
    mutating func addUserBadge() {
        if let notification, notification[Key.badge] == nil, rest[Key.badge] == nil { hasUserBadge = true }
    }

    /// What is sent: compact, so that the same submission gives the same bytes.
    func rendered() throws(Failure) -> Payload {
        guard let notification else { return Payload(try Self.json(rest)) }
        var payload = Payload(Array("{".utf8))
        payload.addBadge(if: hasUserBadge)
        payload.append(Array(#""notification":{"#.utf8))
        payload.addBadge(if: hasUserBadge)
        payload.append(try Self.members(notification), separator: notification.isEmpty ? "" : ",")
        payload.append(Array("\"\(Key.data)\":{".utf8))
        if !hasOwnDeliveryID {
            payload.append(Array("\"\(Key.deliveryID)\":\"".utf8))
            payload.holes.append(.init(.deliveryID, at: payload.bytes.count))
            payload.append(Array("\"".utf8), separator: data.isEmpty ? "" : ",")
        }
        payload.append(try Self.members(data))
        payload.append(Array("}}".utf8), separator: rest.isEmpty ? "" : ",")
        payload.append(try Self.members(rest))
        payload.append(Array("}".utf8))
        return payload
    }

    /// The members of an object without its braces.
    private static func members(_ object: [String: JSONValue]) throws(Failure) -> [UInt8] {
        Array(try json(object).dropFirst().dropLast())
    }

    private static func json(_ members: [String: JSONValue]) throws(Failure) -> [UInt8] {
        do {
            return Array(try JSONValue.object(members).json())
        } catch {
            throw .invalid("content", "The payload has a number that JSON cannot hold.")
        }
    }
}

extension Payload {
    fileprivate mutating func addBadge(if isWanted: Bool) {
        guard isWanted else { return }
        holes.append(.init(.badge, at: bytes.count, before: "\"\(WebPushPayload.Key.badge)\":", after: ","))
    }

    fileprivate mutating func append(_ more: [UInt8], separator: String = "") {
        bytes += more
        bytes += separator.utf8
    }
}
