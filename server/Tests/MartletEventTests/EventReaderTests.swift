import MartletCore
import MartletProviders
import MartletTesting
import MartletWire
import Testing

@Suite("One event's JSON")
struct EventReaderTests {
    static let id = "01890a5d-ac96-774b-bcce-b302099a8057"
    static let whole: [String: JSONValue] = [
        "event_id": .string(id), "type": "link_open", "time": "2026-03-01T12:00:00.500Z", "message_id": "m",
        "campaign_id": "c", "td_campaign_id": "td", "platform": "ios", "user_id": "ann", "value": "https://example.com",
        "fcm_token": "f:1", "apns_token": "ABCD", "installation_id": .string(id), "device_model": "iPhone16,1",
        "os_version": "19.1", "app_version": "3.2",
    ]

    private static let providers: [Platform: any Provider] = [
        .apns: ScriptedProvider(tokens: APNsToken.normalize)
    ]

    static func read(
        _ json: JSONValue,
        _ format: EventReader.Format = .martlet
    ) -> Result<EventDraft, EventReceipt.Failure> {
        do throws(EventReceipt.Failure) {
            return .success(try EventReader.read(json, as: format, providers: providers))
        } catch {
            return .failure(error)
        }
    }

    static func refusal(
        _ changes: [String: JSONValue],
        without absent: [String] = [],
        _ format: EventReader.Format = .martlet
    ) -> EventReceipt.Failure? {
        var members = whole.merging(changes) { $1 }
        for name in absent { members[name] = nil }
        if case .failure(let failure) = read(.object(members), format) { return failure }
        return nil
    }

    @Test("every field is read, the token in its stored form, the vendor's campaign first")
    func whole() throws {
        let event = try Self.read(.object(Self.whole)).get()
        #expect(event.eventID?.description == Self.id)
        #expect(event.key == EventDraft.Key(id: try #require(event.eventID), memory: .seconds(30 * 86_400)))
        #expect(event.type == .linkOpen)
        #expect(event.clientTime?.rawValue == 1_772_366_400_500)
        #expect([event.messageID, event.campaignID, event.user] == ["m", "td", "ann"])
        #expect([event.value, event.fcmToken, event.apnsToken] == ["https://example.com", "f:1", "abcd"])
        #expect(event.installation?.description == Self.id)
        #expect([event.deviceModel, event.osVersion, event.appVersion] == ["iPhone16,1", "19.1", "3.2"])
    }

    @Test(
        "a wrong type is refused by name, whichever field it is",
        arguments: EventRequest.CodingKeys.allCases.map(\.rawValue),
        [.bool(true), .array([]), .object([:]), .number(1.5)] as [JSONValue]
    )
    func wrongType(field: String, value: JSONValue) throws {
        // A time may be a number.
        if field == "time", case .number = value { return }
        let failure = try #require(Self.refusal([field: value]))
        #expect(failure.name == "InvalidPropertyValueError")
        #expect(failure.description.hasPrefix("\(field): "))
    }

    @Test(
        "what is required is missed by name",
        arguments: ["event_id", "type", "time", "platform", "installation_id", "value"]
    )
    func missing(field: String) {
        #expect(Self.refusal([:], without: [field])?.description == "\(field): the field is missing.")
        #expect(Self.refusal([field: .null])?.description == "\(field): the field is missing.")
    }

    @Test("a token's registration has a token, of either kind")
    func tokens() {
        let none = Self.refusal(["type": "token_register"], without: ["fcm_token", "apns_token"])
        #expect(none?.description == "fcm_token: the field is missing.")
        #expect(Self.refusal(["type": "token_register"], without: ["fcm_token"]) == nil)
        #expect(Self.refusal(["type": "token_register"], without: ["apns_token"]) == nil)
        #expect(Self.refusal(["apns_token": "xyz"])?.description.hasPrefix("apns_token: ") == true)
    }

    @Test(
        "limits are in bytes, and the last byte that fits is taken",
        arguments: [
            ("message_id", 256), ("campaign_id", 256), ("td_campaign_id", 256), ("user_id", 256), ("value", 4_096),
            ("fcm_token", 4_096), ("apns_token", 400), ("device_model", 100), ("os_version", 100), ("app_version", 100),
        ]
    )
    func limits(field: String, limit: Int) {
        #expect(Self.refusal([field: .string(String(repeating: "a", count: limit))]) == nil)
        let over = String(repeating: "a", count: limit + (field == "apns_token" ? 2 : 1))
        #expect(Self.refusal([field: .string(over)])?.name == "InvalidPropertyValueError")
        for control in ["a\u{7}", "\u{0}", "\u{7F}", "é\u{80}", "\u{9B}31m", "\u{9F}"] {
            #expect(Self.refusal([field: .string(control)])?.name == "InvalidPropertyValueError", "\(control)")
        }
    }

