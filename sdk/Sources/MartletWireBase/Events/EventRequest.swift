/// A batch of events: `POST /api/v1/events`, with the app's client key, and the installation's secret in
/// `Martlet-Installation-Secret`. The body may come as gzip, with `Content-Encoding: gzip`.
public struct EventsRequest: Sendable, Hashable, Codable {
    /// The events, oldest first.
    public var events: [EventRequest]

    /// The most events of one request.
    public static let limit = 500

    /// A batch of events.
    public init(events: [EventRequest]) { self.events = events }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case events }
}

/// One event of a phone.
///
/// The campaign is written under both of its names, `campaign_id` and `td_campaign_id`, and read from either.
public struct EventRequest: Sendable, Hashable {
    /// The id that the SDK made for this event.
    public var eventID: PublicID
    /// What happened.
    public var type: EventType
    /// When it happened, by the phone's clock.
    public var time: UTCTime
    /// The payload's `message_id`.
    public var messageID: String?
    /// The payload's `campaign_id` or `td_campaign_id`.
    public var campaignID: String?
    /// The kind of phone.
    public var platform: EventPlatform
    /// Who is logged in.
    public var userID: String?
    /// The link, or the button.
    public var value: String?
    /// The token at Firebase Cloud Messaging.
    public var fcmToken: String?
    /// The token at Apple in hexadecimal.
    public var apnsToken: String?
    /// The installation that reports.
    public var installationID: PublicID
    /// The hardware.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?

    /// An event; what belongs only to some types is set afterwards.
    public init(
        eventID: PublicID,
        type: EventType,
        time: UTCTime,
        messageID: String? = nil,
        platform: EventPlatform = .ios,
        installationID: PublicID
    ) {
        self.eventID = eventID
        self.type = type
        self.time = time
        self.messageID = messageID
        self.platform = platform
        self.installationID = installationID
    }
}

extension EventRequest: Codable {
    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case eventID = "event_id"
        case type, time
        case messageID = "message_id"
        case campaignID = "campaign_id"
        case treasureDataCampaignID = "td_campaign_id"
        case platform, value
        case userID = "user_id"
        case fcmToken = "fcm_token"
        case apnsToken = "apns_token"
        case installationID = "installation_id"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
    }

    /// Decodes what `encode(to:)` writes; of two names of the campaign, `td_campaign_id` is read first.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        eventID = try fields.decode(PublicID.self, forKey: .eventID)
        type = try fields.decode(EventType.self, forKey: .type)
        time = try fields.decode(UTCTime.self, forKey: .time)
        messageID = try fields.decodeIfPresent(String.self, forKey: .messageID)
        campaignID =
            try fields.decodeIfPresent(String.self, forKey: .treasureDataCampaignID)
            ?? fields.decodeIfPresent(String.self, forKey: .campaignID)
        platform = try fields.decode(EventPlatform.self, forKey: .platform)
        userID = try fields.decodeIfPresent(String.self, forKey: .userID)
        value = try fields.decodeIfPresent(String.self, forKey: .value)
        fcmToken = try fields.decodeIfPresent(String.self, forKey: .fcmToken)
        apnsToken = try fields.decodeIfPresent(String.self, forKey: .apnsToken)
        installationID = try fields.decode(PublicID.self, forKey: .installationID)
        deviceModel = try fields.decodeIfPresent(String.self, forKey: .deviceModel)
        osVersion = try fields.decodeIfPresent(String.self, forKey: .osVersion)
        appVersion = try fields.decodeIfPresent(String.self, forKey: .appVersion)
    }

    /// Encodes the event; what is `nil` is left out.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(eventID, forKey: .eventID)
        try fields.encode(type, forKey: .type)
        try fields.encode(time, forKey: .time)
        try fields.encodeIfPresent(messageID, forKey: .messageID)
        try fields.encodeIfPresent(campaignID, forKey: .campaignID)
        try fields.encodeIfPresent(campaignID, forKey: .treasureDataCampaignID)
        try fields.encode(platform, forKey: .platform)
        try fields.encodeIfPresent(userID, forKey: .userID)
        try fields.encodeIfPresent(value, forKey: .value)
        try fields.encodeIfPresent(fcmToken, forKey: .fcmToken)
        try fields.encodeIfPresent(apnsToken, forKey: .apnsToken)
        try fields.encode(installationID, forKey: .installationID)
        try fields.encodeIfPresent(deviceModel, forKey: .deviceModel)
        try fields.encodeIfPresent(osVersion, forKey: .osVersion)
        try fields.encodeIfPresent(appVersion, forKey: .appVersion)
    }
}
