import CryptoExtras
import Foundation
import Testing

@testable import MartletSimulator

/// curl's answer: status, protocol, body.
struct ServiceAnswerSeen: Sendable {
    var status: Int
    /// As curl calls it: `2` or `1.1`.
    var version: String
    var body: String

    var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)) }
}

/// Sends with curl, trusting the authority.
func curl(_ arguments: [String], trusting authority: String, body: [UInt8]? = nil) async throws -> ServiceAnswerSeen {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let trust = folder.appending(path: "ca.pem"), bodyFile = folder.appending(path: "body")
    try Data(authority.utf8).write(to: trust)
    var arguments = arguments
    if let body {
        try Data(body).write(to: bodyFile)
        arguments += ["--data-binary", "@\(bodyFile.path)"]
    }
    let format = #"\n%{http_code} %{http_version}"#
    let result = try await run(
        ["curl", "--silent", "--max-time", "20", "--cacert", trust.path, "-w", format] + arguments
    )
    let end = result.output.lastIndex(of: "\n") ?? result.output.startIndex
    let words = result.output[end...].split(whereSeparator: \.isWhitespace)
    return ServiceAnswerSeen(
        status: words.first.flatMap { Int($0) } ?? 0,
        version: words.last.map(String.init) ?? "",
        body: String(result.output[..<end])
    )
}

@Suite("The simulated FCM by HTTP/2 and HTTP/1.1", .timeLimit(.minutes(2)))
struct FCMLiveTests {
    private func grant(_ account: ServiceAccountFile, at simulator: FCMSimulator, _ version: String) async throws
        -> ServiceAnswerSeen
    {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: account.privateKey)
        let now = LiveSimulator.now
        let jwt = try FCMFixture.jwt(
            header: ["alg": .string("RS256"), "kid": .string(account.privateKeyID)],
            claims: FCMFixture.claims([
                "iss": .string(account.clientEmail), "aud": .string(account.tokenURI), "iat": .integer(now),
                "exp": .integer(now + 3_600),
            ]),
            key: key
        )
        let form = ["--data-urlencode", "grant_type=\(GrantCheck.grantType)", "--data-urlencode", "assertion=\(jwt)"]
        return try await curl([version] + form + [account.tokenURI], trusting: simulator.authorityPEM)
    }

    private func send(_ bearer: String, _ message: String, at simulator: FCMSimulator, _ version: String) async throws
        -> ServiceAnswerSeen
    {
        try await curl(
            [
                version, "-H", "authorization: Bearer \(bearer)", "-H", "content-type: application/json",
                "\(simulator.url)/v1/projects/shop/messages:send",
            ],
            trusting: simulator.authorityPEM,
            body: Array(message.utf8)
        )
    }

    @Test("a grant leads to an access token, and that to a message on the phone", arguments: ["--http2", "--http1.1"])
    func sends(version: String) async throws {
        let simulator = try await FCMSimulator.start()
        let account = simulator.makeAccount(project: "shop")
        let control = "http://127.0.0.1:\(simulator.controlPort)/fcm"
        let phone = try await curl(
            ["\(control)/devices"],
            trusting: simulator.authorityPEM,
            body: Array(#"{"project":"shop","kind":"fid"}"#.utf8)
        )
        #expect(phone.status == 201)
        let fid = try #require(phone.json?["token"]?.text)
        let granted = try await grant(account, at: simulator, version)
        let bearer = try #require(granted.json?["access_token"]?.text)
        #expect(granted.version == (version == "--http2" ? "2" : "1.1"))
        let message = #"{"message":{"fid":"\#(fid)","data":{"a":"b"}}}"#
        let sent = try await send(bearer, message, at: simulator, version)
        #expect(sent.status == 200)
        let page = try await curl(["\(control)/devices/\(fid)/messages"], trusting: simulator.authorityPEM)
        let messages = try JSONDecoder().decode(FCMDevicePage.self, from: Data(page.body.utf8))
        #expect(messages.messages.map { $0.message["data"]?["a"] } == [.string("b")])
        #expect(messages.messages.map(\.name) == [sent.json?["name"]?.text])
        #expect(simulator.received().map(\.path) == ["/token", "/v1/projects/shop/messages:send"])
        #expect(simulator.received().allSatisfy { $0.headers["authorization"]?.contains(bearer) != true })
        await simulator.shutdown()
    }

    @Test("rules answer with an error, expire tokens, revoke accounts and turn the clock")
    func faults() async throws {
        let simulator = try await FCMSimulator.start()
        let account = simulator.makeAccount(project: "shop")
        let bearer = try #require(try await grant(account, at: simulator, "--http2").json?["access_token"]?.text)
        let message = #"{"message":{"token":"\#(FCMFixture.token)"}}"#
        simulator.add(ServiceRule(.refuse(.unavailable, retryAfter: 7), times: 1))
        #expect(try await send(bearer, message, at: simulator, "--http2").status == 503)
        simulator.add(ServiceRule(ServiceAction(.abort), when: FCMRuleCondition(token: FCMFixture.token), times: 1))
        #expect(try await send(bearer, message, at: simulator, "--http1.1").status == 0)
        #expect(try await send(bearer, message, at: simulator, "--http1.1").status == 200)
        simulator.expireAccessTokens()
        #expect(try await send(bearer, message, at: simulator, "--http2").status == 401)
        simulator.setClockSkew(seconds: 600)
        #expect(try await grant(account, at: simulator, "--http2").status == 200)
        simulator.setClockSkew(seconds: -600)
        #expect(try await grant(account, at: simulator, "--http2").json?["error"] == .string("invalid_grant"))
        simulator.setClockSkew(seconds: 0)
        simulator.revoke(account.clientEmail)
        #expect(try await grant(account, at: simulator, "--http2").status == 400)
        #expect(simulator.receivedCounts.byOutcome["aborted"] == 1)
        await simulator.shutdown()
    }
}

