import Testing

@testable import MartletSimulator

@Suite("Checks of topic, push type and device")
struct TopicCheckTests {
    @Test("each fault is refused with its status and reason", arguments: topics + devices)
    func refuses(row: CheckCase) throws {
        #expect(try row.result() == row.answer)
    }

    static let topics: [CheckCase] = [
        CheckCase("no topic", "400 MissingTopic") { $0.request.topic = nil },
        CheckCase("an empty topic", "400 MissingTopic") { $0.request.topic = "" },
        CheckCase("a topic with a space", "400 BadTopic") { $0.request.topic = "com.example transit" },
        CheckCase("a suffix alone", "400 BadTopic") { $0.request.topic = ".voip" },
        CheckCase("a topic of 256 bytes", "400 BadTopic") { $0.request.topic = String(repeating: "a", count: 256) },
        CheckCase("an unknown app", "400 TopicDisallowed") { $0.request.topic = "com.example.other" },
        CheckCase("another team's app", "400 TopicDisallowed") {
            $0.registry.register(try SimulatorApp(topic: "com.example.other", teamID: "TEAM999999"))
            $0.request.topic = "com.example.other"
        },
        CheckCase("a key of other topics", "400 TopicDisallowed") {
            $0.registry.register(try $0.account.key(topics: ["com.example.other"]))
        },
        CheckCase("a key of this topic", "200") {
            $0.registry.register(try $0.account.key(topics: [Account.topic]))
        },
        CheckCase("no push type", "200") { $0.request.pushType = nil },
        CheckCase("an unknown push type", "400 InvalidPushType") { $0.request.pushType = "Alert" },
        CheckCase("an app whose bundle id ends like a suffix", "200") {
            $0.registry.register(try $0.account.app("org.example.voip"))
            $0.request.topic = "org.example.voip"
        },
        CheckCase("push-to-talk that would be stored", "400 BadExpirationDate") {
            $0.request.topic? += ".voip-ptt"
            $0.request.pushType = "pushtotalk"
            $0.request.expiration = "1700003600"
        },
    ]

    static let devices: [CheckCase] = [
        CheckCase("an unknown token where only known ones are good", "400 BadDeviceToken") {
            $0.registry.knownTokensOnly = true
        },
        CheckCase("a known one", "200") {
            $0.registry.knownTokensOnly = true
            $0.registry.register(try SimulatorDevice(token: Account.device))
        },
        CheckCase("a known one sent in upper case", "200") {
            $0.registry.knownTokensOnly = true
            $0.registry.register(try SimulatorDevice(token: Account.device))
            $0.request.path = "/3/device/\(Account.device.uppercased())"
        },
        CheckCase("a token of the sandbox", "400 BadDeviceToken") {
            $0.registry.register(try SimulatorDevice(token: Account.device, environment: .sandbox))
        },
        CheckCase("a token of the sandbox there", "200") {
            $0.registry.register(try SimulatorDevice(token: Account.device, environment: .sandbox))
            $0.environment = .sandbox
        },
        CheckCase("a token of another app", "400 DeviceTokenNotForTopic") {
            $0.registry.register(try SimulatorDevice(token: Account.device, topic: "com.example.other"))
        },
        CheckCase("a token of this app", "200") {
            $0.registry.register(try SimulatorDevice(token: Account.device, topic: Account.topic))
        },
        CheckCase("an app that was removed", "410 Unregistered") {
            $0.registry.register(try SimulatorDevice(token: Account.device, state: .unregistered(since: 5)))
        },
        CheckCase("a token that expired", "410 ExpiredToken") {
            $0.registry.register(try SimulatorDevice(token: Account.device, state: .expired(since: 5)))
        },
        CheckCase("an unregistered device is not reached with a bad payload", "413 PayloadTooLarge") {
            $0.registry.register(try SimulatorDevice(token: Account.device, state: .unregistered(since: 5)))
            $0.request.payload.size = 4_097
        },
    ]

    @Test("a 410 tells since when")
    func tellsSince() throws {
        var bench = try CheckBench()
        bench.registry.register(
            try SimulatorDevice(token: Account.device, state: .unregistered(since: 1_699_999_999_123))
        )
        #expect(bench.verdict().refusal == Refusal(.unregistered, timestamp: 1_699_999_999_123))
    }

    /// Apple's table of push types, written out: name, suffix, priorities allowed.
    static let types: [(String, String, Set<String>)] = [
        ("alert", "", ["10", "5", "1"]),
        ("background", "", ["5"]),
        ("voip", ".voip", ["10"]),
        ("complication", ".complication", ["10", "5", "1"]),
        ("fileprovider", ".pushkit.fileprovider", ["10", "5", "1"]),
        ("mdm", "", ["10", "5", "1"]),
        ("liveactivity", ".push-type.liveactivity", ["10", "5"]),
        ("pushtotalk", ".voip-ptt", ["10"]),
        ("location", ".location-query", ["10", "5"]),
        ("widgets", ".push-type.widgets", ["10", "5", "1"]),
        ("controls", ".push-type.controls", ["10", "5", "1"]),
    ]

    @Test("a push type wants its own topic suffix", arguments: types.map(\.0))
    func wantsSuffix(type: String) throws {
        let own = try #require(Self.types.first { $0.0 == type })
        for suffix in Set(Self.types.map(\.1)) {
            var bench = try CheckBench()
            bench.request.topic = Account.topic + suffix
            bench.request.pushType = type
            bench.request.priority = own.2.contains("10") ? "10" : "5"
            #expect(bench.answer() == (suffix == own.1 ? "200" : "400 InvalidPushType"), "\(type) to \(suffix)")
        }
    }

    @Test("a push type wants one of its priorities; absent is 10", arguments: types.map(\.0))
    func wantsPriority(type: String) throws {
        let own = try #require(Self.types.first { $0.0 == type })
        for priority in ["10", "5", "1", nil] {
            var bench = try CheckBench()
            bench.request.topic = Account.topic + own.1
            bench.request.pushType = type
            bench.request.priority = priority
            let isGood = own.2.contains(priority ?? "10")
            #expect(bench.answer() == (isGood ? "200" : "400 BadPriority"), "\(type) with \(priority ?? "none")")
        }
    }

    @Test("every reason that Apple documents has its status")
    func reasonsAndStatuses() {
        let statuses = Dictionary(grouping: APNsReason.allCases, by: \.status).mapValues { Set($0.map(\.rawValue)) }
        #expect(statuses[404] == ["BadPath"])
        #expect(statuses[405] == ["MethodNotAllowed"])
        #expect(statuses[410] == ["Unregistered", "ExpiredToken"])
        #expect(statuses[413] == ["PayloadTooLarge"])
        #expect(statuses[429] == ["TooManyRequests", "TooManyProviderTokenUpdates"])
        #expect(statuses[500] == ["InternalServerError"])
        #expect(statuses[503] == ["ServiceUnavailable", "Shutdown"])
        #expect(
            statuses[403] == [
                "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken", "ExpiredProviderToken",
                "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
            ]
        )
        #expect(statuses[400]?.count == 14)
    }
}
