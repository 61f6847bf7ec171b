import Foundation

/// The JSON of a request to Martlet.
struct MessageBody: Encodable {
    struct Audience: Encodable { var users: [String] }
    struct Dedup: Encodable {
        var key: String
        var cooldown: Int

        enum CodingKeys: String, CodingKey {
            case key
            case cooldown = "cooldown_seconds"
        }
    }
    struct Retry: Encodable {
        var attempts: Int
        var minimum: Int
        var rateLimited: Int

        enum CodingKeys: String, CodingKey {
            case attempts = "max_attempts"
            case minimum = "minimum_delay_seconds"
            case rateLimited = "rate_limited_delay_seconds"
        }
    }
    struct AlertData: Encodable {
        var alert: String
        var version: Int
        /// `remove` in a push that takes the alert away.
        var action: String?
        /// What such a push takes away: the id of the shown notification's request, which is its collapse id.
        var shown: String?

        enum CodingKeys: String, CodingKey {
            case alert = "alert_id"
            case version = "alert_version"
            case action = "alert_action"
            case shown = "notification_id"
        }
    }
    struct APS: Encodable {
        var contentAvailable: Int?
        var interruption: String?

        enum CodingKeys: String, CodingKey {
            case contentAvailable = "content-available"
            case interruption = "interruption-level"
        }
    }
    struct APNs: Encodable { var aps: APS }
    struct Overrides: Encodable { var apns: APNs }

    var app: String?
    var audience: Audience
    var title: String?
    var body: String?
    var deepLink: String?
    var badge: Int?
    var sound: String?
    var threadID: String?
    var data: AlertData
    var overrides: Overrides?
    var pushType: String?
    var messageClass: String
    var collapseID: String
    var dedup: Dedup?
    var timeToLive: Int
    var retry: Retry

    enum CodingKeys: String, CodingKey {
        case app, audience, title, body
        case deepLink = "deep_link"
        case badge, sound
        case threadID = "thread_id"
        case data, overrides
        case pushType = "push_type"
        case messageClass = "class"
        case collapseID = "collapse_id"
        case dedup
        case timeToLive = "ttl_seconds"
        case retry
    }

    /// The same text for the same request, always.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
