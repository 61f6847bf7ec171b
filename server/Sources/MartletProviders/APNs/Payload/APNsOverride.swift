import Foundation
import MartletCore
import MartletWire

/// What a submission asks for at APNs alone: the value of `overrides.apns`.
enum APNsOverride: Sendable, Hashable {
    /// Nothing.
    case none
    /// Members laid over the rendered `aps`.
    case aps([String: JSONValue])
    /// A payload in place of the rendered one.
    case payload([String: JSONValue])
    /// A payload that is sent as it is; the notification's id is added behind its last member.
    case text(String)

    static let path = "overrides.apns"

    /// Reads the override.
    ///
    /// - Throws: `Failure` for a member that is neither `aps` nor `payload`, or for both.
    init(_ json: JSONValue?) throws(Failure) {
        guard let json, json != .null else {
            self = .none
            return
        }
        guard let members = json.objectValue else {
            throw .invalid(Self.path, "The override for APNs is an object.", hint: Self.hint)
        }
        var reader = MemberReader(members, path: Self.path)
        let payload = try reader.object("payload")
        let aps = try reader.object("aps")
        let text = try reader.string("text")
        if let unknown = reader.rest.keys.min() {
            throw Failure(
                .unknownField,
                "The override for APNs has no member \(unknown.prefix(64)).",
                hint: Self.hint,
                field: reader.field(String(unknown.prefix(64)))
            )
        }
        switch (payload, aps, text) {
        case (nil, nil, nil): self = .none
        case (nil, let aps?, nil): self = .aps(aps)
        case (let payload?, nil, nil): self = .payload(payload)
        case (nil, nil, let text?): self = .text(text)
        case (_, _, _?):
            throw .invalid(
                reader.field("text"),
                "A payload as text cannot be combined with others.",
                hint: "Give one of text, payload and aps."
            )
        case (_?, _?, nil):
            throw .invalid(
                reader.field("aps"),
                "A raw payload has its own aps.",
                hint: "Give either payload or aps."
            )
        }
    }

    /// The members of the payload that is sent in place of the rendered one.
    static func payload(of override: JSONValue) -> [String: JSONValue]? {
        switch try? APNsOverride(override) {
        case .payload(let members): members
        case .text(let text): (try? JSONValue(json: Data(text.utf8)))?.objectValue
        case .some(.none), .aps, nil: nil
        }
    }

    private static let hint = """
        Its members are payload (a whole payload), text (a whole payload as JSON text, sent as it is) and aps (laid \
        over the rendered aps); headers come from push_type, topic, priority, collapse_id and the expiry.
        """

    /// Lays members over a rendered `aps`: those of `alert` one by one, all others whole; `null` removes.
    static func merge(_ changes: [String: JSONValue], over aps: [String: JSONValue]) -> [String: JSONValue] {
        var merged = aps
        for (key, value) in changes {
            if key == "alert", let old = merged[key]?.objectValue, let new = value.objectValue {
                merged[key] = .object(merge(new, over: old))
            } else {
                merged[key] = value == .null ? nil : value
            }
        }
        return merged
    }
}
