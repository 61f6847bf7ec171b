import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

/// What a sender may get wrong, through a whole client: the notification is shown, the system is answered, nothing that
/// should not be opened is, and the app goes on.
@Suite("Bad input", .timeLimit(.minutes(1))) struct BadInputTests {
    private let fixture = Fixture()
    private let errors = Journal<PushNotificationError>()
    private let told = Journal<NotificationPayload>()
    private let client: PushClient

    init() throws {
        var environment = fixture.environment
        environment.makeLinks = { LinkRouter($0, events: $1) }
        environment.makeRefresh = { RefreshRouter($0) }
        let handlers = fixture.handlers
        handlers.errors.handler = { [errors] in errors.add($0) }
        handlers.received.handler = { [told] in told.add($0) }
        handlers.links.policy = LinkPolicy([.web("example.com"), .deepLink("myapp")])
        client = PushClient(try .valid(), in: environment, handlers: handlers)
    }

    /// Everything that the system can tell of a notification, one after the other, each answered.
    ///
    /// - Returns: how it was shown in front.
    @MainActor
    private func live(_ notification: ReceivedNotification) async -> NotificationPresentation? {
        let presentation = await withCheckedContinuation { continuation in
            client.willPresent(notification) { continuation.resume(returning: $0) }
        }
        for action in [PersonResponse.Action.tap, .button("A"), .dismiss] {
            await withCheckedContinuation { continuation in
                client.didReceive(.init(notification, action)) { continuation.resume() }
            }
        }
        for state in [ApplicationState.active, .background] {
            _ = await withCheckedContinuation { continuation in
                client.didReceiveRemote(notification.payload, in: state) { continuation.resume(returning: $0) }
            }
        }
        return presentation
    }

    private var opened: [RecordingPlatform.Request] {
        fixture.platform.requests.entries.filter { if case .open = $0 { true } else { false } }
    }

    private static let values = [
        "1", "-1.5", "1e300", "true", "null", "[]", "{}", #""""#, #""x""#, "[[1]]", #"{"title":1,"body":[]}"#,
        #"{"title":{"a":[]},"loc-args":7}"#, String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
        "\"" + String(repeating: "x", count: 3000) + "\"",
    ]

    @Test("a value of a wrong type in any field leaves the rest of the notification whole", arguments: values)
    func wrongTypes(_ value: String) async throws {
        let fields = [
            "message_id", "td_campaign_id", "campaign_id", "title", "body", "link", "url", "deeplink", "deep_link",
            "image_url", "video_url", "audio_url", "fcm_options", "action", "device_id", "date",
        ]
        for (index, field) in fields.enumerated() {
            let id = field == "message_id" ? #""campaign_id":"c""# : #""message_id":"w-\#(index)""#
            let json = #"{"aps":{"alert":{"title":"T","body":"B"}},\#(id),"\#(field)":\#(value)}"#
            let notification = try ReceivedNotification.push(json, identifier: "\(index)")
            #expect(await live(notification) == [.banner, .sound])
            #expect(notification.payload.title == "T" && notification.payload.body == "B")
            _ = try JSONValue(json: Data(notification.payload.json.utf8))
        }
        for (index, field) in ["alert", "badge", "category", "content-available", "mutable-content"].enumerated() {
            let json = #"{"aps":{"\#(field)":\#(value)},"message_id":"aps-\#(index)"}"#
            #expect(await live(try .push(json, identifier: "aps-\(index)")) == [.banner, .sound])
        }
        #expect(await live(try .push(#"{"aps":\#(value)}"#, identifier: "aps")) == [.banner, .sound])
        // A text that is no link is refused; nothing else is an error, and nothing is opened.
        #expect(errors.entries.allSatisfy { if case .linkRefused = $0 { true } else { false } })
        #expect(opened.isEmpty)
        #expect(told.entries.count >= fields.count)
    }

    @Test("100 levels of JSON are told whole, as a value and as text")
    func deep() async throws {
        let nested = String(repeating: #"{"a":["#, count: 50) + "7" + String(repeating: "]}", count: 50)
        let json = #"{"aps":{"alert":"x"},"message_id":"m","deep":\#(nested)}"#
        #expect(await live(try .push(json)) == [.banner, .sound])
        let payload = try #require(told.entries.first)
        #expect(payload.custom["deep"] == (try JSONValue(json: Data(nested.utf8))))
        let members = try JSONValue(json: Data(payload.json.utf8)).objectValue
        #expect(members?["customData"]?.objectValue?["deep"] == payload.custom["deep"])
        #expect(errors.entries.isEmpty)
    }

    @Test(
        "a link that must not be opened is refused with an error; the notification is shown, told and counted",
        arguments: [
            "javascript:alert(1)", "JAVASCRIPT:alert(1)", "file:///etc/passwd", "data:text/html,x",
            "https://user:password@example.com/", "https://example.com@evil.test/", "https://exаmple.com/",
            "https://example.com.evil.test/", "https://evilexample.com/", "https://example.com:8443/",
            "http://example.com/", "otherapp://x", "myapp://user@x", "no link",
            "https://example.com/" + String(repeating: "a", count: 2048),
        ],
        ["link", "url", "deeplink", "deep_link"]
    )
    func links(_ link: String, _ field: String) async throws {
        let notification = try ReceivedNotification.push(
            #"{"aps":{"alert":"x"},"message_id":"m","\#(field)":"\#(link)"}"#
        )
        #expect(await live(notification) == [.banner, .sound])
        let error = try #require(await errors.wait(for: 1).first)
        guard case .linkRefused(let reason) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(errors.entries.count == 1 && !reason.contains(link))
        #expect(opened.isEmpty)
        // In front, and by the tap.
        #expect(told.entries.map(\.messageID) == ["m", "m"])
        let recorded = fixture.events.recorded.entries.map(\.type)
        #expect(recorded.contains(.open) && !recorded.contains(.linkOpen) && !recorded.contains(.deeplinkOpen))
    }

    @Test(
        "a push without a usable id is told and shown, and neither counted nor an error",
        arguments: ["{}", #"{"other":{"sdk":1}}"#, #"{"aps":7}"#, #"{"aps":{},"message_id":7.5}"#, #"{"aps":[]}"#]
    )
    func withoutID(_ json: String) async throws {
        #expect(await live(try .push(json)) == [.banner, .sound])
        // In front, which the system tells in two ways, by the tap, and where it wakes the app.
        #expect(told.entries.count == 3 && errors.entries.isEmpty && opened.isEmpty)
        #expect(fixture.events.recorded.entries.isEmpty)
    }
}
