import Crypto
import Testing

@testable import MartletSimulator

@Suite("Checks of the credential")
struct CredentialCheckTests {
    @Test("each fault is refused with its status and reason", arguments: tokens + certificates)
    func refuses(row: CheckCase) throws {
        #expect(try row.result() == row.answer)
    }

    static let tokens: [CheckCase] = [
        CheckCase("no authorization", "403 MissingProviderToken") { $0.request.authorization = nil },
        CheckCase("an empty one", "403 MissingProviderToken") { $0.request.authorization = "" },
        CheckCase("bearer without a token", "403 MissingProviderToken") { $0.request.authorization = "bearer " },
        CheckCase("Bearer", "200") {
            $0.request.authorization = $0.request.authorization?.replacing("bearer", with: "Bearer")
        },
        CheckCase("basic", "403 InvalidProviderToken") { $0.request.authorization = "basic abc" },
        CheckCase("no token at all", "403 InvalidProviderToken") { $0.request.authorization = "bearer abc" },
        CheckCase("another algorithm", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: $0.now, alg: "HS256"))
        },
        CheckCase("the algorithm none", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: $0.now, alg: "none"))
        },
        CheckCase("an unknown kid", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: $0.now, kid: "ZZZ123DEFG"))
        },
        CheckCase("another team as iss", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: $0.now, iss: "TEAM999999"))
        },
        CheckCase("signed by another key", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: $0.now, signer: P256.Signing.PrivateKey()))
        },
        CheckCase("a changed signature", "403 InvalidProviderToken") {
            $0.request.authorization = $0.request.authorization.map { $0.dropLast(4) + "AAAA" }
        },
        CheckCase("no iat", "403 InvalidProviderToken") {
            try $0.authorize(
                try $0.account.token(
                    header: #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
                    claims: #"{"iss":"TEAM123456"}"#
                )
            )
        },
        CheckCase("iat with a fraction", "200") { try $0.authorize(try token($0, iat: "1700000000.5")) },
        CheckCase("iat as text", "200") { try $0.authorize(try token($0, iat: #""1700000000""#)) },
        CheckCase("iat as text with a fraction", "200") { try $0.authorize(try token($0, iat: #""1700000000.5""#)) },
        CheckCase("an old iat as text", "403 ExpiredProviderToken") {
            try $0.authorize(try token($0, iat: #""1699990000""#))
        },
        CheckCase("iat as a date", "403 InvalidProviderToken") {
            try $0.authorize(try token($0, iat: #""2023-11-14T22:13:20Z""#))
        },
        CheckCase("iat beyond every number", "403 InvalidProviderToken") {
            try $0.authorize(try token($0, iat: "1e308"))
        },
        CheckCase("an infinite iat", "403 InvalidProviderToken") { try $0.authorize(try token($0, iat: #""inf""#)) },
        CheckCase("iat as a list", "403 InvalidProviderToken") { try $0.authorize(try token($0, iat: "[1700000000]")) },
        CheckCase("a signature as DER", "200") {
            try $0.authorize(try token($0, iat: "1700000000", isDER: true))
        },
        CheckCase("another key's signature as DER", "403 InvalidProviderToken") {
            try $0.authorize(try token($0, iat: "1700000000", signer: P256.Signing.PrivateKey(), isDER: true))
        },
        CheckCase("no kid", "403 InvalidProviderToken") {
            try $0.authorize(
                try $0.account.token(
                    header: #"{"alg":"ES256"}"#,
                    claims: #"{"iss":"TEAM123456","iat":1700000000}"#
                )
            )
        },
        CheckCase("a minute in the future", "200") { $0.now -= 60 },
        CheckCase("more than a minute in the future", "403 InvalidProviderToken") { $0.now -= 61 },
        CheckCase("60 minutes old", "200") { $0.now += 3_600 },
        CheckCase("a second more", "403 ExpiredProviderToken") { $0.now += 3_601 },
        CheckCase("two hours old where times do not count", "200") {
            $0.registry.checksTokenTimes = false
            $0.now += 7_200
        },
        CheckCase("two hours in the future where times do not count", "200") {
            $0.registry.checksTokenTimes = false
            $0.now -= 7_200
        },
        CheckCase("a key of the sandbox in production", "403 BadEnvironmentKeyIdInToken") {
            $0.registry.register(try $0.account.key(environment: .sandbox))
        },
        CheckCase("a key of the sandbox in the sandbox", "200") {
            $0.registry.register(try $0.account.key(environment: .sandbox))
            $0.environment = .sandbox
        },
        CheckCase("an iat before 1970", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: -1))
        },
        CheckCase("the least iat that there is", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: .min))
        },
        CheckCase("the greatest iat that there is", "403 InvalidProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: .max))
        },
        CheckCase("an iat of 1970", "403 ExpiredProviderToken") {
            try $0.authorize(try $0.account.token(issuedAt: 0))
        },
    ]

    private static func token(
        _ bench: CheckBench,
        iat: String,
        signer: P256.Signing.PrivateKey? = nil,
        isDER: Bool = false
    ) throws -> String {
        try bench.account.token(
            header: #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
            claims: #"{"iss":"TEAM123456","iat":\#(iat)}"#,
            signer: signer,
            isDER: isDER
        )
    }

    static let certificates: [CheckCase] = [
        CheckCase("a certificate of the topic", "200") { $0.present([Account.topic]) },
        CheckCase("a certificate without a topic", "403 BadCertificate") { $0.present([]) },
        CheckCase("a certificate of the sandbox", "403 BadCertificateEnvironment") {
            $0.present([Account.topic], [.sandbox])
        },
        CheckCase("a certificate of another topic", "400 TopicDisallowed") { $0.present(["com.example.other"]) },
        CheckCase("no topic, one in the certificate", "200") {
            $0.present([Account.topic])
            $0.request.topic = nil
        },
        CheckCase("no topic, several in the certificate", "400 MissingTopic") {
            $0.present([Account.topic, "com.example.other"])
            $0.request.topic = nil
        },
        CheckCase("location by certificate", "400 InvalidPushType") {
            $0.present([Account.topic])
            $0.request.topic? += ".location-query"
            $0.request.pushType = "location"
        },
    ]

    @Test("the signature of a token is checked once, however many pushes carry it")
    func verifiesOnce() throws {
        var bench = try CheckBench()
        for _ in 0..<5 { #expect(bench.answer() == "200") }
        bench.connection = ConnectionIdentity()
        #expect(bench.answer() == "200")
        #expect(bench.registry.signatureChecks == 1)
    }

    @Test("a token that was good expires on the same connection")
    func expiresInUse() throws {
        var bench = try CheckBench()
        #expect(bench.answer() == "200")
        bench.now += 3_601
        #expect(bench.answer() == "403 ExpiredProviderToken")
    }

    @Test("a token of a key that was replaced is no longer good")
    func replacedKey() throws {
        var bench = try CheckBench()
        #expect(bench.answer() == "200")
        bench.registry.register(try Account().key())
        #expect(bench.answer() == "403 InvalidProviderToken")
    }

    @Test("two tokens of a key are too many when minted under 20 minutes apart", arguments: [0, 1, 600, 1_199])
    func tooManyUpdates(seconds: Int64) throws {
        var bench = try CheckBench()
        #expect(bench.answer() == "200")
        bench.now += seconds
        try bench.authorize(try bench.account.token(issuedAt: bench.now))
        #expect(bench.answer() == "429 TooManyProviderTokenUpdates")
    }

    @Test("a token minted 20 minutes later is good, and the older one stays so")
    func updatesInTime() throws {
        var bench = try CheckBench()
        let first = bench.request.authorization
        #expect(bench.answer() == "200")
        bench.now += 1_200
        try bench.authorize(try bench.account.token(issuedAt: bench.now))
        #expect(bench.answer() == "200")
        bench.request.authorization = first
        #expect(bench.answer() == "200")
    }

    @Test("updates are counted on each connection, or over all of them where that is set", arguments: [false, true])
    func countsPerConnection(isAcross: Bool) throws {
        var bench = try CheckBench()
        bench.registry.countsUpdatesAcrossConnections = isAcross
        #expect(bench.answer() == "200")
        bench.connection = ConnectionIdentity()
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 600))
        #expect(bench.answer() == (isAcross ? "429 TooManyProviderTokenUpdates" : "200"))
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 601))
        #expect(bench.answer() == "429 TooManyProviderTokenUpdates")
    }

    @Test("the token that follows an ExpiredProviderToken is never one too many", arguments: [false, true])
    func updatesAfterExpiry(isAcross: Bool) throws {
        var bench = try CheckBench()
        bench.registry.countsUpdatesAcrossConnections = isAcross
        #expect(bench.answer() == "200")
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 3_601))
        #expect(bench.answer() == "403 ExpiredProviderToken")
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 1))
        #expect(bench.answer() == "200")
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 2))
        #expect(bench.answer() == "429 TooManyProviderTokenUpdates", "only the one that was asked for")
    }

    @Test("tokens that were forgotten count on no connection")
    func forgetsUpdates() throws {
        var bench = try CheckBench()
        #expect(bench.answer() == "200")
        bench.registry.forgetTokens()
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 1))
        #expect(bench.answer() == "200")
    }

    @Test("tokens of different keys do not count together, and the check can be off")
    func countsPerKey() throws {
        var bench = try CheckBench()
        var other = Account()
        other.keyID = "OTHER12345"
        bench.registry.register(try other.key())
        #expect(bench.answer() == "200")
        try bench.authorize(try other.token(issuedAt: bench.now))
        #expect(bench.answer() == "200")
        bench.registry.tokenInterval = 0
        try bench.authorize(try other.token(issuedAt: bench.now))
        #expect(bench.answer() == "200")
    }

    @Test("a second team's key is unrelated on one connection and welcome on another")
    func unrelatedKey() throws {
        var bench = try CheckBench()
        var other = Account()
        other.keyID = "OTHER12345"
        other.teamID = "TEAM999999"
        bench.registry.register(try other.key())
        bench.registry.register(try other.app("com.example.other"))
        #expect(bench.answer() == "200")
        try bench.authorize(try other.token(issuedAt: bench.now))
        bench.request.topic = "com.example.other"
        #expect(bench.answer() == "403 UnrelatedKeyIdInToken")
        bench.connection = ConnectionIdentity()
        #expect(bench.answer() == "200")
    }

    @Test("keys of one team share a connection when their scope is the same", arguments: KeyPair.all)
    func keyScopes(pair: KeyPair) throws {
        var bench = try CheckBench()
        var other = bench.account
        other.keyID = "OTHER12345"
        bench.registry.register(try bench.account.key(environment: pair.first.environment, topics: pair.first.topics))
        bench.registry.register(try other.key(environment: pair.second.environment, topics: pair.second.topics))
        let first = bench.request.authorization
        let second = "bearer \(try other.token(issuedAt: bench.now))"
        #expect(bench.answer() == "200")

        bench.request.authorization = second

        #expect(bench.answer() == pair.answer)
        bench.request.authorization = first
        #expect(bench.answer() == "200", "the first key stays good")
        bench.connection = ConnectionIdentity()
        bench.request.authorization = second
        #expect(bench.answer() == "200", "the other is good on a connection of its own")
    }

    /// Two keys of one team that are used on one connection, one after the other.
    struct KeyPair: Sendable, CustomTestStringConvertible {
        struct Scope: Sendable {
            var environment: APNsEnvironment?
            var topics: [String]?
        }

        var testDescription: String
        var first: Scope
        var second: Scope
        var answer: String

        static let team = Scope()
        static let topic = Scope(topics: [Account.topic])
        static let topics = Scope(topics: [Account.topic, "com.example.other"])
        static let unrelated = "403 UnrelatedKeyIdInToken"

        static let all = [
            KeyPair(testDescription: "both the team's", first: team, second: team, answer: "200"),
            KeyPair(
                testDescription: "both the team's, one for one environment",
                first: team,
                second: Scope(environment: .production),
                answer: "200"
            ),
            KeyPair(testDescription: "the team's, then a topic's", first: team, second: topic, answer: unrelated),
            KeyPair(testDescription: "a topic's, then the team's", first: topic, second: team, answer: unrelated),
            KeyPair(testDescription: "both of one topic", first: topic, second: topic, answer: "200"),
            KeyPair(testDescription: "of other topics", first: topic, second: topics, answer: unrelated),
        ]
    }

    @Test("the cache of tokens is bounded")
    func cacheIsBounded() throws {
        var bench = try CheckBench()
        bench.registry.tokenInterval = 0
        for second in 0..<Int64(APNsRegistry.tokenLimit + 2) {
            try bench.authorize(try bench.account.token(issuedAt: bench.now - 3_000 + second))
            #expect(bench.answer() == "200")
        }
        bench.connection = ConnectionIdentity()
        let before = bench.registry.signatureChecks
        try bench.authorize(try bench.account.token(issuedAt: bench.now - 3_000))
        #expect(bench.answer() == "200")
        #expect(bench.registry.signatureChecks == before + 1)
    }
}

extension CheckBench {
    mutating func authorize(_ token: String) throws {
        request.authorization = "bearer \(token)"
    }

    mutating func present(_ topics: [String], _ environments: Set<APNsEnvironment> = [.production]) {
        request.authorization = nil
        connection = ConnectionIdentity(certificate: CertificateIdentity(topics: topics, environments: environments))
    }
}
