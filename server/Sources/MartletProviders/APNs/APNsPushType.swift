import MartletCore
public import MartletWire

/// A value of `apns-push-type` (Apple, "Sending notification requests to APNs").
public enum APNsPushType: String, Sendable, Hashable, CaseIterable {
    /// Something that the user sees or hears.
    case alert
    /// Wakes the app in the background; shows nothing.
    case background
    /// An incoming call.
    case voip
    /// Updates a watch complication.
    case complication
    /// Tells a File Provider extension of changes.
    case fileprovider
    /// Tells a managed device to contact its management server.
    case mdm
    /// Starts, updates or ends a Live Activity.
    case liveactivity
    /// Tells a Push to Talk app of a service update.
    case pushtotalk
    /// Asks a Location Push Service extension for the location.
    case location
    /// Reloads widgets.
    case widgets
    /// Reloads controls.
    case controls

    /// What a push of this type must be like.
    public var rules: APNsPushRules { APNsPushRules.table[self]! }  // the table has every case; a test reads them all
}

/// What a push of one type must be like.
public struct APNsPushRules: Sendable, Hashable {
    /// Which credentials Apple takes for a type.
    public enum Authentication: Sendable, Hashable {
        /// Provider token or certificate.
        case any
        /// A provider token only.
        case tokenOnly
        /// A certificate only, whose subject's UID is the topic.
        case certificateOnly
    }

    /// What the payload must have.
    public enum Content: Sendable, Hashable {
        /// Something shown or heard: an alert, a badge or a sound.
        case shown
        /// `content-available: 1`, and nothing shown.
        case silent
        /// `content-changed: true`, and nothing shown.
        case changed
        /// `timestamp`, `event` and, but at the end, `content-state`.
        case liveActivity
        /// A string `mdm` and no `aps`.
        case mdm
        /// Whatever the app understands.
        case free
    }

    /// What follows the app's bundle id in `apns-topic`.
    public var topicSuffix: String
    /// The values that `apns-priority` may have.
    public var priorities: Set<Priority>
    /// The priority where none is asked for.
    public var defaultPriority: Priority
    /// The largest payload, in bytes after rendering.
    public var payloadLimit: Int
    /// Which credentials Apple takes.
    public var authentication: Authentication
    /// The only value that `apns-expiration` may have.
    public var expiration: Int64?
    /// What the payload must have.
    public var content: Content
}

extension APNsPushRules {
    /// Apple, "Generating a remote notification": 4 KB, for VoIP 5 KB.
    private static let usualLimit = 4_096
    private static let voipLimit = 5_120

    /// All types. Where Apple names no default priority it is 10, which is what Apple takes without the field; widgets
    /// and controls have 5, because their reloads are budgeted and none is worth waking the device for.
    static let table: [APNsPushType: APNsPushRules] = [
        .alert: rules("", content: .shown),
        .background: rules("", [.normal], default: .normal, content: .silent),
        .voip: rules(".voip", [.high], limit: voipLimit),
        .complication: rules(".complication"),
        .fileprovider: rules(".pushkit.fileprovider"),
        .mdm: rules("", authentication: .certificateOnly, content: .mdm),
        .liveactivity: rules(".push-type.liveactivity", [.high, .normal], content: .liveActivity),
        .pushtotalk: rules(".voip-ptt", [.high], expiration: 0),
        .location: rules(".location-query", [.high, .normal], authentication: .tokenOnly),
        .widgets: rules(".push-type.widgets", default: .normal, content: .changed),
        .controls: rules(".push-type.controls", default: .normal, content: .changed),
    ]

    private static func rules(
        _ topicSuffix: String,
        _ priorities: Set<Priority> = [.high, .normal, .low],
        default defaultPriority: Priority = .high,
        limit: Int = usualLimit,
        authentication: Authentication = .any,
        expiration: Int64? = nil,
        content: Content = .free
    ) -> APNsPushRules {
        APNsPushRules(
            topicSuffix: topicSuffix,
            priorities: priorities,
            defaultPriority: defaultPriority,
            payloadLimit: limit,
            authentication: authentication,
            expiration: expiration,
            content: content
        )
    }
}
