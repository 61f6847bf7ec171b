/// The columns of `mobile.push_events`, in their order. Times are Unix seconds where Treasure Data's are.
package enum EventColumn: Int32, CaseIterable {
    case time, type, campaignID, treasureDataCampaignID, messageID, platform, userID, value, fcmToken, apnsToken
    case installationID, eventID, deviceModel, osVersion, appVersion, app, timeMilliseconds, clientTimeMilliseconds
    case receivedAt

    /// The name in SQL.
    var name: String {
        switch self {
        case .time: "time"
        case .type: "type"
        case .campaignID: "campaign_id"
        case .treasureDataCampaignID: "td_campaign_id"
        case .messageID: "message_id"
        case .platform: "platform"
        case .userID: "user_id"
        case .value: "value"
        case .fcmToken: "fcm_token"
        case .apnsToken: "apns_token"
        case .installationID: "installation_id"
        case .eventID: "event_id"
        case .deviceModel: "device_model"
        case .osVersion: "os_version"
        case .appVersion: "app_version"
        case .app: "app"
        case .timeMilliseconds: "time_ms"
        case .clientTimeMilliseconds: "client_time_ms"
        case .receivedAt: "received_at"
        }
    }

    /// Whether it is an integer; all others are texts.
    var isInteger: Bool {
        switch self {
        case .time, .timeMilliseconds, .clientTimeMilliseconds, .receivedAt: true
        default: false
        }
    }

    /// Where it stands in a row, behind the key.
    var position: Int32 { rawValue + 1 }

    /// What it is in the store's own tables.
    private var source: String {
        switch self {
        case .time: "e.time / 1000"
        case .type: "e.type"
        case .campaignID, .treasureDataCampaignID: "e.campaign_id"
        case .messageID: "e.message_id"
        case .platform: "e.platform"
        case .userID: "coalesce(e.user_id, s.user_id)"
        case .value: "e.value"
        case .fcmToken: "e.fcm_token"
        case .apnsToken: "e.apns_token"
        case .installationID: "e.installation_id"
        case .eventID: "e.event_id"
        case .deviceModel: "e.device_model"
        case .osVersion: "e.os_version"
        case .appVersion: "e.app_version"
        case .app: "a.name"
        case .timeMilliseconds: "e.time"
        case .clientTimeMilliseconds: "e.client_time"
        case .receivedAt: "e.received_at / 1000"
        }
    }

    /// The declaration of the virtual table.
    static var declaration: String {
        let columns = allCases.map { "\($0.name) \($0.isInteger ? "INTEGER" : "TEXT")" }
        return "CREATE TABLE push_events (\(columns.joined(separator: ", ")))"
    }

    /// The rows of one app, or of all: first and last app, first and last millisecond.
    package static var select: String {
        """
        SELECT e.id, \(allCases.map(\.source).joined(separator: ", "))
        FROM apps a /*+ CROSS */ JOIN push_events e ON e.app_id = a.id
        LEFT JOIN event_subjects s ON s.id = e.subject_id
        WHERE a.deleted_at IS NULL AND a.id BETWEEN ? AND ? AND e.time BETWEEN ? AND ?
        """
    }
}
