import Foundation
import MartletCore
import MartletWire

/// What a submission asks for at Web Push alone: the value of `overrides.webpush`.
enum WebPushOverride: Sendable, Hashable {
    /// Nothing.
    case none
    /// Members laid over the rendered `notification`; `null` removes one.
    case notification([String: JSONValue])
    /// A payload in place of the rendered one, which gets the ids by which the worker reports.
    case payload([String: JSONValue])
    /// A body that is sent as it is.
    case text(String)

    static let path = "overrides.webpush"

    /// Reads the override.
    ///
    /// - Throws: `Failure` for a member that is unknown, and for more than one.
    init(_ json: JSONValue?) throws(Failure) {
        guard let json, json != .null else {
            self = .none
            return
        }
        guard let members = json.objectValue else {
            throw .invalid(Self.path, "The override for Web Push is an object.", hint: Self.hint)
        }
        var reader = MemberReader(members, path: Self.path)
        let notification = try reader.object("notification")
        let payload = try reader.object("payload")
        let text = try reader.string("text")
        if let unknown = reader.rest.keys.min() {
            throw Failure(
                .unknownField,
                "The override for Web Push has no member \(unknown.prefix(64)).",
                hint: Self.hint,
                field: reader.field(String(unknown.prefix(64)))
            )
        }
        switch (notification, payload, text) {
        case (nil, nil, nil): self = .none
        case (let notification?, nil, nil): self = .notification(notification)
        case (nil, let payload?, nil): self = .payload(payload)
        case (nil, nil, let text?): self = .text(text)
        default:
            let second = text == nil ? "payload" : "text"
            throw .invalid(reader.field(second), "Only one of notification, payload and text may be given.")
        }
    }

    /// The members of the payload that is sent in place of the rendered one.
    static func payload(of override: JSONValue) -> [String: JSONValue]? {
        switch try? WebPushOverride(override) {
        case .payload(let members): members
        case .text(let text): (try? JSONValue(json: Data(text.utf8)))?.objectValue
        case .some(.none), .notification, nil: nil
        }
    }

    private static let hint = """
        Its members are notification (laid over the rendered notification), payload (a whole payload) and text (a body \
        that is sent as it is); urgency, topic and TTL come from priority, collapse_id and the expiry.
        """
}
