import MartletCore
import MartletWire

/// The names of APNs' header fields (Apple, "Sending notification requests to APNs").
enum APNsHeader {
    static let authorization = "authorization"
    static let topic = "apns-topic"
    static let pushType = "apns-push-type"
    static let id = "apns-id"
    static let expiration = "apns-expiration"
    static let priority = "apns-priority"
    static let collapseID = "apns-collapse-id"

    /// Not a field of APNs: under this name a message keeps what ``APNsProvider`` puts behind the topic of the
    /// credential that it is sent with, because sandbox and production may have different ones.
    static let topicSuffix = "topic-suffix"
}

extension Priority {
    /// The value of `apns-priority` (Apple, "Sending notification requests to APNs").
    var apns: String {
        switch self {
        case .low: "1"
        case .normal: "5"
        case .high: "10"
        }
    }
}
