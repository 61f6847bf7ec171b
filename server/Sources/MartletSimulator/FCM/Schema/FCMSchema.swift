/// The messages of FCM's HTTP v1 interface: which members they have, and of which types.
///
/// Written from the discovery document `fcm.v1.json`, revision 20261023.
struct FCMSchema: Sendable {
    indirect enum Kind: Equatable, Sendable {
        case string, bool, int32, float, duration, timestamp, map, anyObject
        case list(Kind)
        case choice(name: String, values: [String])
        case message(String)
    }

    struct Field: Sendable {
        /// As Google's errors name it: in snake case.
        var name: String
        var kind: Kind
    }

    static let current = FCMSchema(text)

    /// By message, then by a member's name, both in snake case and in camel case, which count the same.
    private let messages: [String: [String: Field]]
    /// The members' names in camel case, by those in snake case.
    let camelNames: [String: String]

    func fields(of message: String) -> [String: Field] { messages[message] ?? [:] }

    private init(_ text: String) {
        var messages: [String: [String: Field]] = [:]
        var camelNames: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
            var fields: [String: Field] = [:]
            for word in words.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                let field = Field(name: parts[0], kind: Self.kind(parts[1]))
                fields[field.name] = field
                let camel = Self.camel(field.name)
                camelNames[field.name] = camel
                fields[camel] = field
            }
            messages[words[0]] = fields
        }
        self.messages = messages
        self.camelNames = camelNames
    }

    private static func kind(_ text: String) -> Kind {
        switch text {
        case "string": return .string
        case "bool": return .bool
        case "int32": return .int32
        case "float": return .float
        case "duration": return .duration
        case "timestamp": return .timestamp
        case "map": return .map
        case "object": return .anyObject
        default:
            if text.hasSuffix("[]") { return .list(kind(String(text.dropLast(2)))) }
            let parts = text.split(separator: "|").map(String.init)
            return parts.count > 1 ? .choice(name: parts[0], values: Array(parts.dropFirst())) : .message(text)
        }
    }

    static func camel(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    private static let notification = """
        title=string body=string icon=string color=string sound=string tag=string click_action=string \
        body_loc_key=string body_loc_args=string[] title_loc_key=string title_loc_args=string[] channel_id=string \
        image=string ticker=string sticky=bool event_time=timestamp local_only=bool \
        notification_priority=Priority|PRIORITY_UNSPECIFIED|PRIORITY_MIN|PRIORITY_LOW|PRIORITY_DEFAULT|PRIORITY_HIGH|PRIORITY_MAX \
        default_sound=bool default_vibrate_timings=bool default_light_settings=bool vibrate_timings=duration[] \
        visibility=Visibility|VISIBILITY_UNSPECIFIED|PRIVATE|PUBLIC|SECRET notification_count=int32 \
        light_settings=LightSettings
        """

    private static let android = """
        collapse_key=string ttl=duration restricted_package_name=string data=map fcm_options=AndroidFcmOptions \
        direct_boot_ok=bool bandwidth_constrained_ok=bool restricted_satellite_ok=bool
        """

    private static let text = """
        SendMessageRequest: message=Message validate_only=bool
        Message: name=string data=map notification=Notification android=AndroidConfig android_v2=AndroidConfigV2 \
        webpush=WebpushConfig apns=ApnsConfig fcm_options=FcmOptions token=string fid=string topic=string \
        condition=string
        Notification: title=string body=string image=string
        AndroidConfig: \(android) priority=AndroidMessagePriority|NORMAL|HIGH notification=AndroidNotification
        AndroidConfigV2: \(android) remote_notification=AndroidRemoteNotification \
        background_sync=AndroidBackgroundSyncMessage
        AndroidRemoteNotification: notification=AndroidNotificationV2 mutable_content=bool use_as_v1_data_message=bool
        AndroidBackgroundSyncMessage:
        AndroidNotification: \(notification) bypass_proxy_notification=bool \
        proxy=Proxy|PROXY_UNSPECIFIED|ALLOW|DENY|IF_PRIORITY_LOWERED
        AndroidNotificationV2: \(notification) id=int32
        AndroidFcmOptions: analytics_label=string
        FcmOptions: analytics_label=string
        LightSettings: color=Color light_on_duration=duration light_off_duration=duration
        Color: red=float green=float blue=float alpha=float
        ApnsConfig: headers=map payload=object fcm_options=ApnsFcmOptions live_activity_token=string
        ApnsFcmOptions: analytics_label=string image=string
        WebpushConfig: headers=map data=map notification=object fcm_options=WebpushFcmOptions
        WebpushFcmOptions: link=string analytics_label=string
        """
}

extension JSONTree {
    /// A member by its name in snake case, which may stand there in camel case; `null` counts as absent.
    subscript(field: String) -> JSONTree? {
        guard let members else { return nil }
        let camel = FCMSchema.current.camelNames[field] ?? field
        let found = members.last { $0.name == field || $0.name == camel }?.value
        return found == .null ? nil : found
    }
}
