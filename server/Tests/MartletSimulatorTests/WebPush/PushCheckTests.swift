import Crypto
import Foundation
import MartletTransport
import NIOCore
import Testing

@testable import MartletSimulator

@Suite("Checks of a push at the simulated push services")
struct PushCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// `accepted`, or an error's code.
        var result: String
        var service = PushServiceKind.mozilla
        var method = "POST"
        /// `nil` leaves a header out.
        var headers: [String: String?] = [:]
        var size = 200
        var state = PushSubscription.State.active
        var path: String?
        var audience: String?
        var expires = WebPushFixture.now + 43_200
        var subject: String? = "mailto:push@example.com"
        var isForeignKey = false, isForeignSigner = false
        var testDescription: String { name }
    }

    static let requests: [Row] = [
        Row(name: "a good push", result: "accepted"),
        Row(name: "an unknown address", result: "missing", path: "/wpush/v2/unknown"),
        Row(name: "another service's path", result: "missing", path: "/fcm/send/{id}"),
        Row(name: "an ended subscription without a key", result: "gone", headers: ["authorization": nil], state: .gone),
        Row(name: "a subscription that is not there any more", result: "missing", state: .missing),
        Row(name: "PUT without a key", result: "requestInvalid", method: "PUT", headers: ["authorization": nil]),
        Row(name: "no TTL", result: "ttlMissing", headers: ["ttl": nil]),
        Row(name: "a TTL of 0", result: "accepted", headers: ["ttl": "0"]),
        Row(name: "a TTL of 0 at Apple", result: "ttlInvalid", service: .apple, headers: ["ttl": "0"]),
        Row(name: "a TTL of four weeks", result: "accepted", headers: ["ttl": "2419200"]),
        Row(name: "a longer TTL", result: "ttlInvalid", headers: ["ttl": "2419201"]),
        Row(name: "a TTL that is no number", result: "ttlInvalid", headers: ["ttl": "+5"]),
        Row(name: "an urgency", result: "accepted", headers: ["urgency": "very-low"]),
        Row(
            name: "another urgency, and another topic",
            result: "urgencyInvalid",
            headers: ["urgency": "x", "topic": ""]
        ),
        Row(name: "a topic", result: "accepted", headers: ["topic": String(repeating: "a", count: 32)]),
        Row(name: "a topic of 33", result: "topicInvalid", headers: ["topic": String(repeating: "a", count: 33)]),
        Row(name: "a topic with a full stop", result: "topicInvalid", headers: ["topic": "a.b"]),
        Row(name: "no encoding", result: "encodingInvalid", headers: ["content-encoding": nil]),
        Row(name: "no encoding of no body", result: "accepted", headers: ["content-encoding": nil], size: 0),
        Row(
            name: "the older encoding, too large",
            result: "encodingInvalid",
            headers: ["content-encoding": "aesgcm"],
            size: 9_999
        ),
        Row(name: "4,096 bytes", result: "accepted", size: 4_096),
        Row(name: "4,097 bytes", result: "tooLarge", size: 4_097),
        Row(name: "Microsoft without its header", result: "requestInvalid", service: .microsoft),
        Row(name: "Microsoft", result: "accepted", service: .microsoft, headers: ["x-wns-cache-policy": "cache"]),
        Row(
            name: "Microsoft with a TTL of 0",
            result: "accepted",
            service: .microsoft,
            headers: ["x-wns-cache-policy": "no-cache", "ttl": "0"]
        ),
    ]

    static let credentials: [Row] = [
        Row(name: "no key, and no TTL", result: "authorizationMissing", headers: ["authorization": nil, "ttl": nil]),
        Row(name: "another scheme", result: "authorizationInvalid", headers: ["authorization": "bearer x"]),
        Row(name: "no k", result: "authorizationInvalid", headers: ["authorization": "vapid t=a.b.c"]),
        Row(
            name: "a k that is no point",
            result: "publicKeyInvalid",
            headers: ["authorization": "vapid t=a.b.c, k=AAAA"]
        ),
        Row(name: "another signer", result: "tokenInvalid", isForeignSigner: true),
        Row(name: "another audience", result: "tokenInvalid", audience: "https://example.com"),
        Row(name: "expired", result: "tokenInvalid", expires: WebPushFixture.now),
        Row(name: "24 hours", result: "accepted", expires: WebPushFixture.now + 86_400),
        Row(name: "longer than 24 hours", result: "tokenInvalid", expires: WebPushFixture.now + 86_401),
        Row(name: "no contact", result: "accepted", subject: nil),
        Row(name: "a contact with a blank", result: "tokenInvalid", subject: "mailto: push@example.com"),
        Row(name: "a contact in brackets", result: "tokenInvalid", subject: "mailto:<push@example.com>"),
        Row(name: "a contact on this machine", result: "tokenInvalid", subject: "https://localhost"),
        Row(name: "a contact by https", result: "accepted", subject: "https://example.com/contact"),
        Row(name: "another key", result: "keyMismatch", isForeignKey: true),
        Row(name: "another key, signed wrongly", result: "tokenInvalid", isForeignKey: true, isForeignSigner: true),
    ]

    @Test("each fault is answered by the first check that fails", arguments: requests + credentials)
    func answers(row: Row) throws {
        let server = WebPushFixture()
        var registry = WebPushRegistry()
        registry.ownOrigin = "https://127.0.0.1:9446"
        let bound = row.isForeignKey ? P256.Signing.PrivateKey().publicKey.x963Representation : server.publicKey
        let made = registry.subscribe(row.service, key: bound, agent: .simulated(UserAgentKeys()))
        let subscription = try #require(made)
        _ = registry.set(row.state, of: subscription.id)
        var headers = [
            "ttl": "60", "content-encoding": "aes128gcm",
            "authorization": try server.authorization(
                audience: row.audience ?? subscription.origin,
                expires: row.expires,
                subject: row.subject,
                signer: row.isForeignSigner ? P256.Signing.PrivateKey() : nil
            ),
        ]
        for (name, value) in row.headers { headers[name] = value }
        let path = row.path ?? row.service.path + "{id}"
        let check = PushCheck(
            method: row.method,
            path: path.replacing("{id}", with: subscription.id),
            headers: headers,
            size: row.size,
            now: WebPushFixture.now
        )
        let verdict = check.verdict(in: registry)
        #expect(verdict.error?.code.rawValue ?? "accepted" == row.result, "\(verdict.error?.message ?? "")")
    }

    @Test("a token that was taken once is refused once it is over")
    func takenBefore() throws {
        let server = WebPushFixture()
        var registry = WebPushRegistry()
        let made = registry.subscribe(.mozilla, key: server.publicKey, agent: .simulated(UserAgentKeys()))
        let subscription = try #require(made)
        let authorization = try server.authorization(
            audience: subscription.origin,
            expires: WebPushFixture.now + 60
        )
        func result(after seconds: Double) -> String {
            let check = PushCheck(
                method: "POST",
                path: subscription.service.path + subscription.id,
                headers: ["ttl": "1", "authorization": authorization],
                size: 0,
                now: WebPushFixture.now + seconds
            )
            return check.verdict(in: registry).error?.code.rawValue ?? "accepted"
        }
        #expect([0, 30, 61].map(result) == ["accepted", "accepted", "tokenInvalid"])
    }

    @Test("a subscription without a key takes pushes without one")
    func open() throws {
        var registry = WebPushRegistry()
        let made = registry.subscribe(.google, key: nil, agent: .simulated(UserAgentKeys()))
        let subscription = try #require(made)
        let check = PushCheck(
            method: "POST",
            path: "/fcm/send/\(subscription.id)",
            headers: ["ttl": "1"],
            size: 0,
            now: WebPushFixture.now
        )
        #expect(check.verdict(in: registry).error == nil)
    }

    /// Service, error, status, and what tells it from others.
    static let words: [(PushServiceKind, WebPushErrorCode, Int, String)] = [
        (.google, .keyMismatch, 403, "do not correspond"), (.google, .gone, 410, "unsubscribed or expired"),
        (.mozilla, .missing, 404, #""errno":102"#), (.mozilla, .gone, 410, #""errno":106"#),
        (.mozilla, .tooLarge, 413, #""errno":104"#), (.mozilla, .tokenInvalid, 401, #""errno":109"#),
        (.mozilla, .ttlMissing, 400, #""errno":111"#), (.mozilla, .ttlInvalid, 400, #""errno":112"#),
        (.mozilla, .topicInvalid, 400, #""errno":113"#), (.mozilla, .tooMany, 503, #""errno":201"#),
        (.mozilla, .unavailable, 503, #""errno":202"#), (.apple, .keyMismatch, 400, "VapidPkHashMismatch"),
        (.apple, .tokenInvalid, 403, "BadJwtToken"), (.apple, .ttlInvalid, 400, "BadTtl"),
        (.apple, .urgencyInvalid, 400, "BadUrgency"), (.apple, .topicInvalid, 400, "BadWebPushTopic"),
        (.apple, .publicKeyInvalid, 400, "BadVapidPublicKey"), (.apple, .gone, 410, "Unregistered"),
        (.microsoft, .tooMany, 406, "retry-after=5"), (.microsoft, .dropped, 201, "x-wns-notificationstatus=dropped"),
        (.microsoft, .channelThrottled, 201, "x-wns-notificationstatus=channelthrottled"),
        (.other, .tooMany, 429, "retry-after=5"), (.other, .tooLarge, 413, "tooLarge"),
    ]

    @Test("each service has its own words", arguments: words)
    func wording(row: (service: PushServiceKind, code: WebPushErrorCode, status: Int, part: String)) {
        let answer = row.service.answer(to: WebPushError(row.code), retryAfter: 5)
        #expect(answer.status == row.status)
        let headers = answer.headers.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        let text = (answer.body.map { String(buffer: $0) } ?? "") + headers
        #expect(text.contains(row.part), "\(text)")
    }
}