@Suite("The simulated push services by HTTP/2 and HTTP/1.1", .timeLimit(.minutes(2)))
struct WebPushLiveTests {
    @Test("a sealed message reaches the browser that it is for", arguments: ["--http2", "--http1.1"])
    func sends(version: String) async throws {
        let simulator = try await WebPushSimulator.start()
        let server = WebPushFixture()
        let subscription = try #require(simulator.subscribe(.other, key: server.publicKey))
        let keys = try #require(
            simulator.service.withRegistry { registry -> UserAgentKeys? in
                guard case .simulated(let keys)? = registry.subscriptions[subscription.id]?.agent else { return nil }
                return keys
            }
        )
        let authorization = try server.authorization(
            audience: simulator.url,
            expires: Double(LiveSimulator.now + 3_600)
        )
        let arguments = [
            version, "-H", "authorization: \(authorization)", "-H", "ttl: 60", "-H", "content-encoding: aes128gcm",
            "-H", "topic: a", subscription.endpoint,
        ]
        for text in ["first", #"{"title":"second"}"#] {
            let body = try WebPushFixture.seal(text, for: keys)
            let answer = try await curl(arguments, trusting: simulator.authorityPEM, body: body)
            #expect(answer.status == 201)
            #expect(answer.version == (version == "--http2" ? "2" : "1.1"))
        }
        // The topic is the same: the second took the first one's place.
        #expect(simulator.messages(of: subscription.id).map { $0.payload?["title"] } == [.string("second")])
        var flipped = try WebPushFixture.seal("x", for: keys)
        flipped[flipped.count - 1] ^= 1
        #expect(try await curl(arguments, trusting: simulator.authorityPEM, body: flipped).status == 201)
        #expect(
            simulator.messages(of: subscription.id).map(\.undecryptable) == [DecryptionFailure.authentication.rawValue]
        )
        simulator.end(subscription.id)
        #expect(try await curl(arguments, trusting: simulator.authorityPEM, body: flipped).status == 410)
        #expect(simulator.received().map(\.status) == [201, 201, 201, 410])
        await simulator.shutdown()
    }

    @Test("a rule answers in the words of the subscription's service")
    func faults() async throws {
        let simulator = try await WebPushSimulator.start()
        let subscription = try #require(simulator.subscribe(.apple))
        simulator.add(ServiceRule(.refuse(.keyMismatch), when: WebPushRuleCondition(service: .apple)))
        let answer = try await curl(
            ["-X", "POST", "-H", "ttl: 60", "\(simulator.url)/\(subscription.id)"],
            trusting: simulator.authorityPEM
        )
        #expect(answer.status == 400)
        #expect(answer.json?["reason"] == .string("VapidPkHashMismatch"))
        await simulator.shutdown()
    }

    @Test("the control API makes subscriptions, and names what it cannot use")
    func control() async throws {
        let simulator = try await WebPushSimulator.start()
        let control = "http://127.0.0.1:\(simulator.controlPort)/webpush"
        func post(_ path: String, _ body: String) async throws -> ServiceAnswerSeen {
            try await curl([control + path], trusting: simulator.authorityPEM, body: Array(body.utf8))
        }
        let made = try await post("/subscriptions", #"{"service":"google"}"#)
        #expect(made.status == 201)
        #expect(made.json?["endpoint"]?.text?.hasPrefix("https://fcm.googleapis.com/fcm/send/") == true)
        let bad = try await post("/subscriptions", #"{"applicationServerKey":"AAAA"}"#)
        #expect(bad.json?["error"]?["field"] == .string("applicationServerKey"))
        let rule = try await post("/rules", #"{"then":{"do":"respond","errorCode":"x"}}"#)
        #expect(rule.json?["error"]?["field"] == .string("then.errorCode"))
        let state = try await curl(["\(control)/state"], trusting: simulator.authorityPEM)
        #expect(state.json?["subscriptions"] == .integer(1))
        await simulator.shutdown()
    }
}
