/// An event as the server keeps it: `GET /api/v1/events`.
public struct EventItem: Sendable, Hashable, Codable {
    /// Where it stands in the order of receipt.
    public var position: Int64
    /// Whose it is.
    public var appID: PublicID
    /// The id that the SDK made.
    public var eventID: PublicID?
    /// What happened.
    public var type: EventType
    /// When it happened.
    public var time: UTCTime
    /// What the phone said, where that could not be.
    public var clientTime: UTCTime?
    /// When the server got it.
    public var receivedAt: UTCTime
    /// The push's id.
    public var messageID: String?
    /// The campaign's id.
    public var campaignID: String?
    /// The kind of phone.
    public var platform: EventPlatform
    /// Who was logged in, or who logged in next on the same device.
    public var userID: String?
    /// The link.
    public var value: String?
    /// The token at Firebase Cloud Messaging.
    public var fcmToken: String?
    /// The token at Apple.
    public var apnsToken: String?
    /// The installation, where it proved itself.
    public var installationID: PublicID?
    /// The hardware.
    public var deviceModel: String?
    /// The operating system's version.
    public var osVersion: String?
    /// The app's version.
    public var appVersion: String?

    /// An event; what need not be there is set afterwards.
    public init(
        position: Int64,
        appID: PublicID,
        type: EventType,
        time: UTCTime,
        receivedAt: UTCTime,
        platform: EventPlatform
    ) {
        self.position = position
        self.appID = appID
        self.type = type
        self.time = time
        self.receivedAt = receivedAt
        self.platform = platform
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case position
        case appID = "app_id"
        case eventID = "event_id"
        case type, time
        case clientTime = "client_time"
        case receivedAt = "received_at"
        case messageID = "message_id"
        case campaignID = "campaign_id"
        case platform
        case userID = "user_id"
        case value
        case fcmToken = "fcm_token"
        case apnsToken = "apns_token"
        case installationID = "installation_id"
        case deviceModel = "device_model"
        case osVersion = "os_version"
        case appVersion = "app_version"
    }
}
