import PushNotificationSDKCore
import Testing

@testable import PushNotificationSDKC

@Suite("The options that C hands in as JSON")
struct ForeignOptionsTests {
    @Test("every member is read")
    func everything() throws {
        let options = try ForeignOptions(
            json: """
                {"timeout": 12.5, "app": "com.example.game", "apnsEnvironment": "sandbox",
                 "appGroup": "group.com.example.game", "presentation": ["banner", "sound"],
                 "eventStorage": "userDefaults",
                 "automaticForwarding": false, "tracksBeforeConsent": false,
                 "categories": [
                    {"identifier": "MISSION", "actions": [
                        {"identifier": "CONFIRM", "title": "確認", "foreground": true, "destructive": false},
                        {"identifier": "LATER", "title": "後で", "destructive": true, "authenticationRequired": true},
                        {"identifier": "REPLY", "title": "返信",
                         "textInput": {"buttonTitle": "送信", "placeholder": "いつ?"}},
                        {"identifier": "NOTE", "title": "メモ", "textInput": {"buttonTitle": "送信"}}]},
                    {"identifier": "PLAIN"}],
                 "links": [{"scheme": "MyGame"}, {"scheme": "https", "host": "*.example.com", "path": "/shop"}]}
                """
        )
        #expect(options.timeout == 12.5)
        #expect(options.app == "com.example.game")
        #expect(options.apnsEnvironment == .sandbox)
        #expect(options.appGroup == "group.com.example.game")
        #expect(options.presentation == [.banner, .sound])
        #expect(options.eventStorage == .userDefaults)
        #expect(!options.automaticForwarding && !options.tracksBeforeConsent)
        #expect(
            options.categories == [
                NotificationCategory(
                    "MISSION",
                    actions: [
                        .init("CONFIRM", title: "確認", options: .foreground),
                        .init("LATER", title: "後で", options: [.destructive, .authenticationRequired]),
                        .init("REPLY", title: "返信", textInput: .init(buttonTitle: "送信", placeholder: "いつ?")),
                        .init("NOTE", title: "メモ", textInput: .init(buttonTitle: "送信")),
                    ]
                ),
                NotificationCategory("PLAIN"),
            ]
        )
        #expect(options.links == LinkPolicy([.deepLink("mygame"), .web("*.example.com", path: "/shop")]))
    }

    @Test("what is not said is as in Swift")
    func defaults() throws {
        #expect(try ForeignOptions(json: "{}") == ForeignOptions())
        #expect(ForeignOptions().timeout == SDKConfiguration.defaultTimeout)
        #expect(ForeignOptions().presentation == nil && ForeignOptions().links == nil)
    }

    @Test(
        "what cannot be read is refused, and the error names it",
        arguments: [
            ("", "not a JSON object"), ("[]", "not a JSON object"), ("{", "not a JSON object"),
            (String(repeating: "[", count: 100_000), "not a JSON object"),
            (#"{"appgroup":"g"}"#, "no member appgroup"), (#"{"appGroup":""}"#, "appGroup"),
            (#"{"appGroup":7}"#, "appGroup"), (#"{"app":null}"#, "app"), (#"{"timeout":"30"}"#, "timeout"),
            (#"{"timeout":true}"#, "timeout"), (#"{"apnsEnvironment":"test"}"#, "apnsEnvironment"),
            (#"{"presentation":"banner"}"#, "presentation"), (#"{"presentation":["loud"]}"#, "presentation[0]"),
            (#"{"eventStorage":"keychain"}"#, "eventStorage"),
            (#"{"automaticForwarding":1}"#, "automaticForwarding must be true or false"),
            (#"{"categories":{}}"#, "categories"), (#"{"categories":["A"]}"#, "categories[0]"),
            (#"{"categories":[{}]}"#, "categories[0].identifier"),
            (#"{"categories":[{"identifier":"A","buttons":[]}]}"#, "categories[0] has no member buttons"),
            (#"{"categories":[{"identifier":"A","actions":[{"identifier":"B"}]}]}"#, "actions[0].title"),
            (
                #"{"categories":[{"identifier":"A","actions":[{"identifier":"B","title":"C","foreground":1}]}]}"#,
                "foreground"
            ),
            (Self.field("{}"), "actions[0].textInput.buttonTitle"), (Self.field("7"), "actions[0].textInput"),
            (Self.field(#"{"buttonTitle":"C","hint":"D"}"#), "textInput has no member hint"),
            (Self.field(#"{"buttonTitle":"C","placeholder":7}"#), "textInput.placeholder"),
            (#"{"links":[{"host":"example.com"}]}"#, "links[0].scheme"),
            (#"{"links":[{"scheme":"https","host":null}]}"#, "links[0].host"),
            (#"{"links":[\#(Array(repeating: #"{"scheme":"a"}"#, count: 101).joined(separator: ","))]}"#, "links"),
        ]
    )
    func refusals(json: String, named: String) {
        guard
            case .invalidConfiguration(let text)? = #expect(
                throws: PushNotificationError.self,
                performing: { try ForeignOptions(json: json) }
            )
        else { return }
        #expect(text.contains(named))
    }

    private static func field(_ json: String) -> String {
        #"{"categories":[{"identifier":"A","actions":[{"identifier":"B","title":"C","textInput":\#(json)}]}]}"#
    }
}
