import Foundation
import MartletCore
import MartletWire

/// What a submission asks for at FCM alone: the value of `overrides.fcm`.
enum FCMOverride: Sendable, Hashable {
    /// Nothing.
    case none
    /// Members laid over the rendered message: objects member by member, all else whole; `null` removes.
    case changes([String: JSONValue])
    /// A message in place of the rendered one, without its target.
    case message([String: JSONValue], isValidatedOnly: Bool)

    static let path = "overrides.fcm"

    /// What names the device, which is the server's to say.
    private static let targets = ["token", "fid", "topic", "condition"]

    /// Reads the override.
    ///
    /// - Throws: `Failure` naming the member that FCM would refuse.
    init(_ json: JSONValue?) throws(Failure) {
        guard let json, json != .null else {
            self = .none
            return
        }
        guard let members = json.objectValue else {
            throw .invalid(Self.path, "The override for FCM is an object.", hint: Self.hint)
        }
        guard let message = members["message"] else {
            self = .changes(try Self.checked(json, path: Self.path, isWhole: false))
            return
        }
        var isValidatedOnly = false
        for (key, value) in members where key != "message" {
            guard key == "validate_only" || key == "validateOnly" else {
                throw Failure(
                    .unknownField,
                    "Beside a whole message there is only validate_only.",
                    hint: Self.hint,
                    field: "\(Self.path).\(key.prefix(64))"
                )
            }
            guard case .bool(let flag) = value else { throw .invalid("\(Self.path).\(key)", "It is true or false.") }
            isValidatedOnly = flag
        }
        let checked = try Self.checked(message, path: "\(Self.path).message", isWhole: true)
        self = .message(checked, isValidatedOnly: isValidatedOnly)
    }

    private static func checked(
        _ json: JSONValue,
        path: String,
        isWhole: Bool
    ) throws(Failure) -> [String: JSONValue] {
        for target in targets where json.objectValue?[target] != nil {
            throw .invalid("\(path).\(target)", "The device is the server's to name.", hint: "Name it by the audience.")
        }
        let members = try FCMShape.message.canonical(json, path: path, isWhole: isWhole).objectValue ?? [:]
        if members["android"] != nil, members["android_v2"] != nil {
            throw .invalid("\(path).android_v2", "A message has either android or android_v2.")
        }
        return members
    }

    /// The data of the message that is sent in place of the rendered one: the notification's id may stand there.
    static func payload(of override: JSONValue) -> [String: JSONValue]? {
        guard case .message(let message, _) = try? FCMOverride(override) else { return nil }
        return message["data"]?.objectValue ?? [:]
    }

    private static let hint = """
        Its members are notification, data, android, apns, webpush and fcm_options, laid over the rendered message, or \
        message (a whole message without a target).
        """

    /// Lays members over others.
    static func merge(_ changes: [String: JSONValue], over members: [String: JSONValue]) -> [String: JSONValue] {
        var merged = members
        for (key, value) in changes {
            switch value {
            case .null: merged[key] = nil
            case .object(let new): merged[key] = .object(merge(new, over: merged[key]?.objectValue ?? [:]))
            default: merged[key] = value
            }
        }
        return merged
    }
}
