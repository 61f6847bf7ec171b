import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// What the tests of this target begin with.
enum Sample {
    static let installation = "0195d5a0-7b1c-7c3d-8e4f-001122334455"
    /// The app's bundle id.
    static let app = "com.example.game"
    static let noon: Int64 = 1_772_366_400_000

    /// An event with every column.
    static func event(_ number: Int = 0, _ type: EventType = .linkOpen) -> PushEvent {
        var event = PushEvent(id: id(number), type: type, time: noon + Int64(number))
        event.message = MessageReference(messageID: "m\(number)", campaignID: "summer", requestID: "r\(number)")
        event.value = "https://example.com/promo?q=\"\(number)\"&名=値"
        event.context = context
        return event
    }

    static func events(_ count: Int) -> [PushEvent] { (0..<count).map { event($0) } }

    static func id(_ number: Int) -> UUID {
        PublicID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number < 0 ? 0xFFFF : number)).uuid
    }

    static var context: EventContext {
        var context = EventContext()
        context.userID = "player-1"
        context.installationID = installation
        context.apnsToken = "a1b2"
        context.fcmToken = "f:cm"
        context.deviceModel = "iPhone16,1"
        context.osVersion = "18.0"
        context.appVersion = "2.1"
        return context
    }

    static func notification(
        _ message: String? = "m1",
        identifier: String = "r1",
        custom: [String: Any] = [:]
    ) -> ReceivedNotification {
        var info: [AnyHashable: Any] = ["aps": ["alert": "hello"]]
        if let message { info["message_id"] = message }
        for (key, value) in custom { info[key] = value }
        return ReceivedNotification(identifier: identifier, payload: NotificationPayload(userInfo: info))
    }

    /// What an earlier version left in an app group: all in one folder, whichever app it was of.
    static func earlierSpool(in container: URL, _ fill: (EventSpool) throws -> Void) throws {
        let scratch = folder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        try fill(EventSpool(container: scratch, app: "all"))
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: scratch.appendingPathComponent("martlet-events/all"),
            to: container.appendingPathComponent("martlet-events")
        )
    }

    /// A folder of its own for a test, which removes it.
    static func folder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
    }
}
