import Foundation

extension Push {
    /// What FCM has APNs bring to an iPhone (Firebase, "About FCM messages", platform overrides): the values of `data`
    /// beside `aps`, the common notification as its alert, and the message's own part for APNs over both.
    ///
    /// - Parameter delivered: the message with the name that FCM gave it.
    package init(fcmMessage delivered: [String: Any]) throws {
        let message = delivered["message"] as? [String: Any] ?? [:]
        let apns = message["apns"] as? [String: Any] ?? [:]
        let own = apns["payload"] as? [String: Any] ?? [:]
        var payload = message["data"] as? [String: Any] ?? [:]
        payload.merge(own) { $1 }
        payload["aps"] = Self.aps(own["aps"] as? [String: Any] ?? [:], message["notification"] as? [String: Any])
        if let options = apns["fcm_options"] as? [String: Any] { payload["fcm_options"] = options }
        if let name = delivered["name"] as? String {
            payload["gcm.message_id"] = name.split(separator: "/").last.map(String.init)
        }
        let headers = apns["headers"] as? [String: Any] ?? [:]
        self.init(
            payload: try JSONSerialization.data(withJSONObject: payload),
            apnsID: headers["apns-id"] as? String,
            collapseID: headers["apns-collapse-id"] as? String
        )
    }

    private static func aps(_ own: [String: Any], _ notification: [String: Any]?) -> [String: Any] {
        guard let notification else { return own }
        var alert: [String: Any] = [:]
        for name in ["title", "body"] { alert[name] = notification[name] }
        var aps = own
        switch own["alert"] {
        case let text as String: alert["body"] = text
        case let members as [String: Any]: alert.merge(members) { $1 }
        default: break
        }
        if !alert.isEmpty { aps["alert"] = alert }
        return aps
    }
}
