public import MartletWire

/// The member `aps` of a payload: every key that Apple documents, typed, and the rest as it is.
///
/// Apple, "Generating a remote notification" and "Starting and updating Live Activities with ActivityKit push
/// notifications".
public struct APSPayload: Sendable, Hashable {
    /// How much a notification may interrupt.
    public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable {
        /// Into the list only.
        case passive
        /// The usual way.
        case active
        /// Through a Focus.
        case timeSensitive = "time-sensitive"
        /// Through mute too, for apps with Apple's entitlement.
        case critical
    }

    /// What happens to a Live Activity.
    public enum Event: String, Sendable, Hashable, CaseIterable {
        /// It begins.
        case start
        /// It changes.
        case update
        /// It ends.
        case end
    }

    /// What is shown.
    public var alert: APSAlert?
    /// The number on the app's icon; 0 removes it.
    public var badge: Int64?
    /// What is heard.
    public var sound: APSSound?
    /// What groups notifications.
    public var threadID: String?
    /// The category whose buttons are shown.
    public var category: String?
    /// Whether the app is woken in the background.
    public var contentAvailable = false
    /// Whether the service extension may change the notification before it is shown.
    public var mutableContent = false
    /// The window that is brought forward.
    public var targetContentID: String?
    /// How much it may interrupt.
    public var interruptionLevel: InterruptionLevel?
    /// Its rank in a summary, 0 to 1; for Live Activities any number.
    public var relevanceScore: Double?
    /// What a Focus filter compares.
    public var filterCriteria: String?
    /// When a Live Activity's content is out of date, in seconds since 1970.
    public var staleDate: Int64?
    /// A Live Activity's new content.
    public var contentState: [String: JSONValue]?
    /// When a Live Activity's content was made, in seconds since 1970; older ones are dropped by the phone.
    public var timestamp: Int64?
    /// What happens to a Live Activity.
    public var event: Event?
    /// When an ended Live Activity disappears, in seconds since 1970.
    public var dismissalDate: Int64?
    /// The type of a starting Live Activity's attributes.
    public var attributesType: String?
    /// A starting Live Activity's attributes.
    public var attributes: [String: JSONValue]?
    /// Whether a starting Live Activity asks for a push token.
    public var inputPushToken = false
    /// The broadcast channel of a starting Live Activity.
    public var inputPushChannel: String?
    /// Whether widgets or controls are reloaded.
    public var contentChanged = false
    /// Members that this version does not know: Apple adds keys, so they go to the phone as they are.
    public var other: [String: JSONValue] = [:]

    /// The defaults.
    public init() {}

    /// Whether the phone shows or plays something.
    public var isShown: Bool { alert != nil || badge != nil || sound != nil }
}

extension APSPayload {
    /// The dictionary as JSON.
    public var json: JSONValue {
        var members = other
        if let alert { members["alert"] = alert.json }
        if let badge { members["badge"] = .integer(badge) }
        if let sound { members["sound"] = sound.json }
        if let threadID { members["thread-id"] = .string(threadID) }
        if let category { members["category"] = .string(category) }
        if contentAvailable { members["content-available"] = 1 }
        if mutableContent { members["mutable-content"] = 1 }
        if let targetContentID { members["target-content-id"] = .string(targetContentID) }
        if let interruptionLevel { members["interruption-level"] = .string(interruptionLevel.rawValue) }
        if let relevanceScore { members["relevance-score"] = .number(relevanceScore) }
        if let filterCriteria { members["filter-criteria"] = .string(filterCriteria) }
        if let staleDate { members["stale-date"] = .integer(staleDate) }
        if let contentState { members["content-state"] = .object(contentState) }
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        if let event { members["event"] = .string(event.rawValue) }
        if let dismissalDate { members["dismissal-date"] = .integer(dismissalDate) }
        if let attributesType { members["attributes-type"] = .string(attributesType) }
        if let attributes { members["attributes"] = .object(attributes) }
        if inputPushToken { members["input-push-token"] = 1 }
        if let inputPushChannel { members["input-push-channel"] = .string(inputPushChannel) }
        if contentChanged { members["content-changed"] = true }
        return .object(members)
    }
}

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
