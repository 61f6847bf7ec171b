import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import Testing

// What the customer's backend does, and what it finds at the server.
extension Loop {
    /// Sends to a user.
    ///
    /// - Parameter members: further members of the request, as JSON, each with a comma before it.
    func send(to user: String, _ members: String = "") async throws -> PublicID {
        let answer = try await server.call("POST", "/notifications", request(to: user, members))
        return try #require((answer?.objectValue?["id"]?.stringValue).flatMap { PublicID($0) })
    }

    /// Sends so many notifications, ten at a time.
    func send(to user: String, _ members: String = "", times: Int) async throws {
        let (server, body) = (server, request(to: user, members))
        try await withThrowingTaskGroup(of: Void.self) { sending in
            for _ in 0..<10 {
                sending.addTask {
                    for _ in 0..<times / 10 { try await server.call("POST", "/notifications", body) }
                }
            }
            try await sending.waitForAll()
        }
    }

    private func request(to user: String, _ members: String) -> String {
        let audience = #"{"users":["\#(user)"]}"#
        return #"{"app":"\#(Self.topic)","audience":\#(audience),"title":"Sale","body":"Today"\#(members)}"#
    }

    /// A notification and its counts.
    func notification(_ id: PublicID) async throws -> NotificationResponse {
        try await get(Item<NotificationResponse>.self, "notifications/\(id)").data
    }

    /// A user's devices.
    func devices(of user: String) async throws -> [DeviceResponse] {
        try await get(List<DeviceResponse>.self, "users/\(user)/endpoints?app=\(Self.topic)").data
    }

    /// What the server keeps of what phones reported, in the order of receipt; the first 500.
    func events() async throws -> [EventItem] {
        try await get(List<EventItem>.self, "events?limit=500").data
    }

    /// The same of one notification.
    func events(of message: PublicID) async throws -> [EventItem] {
        try await get(List<EventItem>.self, "events?message_id=\(message)&limit=500").data
    }

    /// The rows that answer a query in SQL.
    func ask(_ sql: String) async throws -> [[JSONValue]] {
        let request = EventQueryRequest(sql: sql, limit: 10_000)
        let body = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let answer = try await LocalCall.send(
            "POST",
            "\(server.address)/api/v1/events/query",
            body,
            key: try server.key()
        )
        return try JSONDecoder().decode(Item<EventTable>.self, from: answer.body).data.rows
    }

    private func get<Document: Decodable>(_ type: Document.Type, _ path: String) async throws -> Document {
        let answer = try await LocalCall.send("GET", "\(server.address)/api/v1/\(path)", key: try server.key())
        return try JSONDecoder().decode(Document.self, from: answer.body)
    }

    // MARK: Waiting

    /// Waits until the server has an event.
    func event(_ type: EventType, _ message: PublicID? = nil, of app: SDKApp) async throws -> EventItem {
        var found: EventItem?
        try await Eventually.is("\(type.rawValue) was reported") {
            await app.flush()
            found = try await events().first {
                $0.type == type && (message == nil || $0.messageID == message?.description)
            }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until the server has a phone's token.
    func registered(_ phone: Phone, _ app: SDKApp) async throws -> EventItem {
        try await Eventually.is("\(phone.settings.name) has a token") { phone.token != nil }
        let token = phone.token?.hexadecimalText
        var found: EventItem?
        try await Eventually.is("\(phone.settings.name) is registered") {
            await app.flush()
            found = try await events().first { $0.type == .tokenRegister && $0.apnsToken == token }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until a user has a device.
    func owns(_ user: String) async throws {
        try await Eventually.is("\(user) has a phone") { try await devices(of: user).contains(where: \.isActive) }
    }

    /// Waits until a notification shows on a phone.
    func shown(_ phone: Phone, after count: Int = 0) async throws -> ShownNotification {
        try await Eventually.is("\(phone.settings.name) shows it") { phone.notifications.count > count }
        return try #require(phone.notifications.last)
    }

    /// Waits until everything that a notification was made into has ended.
    func settled(_ id: PublicID) async throws -> NotificationResponse {
        try await Eventually.is("\(id) has come to an end") { try await notification(id).status == .done }
        return try await notification(id)
    }
}

extension Data {
    /// Two digits a byte, in lower case.
    var hexadecimalText: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
