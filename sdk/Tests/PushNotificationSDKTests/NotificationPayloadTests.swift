import Foundation
import MartletWire
import PushNotificationSDKCore
import Testing

@Suite struct NotificationPayloadTests {
    /// As the system hands it over: parsed by Foundation.
    static func payload(_ json: String) throws -> NotificationPayload {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return NotificationPayload(userInfo: try #require(object as? [String: Any]))
    }

    @Test func titleAndBodyComeFromTheAlert() throws {
        let payload = try Self.payload(
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"category":"C"},"title":"no","body":"no"}"#
        )
        #expect(payload.title == "T")
        #expect(payload.subtitle == "S")
        #expect(payload.body == "B")
        #expect(payload.badge == 3)
        #expect(payload.category == "C")
    }

    @Test func anAlertThatIsTextIsTheBody() throws {
        let payload = try Self.payload(#"{"aps":{"alert":"Hello"}}"#)
        #expect(payload.title == "")
        #expect(payload.body == "Hello")
        #expect(payload.customData == nil)
    }

    @Test("without an alert, title and body are read at the top, as campaigns send them")
    func topLevelText() throws {
        let payload = try Self.payload(
            #"""
            {"aps":{"content-available":1},"td_campaign_id":"cmp_1","title":"Offer","body":"20%",
             "image_url":"https://cdn.example.com/b.png","link":"https://example.com/promo"}
            """#
        )
        #expect(payload.title == "Offer")
        #expect(payload.body == "20%")
        #expect(payload.campaignID == "cmp_1")
        #expect(payload.imageURL == "https://cdn.example.com/b.png")
        #expect(payload.link == "https://example.com/promo")
        #expect(!payload.showsAlert)
        #expect(payload.isContentAvailable)
    }

    @Test("a value is read under each of its names")
    func aliases() throws {
        #expect(try Self.payload(#"{"td_campaign_id":"x"}"#).campaignID == "x")
        #expect(try Self.payload(#"{"campaign_id":"x"}"#).campaignID == "x")
        #expect(try Self.payload(#"{"td_campaign_id":"x","campaign_id":"y"}"#).campaignID == "x")
        #expect(try Self.payload(#"{"link":"x"}"#).link == "x")
        #expect(try Self.payload(#"{"url":"x"}"#).link == "x")
        #expect(try Self.payload(#"{"deeplink":"x"}"#).deepLink == "x")
        #expect(try Self.payload(#"{"deep_link":"x"}"#).deepLink == "x")
        #expect(try Self.payload(#"{"image_url":"x"}"#).imageURL == "x")
        #expect(try Self.payload(#"{"fcm_options":{"image":"x"}}"#).imageURL == "x")
        #expect(try Self.payload(#"{"message_id":"x"}"#).messageID == "x")
        #expect(try Self.payload(#"{"action":"x"}"#).action == "x")
    }

    @Test("the app's own values come as the types that they have in JSON")
    func customDataTypes() throws {
        let payload = try Self.payload(
            #"""
            {"aps":{"alert":"x"},"message_id":"m","text":"t","yes":true,"no":false,"one":1,"zero":0,"big":9007199254740993,
             "half":0.5,"null":null,"list":[1,"a",true],"object":{"deep":{"er":1}}}
            """#
        )
        let data = try #require(payload.customData)
        #expect(data["aps"] == nil && data["message_id"] == nil)
        #expect(data["text"] as? String == "t")
        #expect(data["yes"] as? Bool == true && data["no"] as? Bool == false)
        #expect(data["yes"] as? Int == nil && data["one"] as? Bool == nil && data["zero"] as? Bool == nil)
        #expect(data["one"] as? Int == 1 && data["zero"] as? Int == 0)
        #expect(data["big"] as? Int == 9_007_199_254_740_993)
        #expect(data["half"] as? Double == 0.5)
        #expect(data["null"] is NSNull)
        #expect((data["list"] as? [Any])?.count == 3)
        #expect(((data["object"] as? [String: Any])?["deep"] as? [String: Any])?["er"] as? Int == 1)
    }

    @Test("numbers are told from booleans by their type code")
    func numbers() {
        let payload = NotificationPayload(userInfo: [
            "bool": NSNumber(value: true), "one": NSNumber(value: 1), "double": NSNumber(value: 1.0),
            "unsigned": NSNumber(value: UInt64.max), "swiftBool": true, "swiftInt": 1, "swiftDouble": 2.5,
            "nan": NSNumber(value: Double.nan), "infinite": Double.infinity,
        ])
        #expect(payload.custom["bool"] == .bool(true))
        #expect(payload.custom["one"] == .integer(1))
        #expect(payload.custom["double"] == .number(1))
        #expect(payload.custom["unsigned"] == .decimal("18446744073709551615"))
        #expect(payload.custom["swiftBool"] == .bool(true))
        #expect(payload.custom["swiftInt"] == .integer(1))
        #expect(payload.custom["swiftDouble"] == .number(2.5))
        #expect(payload.custom["nan"] == .null)
        #expect(payload.custom["infinite"] == .null)
    }

    @Test(
        "a payload with a wrong type in any place is read, without what does not fit",
        arguments: [
            "1", "true", "null", "[]", "{}", #""x""#, "[[1]]", #"{"title":1,"body":[],"subtitle":{}}"#, "1e400",
        ]
    )
    func wrongTypes(_ value: String) throws {
        guard (try? JSONSerialization.jsonObject(with: Data("[\(value)]".utf8))) != nil else { return }
        let keys = [
            "aps", "message_id", "td_campaign_id", "campaign_id", "title", "body", "link", "url", "deeplink",
            "deep_link", "image_url", "fcm_options", "action",
        ]
        for key in keys {
            let payload = try Self.payload("{\"\(key)\":\(value)}")
            #expect(payload.json.hasPrefix("{"))
            _ = (payload.link, payload.deepLink, payload.imageURL, payload.action, payload.customData)
        }
        for key in ["alert", "badge", "category", "content-available", "mutable-content"] {
            let payload = try Self.payload("{\"aps\":{\"\(key)\":\(value)}}")
            _ = (payload.showsAlert, payload.isContentAvailable, payload.isMutable, payload.badge)
        }
    }

    @Test("100 levels are read whole; what lies below 128 is left out", arguments: [100, 128, 129, 400])
    func deepPayloads(_ depth: Int) throws {
        let json =
            #"{"aps":{"alert":"x"},"deep":"#
            + String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth) + "}"
        let payload = try Self.payload(json)
        #expect(payload.body == "x")
        var value = try #require(payload.custom["deep"])
        var levels = 0
        while case .object(let members) = value, let next = members["a"] {
            value = next
            levels += 1
        }
        #expect(levels == min(depth, 128))
        #expect(value == (depth < 128 ? .integer(1) : .null))
        #expect(payload.customData?["deep"] != nil)
    }

    @Test func keysThatAreNotTextArePassedOver() {
        let payload = NotificationPayload(userInfo: [1: "one", "aps": ["alert": "x"], "a": [2: "two", "b": "c"]])
        #expect(payload.body == "x")
        #expect(payload.custom == ["a": .object(["b": "c"])])
    }

    @Test("what is none of JSON's types reads as null")
    func foreignValues() {
        let payload = NotificationPayload(userInfo: ["date": Date(), "data": Data([1]), "a": [Date()]])
        #expect(payload.custom == ["date": .null, "data": .null, "a": .array([.null])])
        #expect(payload.json == #"{"body":"","customData":{"a":[null],"data":null,"date":null},"title":""}"#)
    }

    @Test("an id that was written as a number is read; an empty one is none")
    func looseIDs() throws {
        #expect(try Self.payload(#"{"td_campaign_id":42}"#).campaignID == "42")
        #expect(try Self.payload(#"{"td_campaign_id":"","campaign_id":"c"}"#).campaignID == "c")
        #expect(try Self.payload(#"{"message_id":""}"#).messageID == nil)
        #expect(try Self.payload(#"{"link":"","url":"u"}"#).link == "u")
    }

    @Test("the JSON for the bridges holds what the Swift type has")
    func json() throws {
        let payload = try Self.payload(
            #"{"aps":{"alert":{"title":"T","body":"B"},"badge":2},"message_id":"m","campaign_id":"c","missionId":"7"}"#
        )
        let expected =
            #"{"badge":2,"body":"B","campaignId":"c","customData":{"campaign_id":"c","missionId":"7"},"#
            + #""messageId":"m","title":"T"}"#
        #expect(payload.json == expected)
    }

    @Test("the shown text stands in where the payload has only keys of translations")
    func localizedText() throws {
        let object: [AnyHashable: Any] = ["aps": ["alert": ["title-loc-key": "T", "loc-key": "B"]]]
        let payload = NotificationPayload(userInfo: object, shown: ("Title", "Body"))
        #expect(payload.title == "Title")
        #expect(payload.body == "Body")
    }

    @Test("a payload goes from one task to another")
    func payloadsAreSendable() async throws {
        let payload = try Self.payload(#"{"aps":{"alert":"x"},"a":1}"#)
        let title = await Task.detached { payload.customData?["a"] as? Int }.value
        #expect(title == 1)
    }
}