    @Test(
        "a time is RFC 3339, seconds or milliseconds",
        arguments: [
            ("2026-03-01T21:00:00+09:00", 1_772_366_400_000), (1_772_366_400, 1_772_366_400_000),
            (1_772_366_400_123, 1_772_366_400_123), (.number(1_772_366_400.5), 1_772_366_400_500), (0, 0),
            (253_402_300_799_999, 253_402_300_799_999),
        ] as [(JSONValue, Int64)]
    )
    func times(value: JSONValue, milliseconds: Int64) throws {
        var members = Self.whole
        members["time"] = value
        let event = try Self.read(.object(members)).get()
        #expect(event.clientTime?.rawValue == milliseconds)
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "yesterday", "2026-13-01T00:00:00Z", -1, .integer(.max), .integer(.min), .number(1e300), .number(-0.5),
        ] as [JSONValue]
    )
    func noTimes(value: JSONValue) {
        #expect(Self.refusal(["time": value])?.description.hasPrefix("time: ") == true)
    }

    @Test("what is no object is refused", arguments: [.null, "x", 1, .array([]), .bool(false)] as [JSONValue])
    func noObject(value: JSONValue) {
        for format in [EventReader.Format.martlet, .treasureData] {
            guard case .failure(let failure) = Self.read(value, format) else {
                Issue.record("\(value) was read")
                continue
            }
            #expect(failure.name == "InvalidPropertyValueError")
        }
    }

    @Test("a record of Treasure Data's has columns of its own, and no installation that would be believed")
    func record() throws {
        let record: JSONValue = [
            "uuid": "anything", "time": 1_772_366_400, "type": "open", "td_os_type": "iOS", "td_model": "iPhone",
            "td_os_ver": "18", "td_app_ver": "2", "installation_id": .string(Self.id), "price": .number(12.5),
            "tags": .array([]),
        ]
        let event = try Self.read(record, .treasureData).get()
        #expect(event.platform == .ios)
        #expect(event.installation == nil)
        #expect(event.eventID == nil)
        #expect(event.key?.memory == .seconds(3_600))
        #expect([event.deviceModel, event.osVersion, event.appVersion] == ["iPhone", "18", "2"])
        // Its columns take any type; ours have ids that are texts.
        #expect(try Self.read(["user_id": 42, "type": "open", "platform": "ios"], .treasureData).get().user == "42")
        #expect(Self.refusal(["user_id": 42])?.name == "InvalidPropertyValueError")
        let bare = try Self.read(["type": "open", "platform": "ios"], .treasureData).get()
        #expect(bare.key == nil)
        #expect(Self.refusal(["a-b": 1], without: [], .treasureData)?.name == "InvalidPropertyNameError")
        #expect(Self.refusal(["": 1], without: [], .treasureData)?.name == "InvalidPropertyNameError")
        #expect(Self.refusal(["a-b": 1]) == nil)
    }

    @Test("a uuid is never taken for an event's id")
    func keys() throws {
        let record: JSONValue = ["uuid": .string(Self.id), "type": "open", "platform": "ios"]
        let key = try Self.read(record, .treasureData).get().key
        #expect(key != nil && key?.id.description != Self.id)
    }
}

@Suite("An event's time")
struct EventTimeTests {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test(
        "late clocks are believed within the retention, fast ones for five minutes, and then to the moment of receipt",
        arguments: [
            (nil, 0, nil), (0, 0, nil), (-1, -1, nil), (-86_400_000, -86_400_000, nil), (1, 0, nil),
            (300_000, 0, nil), (300_001, 0, 300_001), (-90 * 86_400_000, -90 * 86_400_000, nil),
            (-90 * 86_400_000 - 1, 0, -90 * 86_400_000 - 1), (-1_800_000_000_000, 0, -1_800_000_000_000),
        ] as [(Int64?, Int64, Int64?)]
    )
    func decision(said: Int64?, time: Int64, refused: Int64?) {
        func moment(_ offset: Int64) -> Timestamp { Timestamp(milliseconds: Self.now.rawValue + offset) }
        let found = EventTime(clientTime: said.map(moment), now: Self.now, retention: .seconds(90 * 86_400))
        #expect(found.time == moment(time))
        #expect(found.refused == refused.map(moment))
    }
}
