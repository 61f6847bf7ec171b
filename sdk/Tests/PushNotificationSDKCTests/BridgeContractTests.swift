import CPushNotificationSDK
import Foundation
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKC
@testable import PushNotificationSDKCore

/// What C's handlers were told: they have no context.
private let told = Locked<[String]>([])

/// The contract tests of the specification's section 7, for C. Those for Objective-C need its compiler, and are in
/// `scripts/check-bridges`, as are the programs in C, C++ and C#.
@Suite("§7 the bridges", .serialized, .timeLimit(.minutes(1))) struct BridgeContractTests {
    private let payload = NotificationPayload(userInfo: [
        "aps": ["alert": ["title": "新ミッション", "body": "\"開始\"!"]], "message_id": "m1", "missionId": "m7",
    ])

    init() {
        PushNotificationSDK.reset()
        _ = PushSDK_SetOptions(nil, nil)
        told.with { $0 = [] }
    }

    private func handle<Message>(_ message: Message, in mailbox: Mailbox<Message>) async {
        await withCheckedContinuation { continuation in mailbox.post(message) { continuation.resume() } }
    }

    @Test(
        "§7 the exported C functions work: a configuration that cannot be used reaches the error handler, with its code"
    )
    func configure() async {
        UnityPushSDK_SetErrorHandler { code, message, suggestion in
            let texts = [message, suggestion].map { $0.map { String(cString: $0) } ?? "" }
            told.with { $0.append("unity \(code)\(texts.contains("") ? " without a text" : "")") }
        }
        UnityPushSDK_Configure("http://api.example.com", "validkey123", nil)
        await handle(.invalidToken, in: PushNotificationSDK.handlers.errors)
        #expect(told.with { $0 } == ["unity 1", "unity 3"])
        UnrealPushSDK_SetErrorHandler { code, _, _ in told.with { $0.append("unreal \(code)") } }
        UnrealPushSDK_Configure("https://api.example.com", "short", nil)
        await handle(.permissionDenied, in: PushNotificationSDK.handlers.errors)
        #expect(told.with { $0.suffix(2) } == ["unreal 1", "unreal 2"])
        #expect(PushNotificationSDK.client == nil)
    }

    @Test("§7 the exported C functions work: an answer comes for a permission that cannot be asked for")
    func permission() async {
        UnityPushSDK_RequestPermission { granted in told.with { $0.append("granted \(granted)") } }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(told.with { $0 } == ["granted 0"])
    }

    @Test("§7 the payload comes back as JSON text")
    func payloadIsJSON() async throws {
        UnityPushSDK_SetNotificationHandler { json in
            let text = json.map { String(cString: $0) } ?? ""
            told.with { $0.append(text) }
        }
        await handle(payload, in: PushNotificationSDK.handlers.received)
        let text = try #require(told.with { $0.first })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["title"] as? String == "新ミッション")
        #expect(object["body"] as? String == "\"開始\"!")
        #expect(object["messageId"] as? String == "m1")
        #expect((object["customData"] as? [String: Any])?["missionId"] as? String == "m7")
    }

    @Test("§7 an action comes with its identifier and the payload as JSON text")
    func actions() async throws {
        UnrealPushSDK_SetActionHandler { action, json in
            let texts = [action, json].map { $0.map { String(cString: $0) } ?? "" }
            told.with { $0 += texts }
        }
        await handle(.init(identifier: "CONFIRM", payload: payload), in: PushNotificationSDK.handlers.actions)
        #expect(told.with { $0 } == ["CONFIRM", payload.json])
    }

    @Test("what the person wrote into a notification is in the payload of the action")
    func userText() async throws {
        UnityPushSDK_SetActionHandler { _, json in told.with { $0.append(json.map { String(cString: $0) } ?? "") } }
        var answered = payload
        answered.userText = "明日 \"朝\""
        await handle(.init(identifier: "REPLY", payload: answered), in: PushNotificationSDK.handlers.actions)
        let text = try #require(told.with { $0.first })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["userText"] as? String == "明日 \"朝\"")
    }

    @Test("a tapped notification comes to the handler of its own, as JSON text")
    func opened() async {
        UnrealPushSDK_SetOpenedHandler { json in told.with { $0.append(json.map { String(cString: $0) } ?? "") } }
        await handle(payload, in: PushNotificationSDK.handlers.opened)
        #expect(told.with { $0 } == [payload.json])
        UnrealPushSDK_SetOpenedHandler(nil)
        #expect(PushNotificationSDK.onNotificationOpened == nil)
    }

    @Test("a universal link that a game hands over comes once, where the options allow its page; another is no error")
    func universalLinks() async throws {
        let options = #"{"links": [{"scheme": "https", "host": "example.com", "path": "/shop"}]}"#
        #expect(PushSDK_SetOptions(options, nil) == 1)
        try start()
        UnityPushSDK_SetErrorHandler { code, _, _ in told.with { $0.append("error \(code)") } }
        UnityPushSDK_SetLinkHandler { url, json in
            let text = url.map { String(cString: $0) } ?? ""
            told.with { $0.append(json == nil ? text : "\(text) of a push") }
        }
        #expect(UnityPushSDK_OpenURL("HTTPS://example.com/shop/1") == 1)
        let others = ["https://example.com/login", "https://example.com.evil.test/shop", "http://example.com/shop"]
        for other in others { #expect(UnityPushSDK_OpenURL(other) == 0) }
        let last = LinkHandling.Opened(url: try #require(URL(string: "game://last")), payload: nil)
        await handle(last, in: PushNotificationSDK.handlers.links.deepLinks)
        await handle(.invalidToken, in: PushNotificationSDK.handlers.errors)
        #expect(told.with { $0.map { $0.lowercased() } } == ["https://example.com/shop/1", "game://last", "error 3"])
    }

    @Test("each permission comes under the header's number", arguments: NotificationPermission.allCases)
    func permissionChanges(permission: NotificationPermission) async {
        UnityPushSDK_SetPermissionHandler { permission in told.with { $0.append("\(permission)") } }
        await handle(permission, in: PushNotificationSDK.handlers.permission)
        let number =
            switch permission {
            case .notDetermined: PushSDKPermissionNotDetermined
            case .denied: PushSDKPermissionDenied
            case .authorized: PushSDKPermissionAuthorized
            case .provisional: PushSDKPermissionProvisional
            case .ephemeral: PushSDKPermissionEphemeral
            }
        #expect(told.with { $0 } == ["\(number)"])
    }

    @Test("a request asks the system for the header's options")
    func permissionOptions() async throws {
        let platform = try start()
        let options = PushSDKPermissionOptionAlert | PushSDKPermissionOptionProvisional
        await withCheckedContinuation { continuation in
            Bridge.requestPermission(for: Int32(options)) { _ in continuation.resume() }
        }
        #expect(platform.requests.entries.contains(.prompt([.alert, .provisional])))
        #expect(PushSDKPermissionOptionBadge | PushSDKPermissionOptionSound == 3)
    }

    @Test("every option of the JSON reaches the configuration")
    func options() throws {
        let json = """
            {"timeout": 12, "app": "com.example.game", "apnsEnvironment": "sandbox", "appGroup": "group.com.example.game",
             "presentation": ["list"], "eventStorage": "userDefaults", "automaticForwarding": false,
             "tracksBeforeConsent": false, "categories": [{"identifier": "MISSION", "actions": [
                {"identifier": "REPLY", "title": "Reply", "textInput": {"buttonTitle": "Send"}}]}]}
            """
        #expect(PushSDK_SetOptions(json, nil) == 1)
        try start()
        var expected = try SDKConfiguration(apiURL: address, apiKey: "validkey123", timeout: 12)
        expected.app = "com.example.game"
        expected.apnsEnvironment = .sandbox
        expected.appGroup = "group.com.example.game"
        expected.presentation = .list
        expected.eventStorage = .userDefaults
        expected.automaticForwarding = false
        expected.tracksBeforeConsent = false
        let reply = NotificationCategory.Action("REPLY", title: "Reply", textInput: .init(buttonTitle: "Send"))
        expected.categories = [NotificationCategory("MISSION", actions: [reply])]
        #expect(PushNotificationSDK.client?.context.configuration == expected)
        #expect(PushSDK_SetOptions(nil, nil) == 1)
    }

    private let address = URL(string: "https://api.example.com")!

    /// Starts the SDK over a system that only writes down what it is asked.
    @discardableResult
    func start(_ transport: ScriptedTransport = .registering()) throws -> RecordingPlatform {
        let platform = RecordingPlatform()
        var environment = PushEnvironment(platform: platform, transport: transport, storage: MemoryStore())
        environment.log = { _, _ in }
        PushNotificationSDK.prepare(environment)
        try #require(PushSDK_Configure(address.absoluteString, "validkey123", nil, nil) == 1)
        return platform
    }
}
