import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Payloads that differ between devices")
struct HoleTests {
    private let delivery = PublicID("0190a5d0-ac96-774b-bcce-b302099a8057")!  // a literal

    private func submission(
        _ content: Content,
        pushType: String? = nil,
        badges: [String: Int32] = ["ann": 3],
        hasDeliveryID: Bool = false,
        audience: Audience = .all
    ) -> Submission {
        var submission = Rendering.submission(content, pushType: pushType)
        submission.badges = badges
        submission.hasDeliveryID = hasDeliveryID
        submission.audience = audience
        return submission
    }

    private func payload(_ submission: Submission, badge: Int32?) throws -> JSONValue {
        let message = try Rendering.message(submission)
        return try JSONValue(json: Data(message.payload.filled(badge: badge, deliveryID: delivery)))
    }

    private var messageID: JSONValue { .string(Rendering.notification.description) }

    @Test("a user's badge stands in aps, and a user without one gets no such member")
    func badge() throws {
        let content = Content(title: "T", sound: "s", data: ["a": 1, "z": ["aps": [:]]])
        for badge: Int32? in [3, 0, nil] {
            var aps: [String: JSONValue] = ["alert": ["title": "T"], "mutable-content": 1, "sound": "s"]
            aps["badge"] = badge.map { .integer(Int64($0)) }
            let expected: JSONValue = ["a": 1, "z": ["aps": [:]], "aps": .object(aps), "message_id": messageID]
            #expect(try payload(submission(content), badge: badge) == expected)
        }
    }

    @Test("the delivery's id stands beside the notification's, with a badge and without")
    func deliveryID() throws {
        let content = Content(title: "T")
        let alone = try payload(submission(content, badges: [:], hasDeliveryID: true), badge: nil)
        #expect(alone.objectValue?["delivery_id"] == .string(delivery.description))
        #expect(alone.objectValue?["message_id"] == messageID)
        let both = try payload(submission(content, hasDeliveryID: true), badge: 7)
        #expect(both.objectValue?["delivery_id"] == .string(delivery.description))
        #expect(both.objectValue?["aps"]?.objectValue?["badge"] == 7)
    }

    @Test("without either there are no holes, and the bytes are what they were")
    func none() throws {
        let content = Content(title: "T", badge: 3)
        let message = try Rendering.message(submission(content, badges: [:]))
        #expect(message.payload.holes.isEmpty)
        #expect(message == (try Rendering.message(Rendering.submission(content))))
    }

    @Test("what the override says of the badge is what everybody gets, and a whole payload has its own")
    func overrides() throws {
        let badge = Content(title: "T", overrides: [.apns: ["aps": ["badge": 5]]])
        #expect(try payload(submission(badge), badge: 3).objectValue?["aps"]?.objectValue?["badge"] == 5)
        let null = Content(title: "T", overrides: [.apns: ["aps": ["badge": .null]]])
        #expect(try payload(submission(null), badge: 3).objectValue?["aps"]?.objectValue?["badge"] == nil)
        let whole = Content(overrides: [.apns: ["payload": ["aps": ["alert": "x"]]]])
        #expect(try payload(submission(whole), badge: 3).objectValue?["aps"] == ["alert": "x"])
    }

    @Test("text gets the delivery's id behind its last member; the notification's only where both fit")
    func text() throws {
        func text(_ count: Int) -> String {
            #"{"k":""# + String(repeating: "x", count: count - 8) + #""}"#
        }
        func filled(_ text: String) throws -> String {
            let content = Content(overrides: [.apns: ["text": .string(text)]])
            let message = try Rendering.message(submission(content, badges: [:], hasDeliveryID: true))
            return String(decoding: message.payload.filled(badge: nil, deliveryID: delivery), as: UTF8.self)
        }
        let ids = #","message_id":"\#(Rendering.notification)","delivery_id":"\#(delivery)"}"#
        #expect(try filled(text(100)) == text(100).dropLast() + ids)
        #expect(try filled("{}") == "{" + ids.dropFirst())
        let member = #","delivery_id":"\#(delivery)"}"#
        let full = 4_096 - member.utf8.count + 1
        #expect(try filled(text(full)) == text(full).dropLast() + member)
        #expect(throws: Failure.self) { try filled(text(full + 1)) }
    }

    @Test("the size is that of the largest filling")
    func size() throws {
        func message(_ count: Int) throws -> Message {
            let text = String(repeating: "x", count: count)
            return try Rendering.message(
                submission(Content(title: "T", data: ["k": .string(text)]), hasDeliveryID: true)
            )
        }
        let room = 4_096 - (try message(0).payload.largestCount)
        let full = try message(room).payload
        #expect(full.filled(badge: .max, deliveryID: delivery).count == 4_096)
        #expect(throws: Failure.self) { try message(room + 1) }
    }

