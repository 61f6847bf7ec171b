import MartletWire

/// The member `sound` of `aps`.
public enum APSSound: Sendable, Hashable {
    /// A sound of the app by its file name, or `default`.
    case named(String)
    /// A sound that is heard even when the phone is muted, for apps with Apple's entitlement.
    case critical(name: String, volume: Double?)

    /// The sound as JSON.
    var json: JSONValue {
        switch self {
        case .named(let name): return .string(name)
        case .critical(let name, let volume):
            var members: [String: JSONValue] = ["critical": 1, "name": .string(name)]
            members["volume"] = volume.map(JSONValue.number)
            return .object(members)
        }
    }
}
