import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("A phone whose app has Firebase's SDK", .timeLimit(.minutes(1)))
@MainActor
struct FirebaseTests {
    @Test("the server knows Firebase's token alone, and what FCM brings shows and is reported once")
    func receives() async throws {
        let link = Link()
        let one = try SDKPhone(firebase: link)
        let registration = try await one.launch()
        #expect(registration.provider == .fcm && registration.token == "first:token")
        await one.phone.goHome()
        link.messages.add(Self.message)
        await one.phone.journal.first { $0 == .shown(id: "t4") }
        let shown = try #require(one.phone.notifications.first)
        #expect(shown.id == "t4" && shown.title == "Line T4" && shown.body == "Late")
        try await one.phone.tap(shown.id)
        await one.upload(.delivery, "m1")
        await one.upload(.open, "m1")
        let events = one.backend.events.entries.filter { $0.messageID == "m1" }
        #expect(events.filter { $0.type == .delivery }.count == 1)
        #expect(events.allSatisfy { $0.fcmToken == "first:token" })
        #expect(one.app.received.last?.deepLink == "transit://4")
        #expect(Set(one.backend.registrations.entries.map(\.provider)) == [.fcm])
    }

    @Test("an app that leaves Firebase is registered with Apple's token, and again with Firebase's when it comes back")
    func leaves() async throws {
        let one = try SDKPhone(firebase: Link())
        _ = try await one.launch()
        one.app.setFirebase(isUsed: false)
        let apple = await one.backend.registrations.wait { $0.provider == .apns }
        #expect(apple?.token == one.phone.token?.hexadecimalText)
        // Its next launch leaves it so.
        let before = one.backend.registrations.entries.count
        await one.phone.kill()
        await one.phone.launch()
        let next = try #require(await one.backend.registrations.wait(for: before + 1).last)
        #expect(next.provider == .apns)
        one.app.setFirebase(isUsed: true)
        _ = await one.backend.registrations.wait(for: before + 2)
        #expect(one.backend.registrations.entries.last?.token == "first:token")
    }

    @Test("another install has another token of Firebase's, and a rotation gives up both")
    func givesUp() async throws {
        let link = Link()
        let one = try SDKPhone(firebase: link)
        _ = try await one.launch()
        await one.phone.rotateToken()
        #expect(link.givenUp.entries == ["first:token"] && one.phone.firebaseToken == nil && one.phone.token == nil)
        link.token.add("second:token")
        await one.phone.reinstall()
        await one.phone.launch()
        #expect(await one.backend.registrations.wait { $0.token == "second:token" } != nil)
    }

    @Test("without an answer of FCM the app has Apple's token until its next launch")
    func withoutAnswer() async throws {
        let link = Link(tokens: [])
        let one = try SDKPhone(firebase: link)
        #expect(try await one.launch().provider == .apns)
        link.token.add("late:token")
        await one.phone.kill()
        await one.phone.launch()
        #expect(await one.backend.registrations.wait { $0.token == "late:token" }?.provider == .fcm)
    }

    @Test(
        "FCM hands on data beside aps, its notification as the alert, and the part for APNs over both",
        arguments: [
            (#"{"notification":{"title":"T","body":"B"}}"#, #"{"aps":{"alert":{"title":"T","body":"B"}}}"#),
            (#"{"data":{"a":"1"},"apns":{"payload":{"aps":{"badge":2}}}}"#, #"{"a":"1","aps":{"badge":2}}"#),
            (
                #"{"notification":{"title":"T"},"data":{"a":"1"},"apns":{"payload":{"a":2,"aps":{"alert":"own"}}}}"#,
                #"{"a":2,"aps":{"alert":{"title":"T","body":"own"}}}"#
            ),
            (
                #"{"apns":{"payload":{"aps":{"alert":"own"}},"fcm_options":{"image":"i"}}}"#,
                #"{"aps":{"alert":"own"},"fcm_options":{"image":"i"}}"#
            ),
            ("{}", #"{"aps":{}}"#),
        ]
    )
    func handsOn(message: String, payload: String) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(message.utf8))
        let push = try Push(fcmMessage: ["message": parsed])
        #expect(try JSONValue(json: push.payload) == JSONValue(json: Data(payload.utf8)))
    }

    private static let message = """
        {"name":"projects/p/messages/7","message":{"data":{"message_id":"m1","deep_link":"transit://4"},
         "notification":{"title":"Line T4","body":"Late"},"apns":{"headers":{"apns-collapse-id":"t4"},
         "payload":{"aps":{"alert":{"title":"Line T4","body":"Late"},"mutable-content":1}}}}}
        """
}

/// FCM, whose messages a test writes.
private final class Link: FCMLink {
    struct None: Error {}

    /// The last of them is given.
    let token = Journal<String>()
    let messages = Journal<String>()
    let givenUp = Journal<String>()

    init(tokens: [String] = ["first:token"]) {
        for one in tokens { token.add(one) }
    }

    func newToken() async throws -> String {
        guard let token = token.entries.last else { throw None() }
        return token
    }

    func giveUp(_ token: String) async { givenUp.add(token) }

    func pushes(for token: String, after taken: Int) async throws -> PushPage {
        let all = await messages.wait(for: taken + 1)
        try Task.checkCancellation()
        let new = try all.dropFirst(taken).map { text in
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return try Push(fcmMessage: object ?? [:])
        }
        return PushPage(pushes: Array(new), next: all.count)
    }
}
