import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("What is sent where") struct DestinationTests {
    private let martlet = MartletDestination {
        MartletDestination.Access(
            url: URL(string: "https://api.example.com/api/v1/events")!,
            apiKey: "client-key",
            installationSecret: "mi_secret",
            timeout: 30
        )
    }

    @Test("Martlet gets the interface's form with key and secret") func martletRequest() throws {
        let call = try #require(martlet.call(for: [Sample.event()]))
        #expect(call.method == "POST")
        #expect(call.headers["Authorization"] == "Bearer client-key")
        #expect(call.headers[HeaderName.installationSecret] == "mi_secret")
        #expect(call.headers["Content-Encoding"] == nil)
        let request = try JSONDecoder().decode(EventsRequest.self, from: #require(call.body))
        let event = try #require(request.events.first)
        #expect(event.eventID.uuid == Sample.event().id)
        #expect(event.time.milliseconds == Sample.event().time)
        #expect(event.type == .linkOpen)
        #expect(event.messageID == "m0")
        #expect(event.campaignID == "summer")
        #expect(event.value == Sample.event().value)
        #expect(event.userID == "player-1")
        #expect(event.installationID.description == Sample.installation)
        #expect(event.apnsToken == "a1b2")
        #expect(event.fcmToken == "f:cm")
        #expect(event.deviceModel == "iPhone16,1")
        #expect(event.osVersion == "18.0")
        #expect(event.appVersion == "2.1")
    }

    @Test("many events are packed") func packed() throws {
        let call = try #require(martlet.call(for: Sample.events(100)))
        #expect(call.headers["Content-Encoding"] == "gzip")
        #expect(call.body?.prefix(3) == Data([0x1F, 0x8B, 8]))
    }

    @Test("a notification without an id is known by the id of its request") func withoutMessageID() throws {
        var event = Sample.event()
        event.message.messageID = nil
        #expect(EventRequest(event)?.messageID == "r0")
    }

    @Test("nothing is sent before the installation is known") func withoutInstallation() {
        var event = Sample.event()
        event.context.installationID = nil
        #expect(martlet.call(for: [event]) == nil)
        #expect(MartletDestination { nil }.call(for: [Sample.event()]) == nil)
        #expect(!MartletDestination { nil }.isReady())
    }

    @Test("Treasure Data gets its own form") func treasureData() throws {
        let information = ["TDWriteKey": "1/abc", "TDEndpoint": "ap01", "TDDatabase": "mobile", "TDTable": "t"]
        let found = try TreasureDataSettings(information)
        let settings = try #require(found)
        let call = try #require(TreasureDataDestination(settings, timeout: 30).call(for: [Sample.event()]))
        #expect(call.url.absoluteString == "https://ap01.records.in.treasuredata.com/mobile/t")
        #expect(call.headers["Authorization"] == "TD1 1/abc")
        #expect(call.headers["Content-Type"] == "application/vnd.treasuredata.v1+json")
        #expect(call.headers["Accept"] == "application/vnd.treasuredata.v1+json")
        let body = try JSONValue(json: #require(call.body)).objectValue
        guard case .array(let events) = body?["events"], let record = events.first?.objectValue else {
            Issue.record("no events")
            return
        }
        #expect(record["uuid"] == .string(Sample.event().id.uuidString.lowercased()))
        #expect(record["time"] == .integer(Sample.noon / 1000))
        #expect(record["type"] == "link_open")
        #expect(record["platform"] == "ios")
        #expect(record["campaign_id"] == "summer")
        #expect(record["td_campaign_id"] == "summer")
        #expect(record["message_id"] == "m0")
        #expect(record["request_id"] == nil)
        #expect(record["user_id"] == "player-1")
    }

    @Test(
        "Treasure Data's older form is one record a request",
        arguments: [
            ("in.treasuredata.com", "https://in.treasuredata.com/postback/v3/event/mobile/t"),
            ("https://td.example.com/postback/v3/event/", "https://td.example.com/postback/v3/event/mobile/t"),
        ]
    )
    func postback(endpoint: String, url: String) throws {
        let found = try TreasureDataSettings(["TDWriteKey": "1/abc", "TDEndpoint": endpoint, "TDTable": "t"])
        let destination = TreasureDataDestination(try #require(found), timeout: 30)
        let batch = destination.limits.batch(Sample.events(3))
        #expect(batch == [Sample.event()])
        let call = try #require(destination.call(for: batch))
        #expect(call.url.absoluteString == url)
        #expect(call.headers == ["X-TD-Write-Key": "1/abc", "Content-Type": "application/json"])
        let body = try #require(call.body)
        let record = try #require(try JSONValue(json: body).objectValue)
        #expect(record["td_record_time"] == .integer(Sample.noon / 1000))
        #expect(record["time"] == nil && record["uuid"] == nil)
        #expect(record["type"] == "link_open" && record["td_campaign_id"] == "summer")
        #expect(destination.receipts(HTTPAnswer(status: 200), count: 1) == [.kept])
    }

    @Test("without a write key there is no destination, and nothing is wrong") func noKey() throws {
        for information in [nil, [:], ["TDWriteKey": ""], ["TDDatabase": "../up"]] as [[String: Any]?] {
            #expect(try TreasureDataSettings(information) == nil)
        }
    }

    @Test(
        "a value that cannot be used is an error that names its key, and not the value",
        arguments: [
            ("TDWriteKey", 7), ("TDWriteKey", "a b"), ("TDWriteKey", "é"), ("TDEndpoint", "http://td.example.com"),
            ("TDEndpoint", "https://u:p@td.example.com"), ("TDEndpoint", "https://td.example.com?x"),
            ("TDEndpoint", ["us01"]), ("TDDatabase", "../up"), ("TDDatabase", "a/b"), ("TDTable", "A"),
            ("TDTable", "x y"), ("TDTable", "名"), ("TDTable", 1), ("TDTable", String(repeating: "a", count: 256)),
        ] as [(String, any Sendable)]
    )
    func badValues(key: String, value: any Sendable) {
        var information: [String: Any] = ["TDWriteKey": "1/secret"]
        information[key] = value
        let error = #expect(throws: PushNotificationError.self) { try TreasureDataSettings(information) }
        guard case .invalidConfiguration(let text)? = error else {
            Issue.record("another error")
            return
        }
        #expect(text.hasPrefix(key) && !text.contains("secret") && !text.contains("u:p"))
    }

    @Test("a bad value reaches the error handler and the log; what goes to the app's own server is not touched")
    func badValuesAreTold() async throws {
        let handlers = Handlers()
        let errors = Journal<PushNotificationError>()
        let log = Journal<String>()
        handlers.errors.handler = { errors.add($0) }
        var environment = PushEnvironment(
            platform: RecordingPlatform(),
            transport: ScriptedTransport.registering(),
            storage: MemoryStore()
        )
        environment.log = { _, line in log.add(line) }
        environment.makeEvents = { EventRecorder($0, information: ["TDWriteKey": "1/secret", "TDTable": "A"]) }
        let configuration = try SDKConfiguration(
            apiURL: URL(string: "https://api.example.com")!,
            apiKey: "client-key"
        )
        let client = PushClient(configuration, in: environment, handlers: handlers)
        guard case .invalidConfiguration(let text)? = await errors.wait(for: 1).first else {
            Issue.record("another error")
            return
        }
        #expect(text.hasPrefix("TDTable") && log.entries.contains { $0.contains("TDTable") })
        #expect(client.recorder?.tallies.count == 1)
    }

    @Test(
        "an endpoint is a region, a host or an address",
        arguments: [
            ("us01", "https://us01.records.in.treasuredata.com/mobile/push_events"),
            ("td.example.com", "https://td.example.com/mobile/push_events"),
            ("https://td.example.com", "https://td.example.com/mobile/push_events"),
            ("https://td.example.com/in/", "https://td.example.com/in/mobile/push_events"),
        ]
    )
    func endpoints(text: String, url: String) throws {
        #expect(try TreasureDataSettings(["TDWriteKey": "k", "TDEndpoint": text])?.url.absoluteString == url)
    }

    @Test("the write key is never printed") func redacted() throws {
        let found = try TreasureDataSettings(["TDWriteKey": "1/secret"])
        let settings = try #require(found)
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!"\(settings) \(String(reflecting: settings)) \(dumped)".contains("secret"))
    }

    @Test("a batch is cut where its bytes would be too many, and is never empty") func batches() {
        let size = Sample.event(100).size
        let limits = BatchLimits(events: 500, bytes: size * 3)
        #expect(limits.batch(Sample.events(10)).count == 3)
        #expect(BatchLimits(events: 2, bytes: 1 << 20).batch(Sample.events(10)).count == 2)
        #expect(BatchLimits(events: 500, bytes: 1).batch(Sample.events(10)).count == 1)
        #expect(limits.batch([]).isEmpty)
    }
}