    @Test("a notification that is nothing but a badge names one for everybody")
    func alone() throws {
        let all = submission(Content(), badges: ["ann": 3, "bob": 0], audience: .users(["ann", "bob"]))
        #expect(try payload(all, badge: 0).objectValue?["aps"] == ["badge": 0])
        #expect(try Rendering.message(all).headers["apns-push-type"] == "alert")
        for audience in [Audience.users(["ann", "eve"]), .all] {
            let failure = try Rendering.failure(submission(Content(), audience: audience))
            #expect(failure.code == .invalidValue)
            #expect(failure.detail.field == "badge.by_user")
        }
        #expect(throws: Never.self) { try Rendering.message(submission(Content(sound: "s"))) }
    }

    @Test("a badge from the inbox is a place too, and every user has one")
    func inbox() throws {
        var submission = submission(Content(), badges: [:], audience: .users(["ann"]))
        submission.inboxBadge = .unread
        #expect(try payload(submission, badge: 2).objectValue?["aps"] == ["badge": 2])
        submission.audience = .all
        #expect(try Rendering.failure(submission).detail.field == "badge.by_user")
        let app = submission.app
        var sync = BadgeSync(app: app.row, endpoints: [delivery], read: [])
        func rendered() -> Submission { sync.submission(app: app, now: Timestamp(milliseconds: 1_000)) }
        #expect(try payload(rendered(), badge: 0).objectValue?["aps"] == ["badge": 0])
        #expect(try Rendering.message(rendered()).headers["apns-push-type"] == "alert")
        sync.read = (0..<BadgeSync.readLimit * 3 / 2).map { PublicID(high: 7, low: UInt64($0)) }
        let removing = try payload(rendered(), badge: 0)
        #expect(removing.objectValue?["aps"] == ["badge": 0, "content-available": 1])
        let ids: [JSONValue] = sync.read.map { .string($0.description) }
        #expect(removing.objectValue?["martlet"] == ["remove": .array(ids)])
        #expect(try Rendering.message(rendered()).headers["apns-priority"] == "5")
    }

    @Test("what has phones remove a notification tells their icon's number, and is a background push where it has none")
    func removal() throws {
        let app = Rendering.submission(Content()).app
        let moment = Timestamp(milliseconds: 1_000)
        let notification = MartletCore.Notification(
            row: RowID(1),
            id: delivery,
            app: app.row,
            state: .done,
            audience: .all,
            content: Content(title: "T"),
            class: .default,
            priority: .high,
            dedup: nil,
            collapseID: nil,
            sendAt: moment,
            expiresAt: moment,
            retry: .standard,
            counts: DeliveryCounts(),
            createdAt: moment
        )
        let recall = Recall(notification: notification, isFirst: true, badge: .unread)
        let badge = recall.toldBadge(in: app)
        let told = recall.removal(from: [delivery], app: app, telling: badge)
        #expect(try payload(told, badge: 2).objectValue?["aps"] == ["badge": 2, "content-available": 1])
        #expect(try Rendering.message(told).headers["apns-push-type"] == "alert")
        let silent = recall.removal(from: [delivery], app: app, telling: nil)
        #expect(try payload(silent, badge: nil).objectValue?["aps"] == ["content-available": 1])
        #expect(try Rendering.message(silent).headers["apns-push-type"] == "background")
        #expect(try Rendering.message(silent).headers["apns-priority"] == "5")
    }

    @Test("a push that must not show anything has no badge, whosever it is")
    func silent() throws {
        let failure = try Rendering.failure(submission(Content(data: ["k": 1]), pushType: "background"))
        #expect(failure.detail.field == "push_type")
        let magic = Content(data: ["mdm": "magic"])
        #expect(throws: Failure.self) { try Rendering.message(submission(magic, pushType: "mdm")) }
        let ids = submission(magic, pushType: "mdm", badges: [:], hasDeliveryID: true)
        #expect(try payload(ids, badge: nil) == ["mdm": "magic"])
    }

    @Test("a key delivery_id of the sender's own is refused where the server's is asked for")
    func twice() throws {
        let data = Content(title: "T", data: ["delivery_id": "x"])
        let own = try Rendering.failure(submission(data, badges: [:], hasDeliveryID: true))
        #expect(own.detail.field == "data.delivery_id")
        let whole = Content(overrides: [.apns: ["payload": ["delivery_id": "x"]]])
        let raw = try Rendering.failure(submission(whole, badges: [:], hasDeliveryID: true))
        #expect(raw.detail.field == "overrides.apns.payload.delivery_id")
        #expect(throws: Never.self) { try Rendering.message(submission(data, badges: [:])) }
    }
}
