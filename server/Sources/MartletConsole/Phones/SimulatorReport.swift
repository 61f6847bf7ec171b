import Foundation
import MartletCore
import MartletWire

/// A push that a simulated service took for a device, as its control interface tells it. A pure value.
struct SimulatedPush: Sendable, Hashable {
    var platform: Platform
    /// What the device is known by there: its token, or its subscription's id.
    var device: String
    var at: Timestamp
    /// What a person reads.
    var title: String
    var body: String
    /// Under what the push's events are counted.
    var messageID: String?
    /// What it takes the place of on the same device.
    var collapseID: String?
    /// What the device is asked to show beside the app's icon.
    var badge: Int64?
    /// The number by which the service counts it.
    var sequence: Int
}

/// A page of pushes that a service received: `GET …/received` of a simulator's control interface.
struct SimulatorReport: Sendable, Decodable {
    /// One of them, as far as it is of use here.
    struct Item: Sendable, Decodable {
        var seq: Int
        var time: Int64
        var path: String
        var token: String?
        var target: String?
        var headers: [String: String]
        var payload: JSONValue?
        var status: Int?
    }

    var received: [Item]
    var next: Int

    /// Those that a device shows; what was refused and what works unseen is none of them.
    func shown(on platform: Platform) -> [SimulatedPush] { received.compactMap { $0.push(platform) } }
}

extension SimulatorReport.Item {
    /// What a device shows of it; `nil` where it shows nothing.
    func push(_ platform: Platform) -> SimulatedPush? {
        guard let status, (200...299).contains(status), let payload = payload?.objectValue,
            let device = platform == .apns ? token : target
        else { return nil }
        let content: PushedText?
        switch platform {
        case .apns: content = PushedText(apns: payload, headers: headers)
        case .fcm: content = PushedText(fcm: payload)
        case .webpush: content = PushedText(webPush: payload, headers: headers)
        }
        guard let content else { return nil }
        return SimulatedPush(
            platform: platform,
            device: device,
            at: Timestamp(milliseconds: time),
            title: content.title,
            body: content.body,
            messageID: content.messageID,
            collapseID: content.collapseID,
            badge: content.badge,
            sequence: seq
        )
    }
}

/// What a push says to a person, found in each service's own form. A pure value.
struct PushedText: Sendable, Hashable {
    var title = ""
    var body = ""
    var messageID: String?
    var collapseID: String?
    var badge: Int64?

    private typealias Members = [String: JSONValue]

    /// Apple's: the alert is a text, or an object with a title, a subtitle and a body.
    init?(apns payload: [String: JSONValue], headers: [String: String]) {
        let aps = payload["aps"]?.objectValue ?? [:]
        switch aps["alert"] {
        case .string(let text): body = text
        case .object(let alert):
            title = alert["title"]?.stringValue ?? alert["title-loc-key"]?.stringValue ?? ""
            let text = alert["body"]?.stringValue ?? alert["loc-key"]?.stringValue
            body = [alert["subtitle"]?.stringValue, text].compactMap(\.self).joined(separator: "\n")
        default: return nil
        }
        guard headers["apns-push-type"] != "background", !(title + body).isEmpty else { return nil }
        messageID = payload[PayloadKey.messageID]?.stringValue
        collapseID = headers["apns-collapse-id"]
        badge = aps["badge"]?.integerValue
    }

    /// FCM's: the platform's own notification over that of all.
    init?(fcm payload: [String: JSONValue]) {
        guard let message = payload["message"]?.objectValue else { return nil }
        let android = message["android"]?.objectValue ?? [:]
        let shared = message["notification"]?.objectValue ?? [:]
        let notification = shared.merging(android["notification"]?.objectValue ?? [:]) { $1 }
        title = notification["title"]?.stringValue ?? ""
        body = notification["body"]?.stringValue ?? ""
        guard !(title + body).isEmpty else { return nil }
        let data = message["data"]?.objectValue ?? [:]
        messageID = data[PayloadKey.messageID]?.stringValue
        collapseID = notification["tag"]?.stringValue ?? android["collapse_key"]?.stringValue
        badge = notification["notification_count"]?.integerValue
    }

    /// What a page's worker, or the browser itself, shows.
    init?(webPush payload: [String: JSONValue], headers: [String: String]) {
        guard let notification = payload["notification"]?.objectValue else { return nil }
        title = notification["title"]?.stringValue ?? ""
        body = notification["body"]?.stringValue ?? ""
        guard !(title + body).isEmpty else { return nil }
        let places = [payload, payload["data"]?.objectValue ?? [:], notification["data"]?.objectValue ?? [:]]
        messageID = places.lazy.compactMap { $0[PayloadKey.messageID]?.stringValue }.first
        collapseID = headers["topic"] ?? notification["tag"]?.stringValue
    }
}
