import Crypto
import HTTPTypes
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

/// What there is to change: one thing of each kind, by the names that stand in paths in braces.
struct ChangeThings {
    static let pem = P256.Signing.PrivateKey().pemRepresentation
    /// What notifications say.
    static let text = "zebras are loose"
    private static let tokens = ["1c", "2d", "3e"].map { String(repeating: $0, count: 32) }

    private var names: [String: String] = [:]
    /// What the audit log must not hold.
    private(set) var secrets: [String]

    init(_ server: Harness) async throws {
        let body = Self.pem.split(separator: "\n")[1]
        secrets = [server.admin, server.send, Harness.userSecret, Self.text, String(body), Harness.token] + Self.tokens
        try await makePeople(server)
        try await makeFailedWork(server)
        names["webhook"] = try await deadWebhook(server)
        try await makeKeysAndOperators(server)
    }

    /// A path with ids in place of names.
    func path(_ pattern: String) -> String { names.reduce(pattern) { $0.replacing("{\($1.key)}", with: $1.value) } }

    /// Notes what an answer shows once.
    mutating func noteSecrets(of answer: Answer) {
        let shown = ["key", "secret_access_key", "token"].compactMap { answer.data[$0].stringValue }
        // A category has a key too, which is no secret.
        secrets += shown.filter { $0.count >= 20 }
    }

    private static func id(_ thing: JSONValue?) throws -> String {
        let id = thing?["id"].stringValue
        return try #require(id)
    }

    private mutating func makePeople(_ server: Harness) async throws {
        names["device"] = try await OutcomeTests.device(server, Self.tokens[0], of: "a")
        names["spare"] = try await OutcomeTests.device(server, Self.tokens[2], of: "b")
        names["endpoint"] = try await OutcomeTests.device(server, Self.tokens[1], of: "b")
        _ = try await server.call(.post, "/api/v1/topics", key: server.send, ["name": "news"])
        let subscribed = try await server.call(
            .post,
            "/api/v1/topics/news/subscriptions",
            key: server.send,
            ["user_id": "a"]
        )
        names["subscription"] = try Self.id(subscribed.data)
    }

    /// Work that failed in each way, by the hands of a dispatcher.
    private mutating func makeFailedWork(_ server: Harness) async throws {
        let (missed, dead) = try await OutcomeTests.fanOut(server, to: ["a"])
        names["missed"] = missed
        try await OutcomeTests.settle(server, try #require(dead)) { settlement in
            let member = settlement.batch.members[0]
            settlement.results = [DeliveryResult(member: member, state: .dead, reason: "x", attempts: 50)]
        }
        _ = try await OutcomeTests.fanOut(server, to: ["a"])
        let queue = OutcomeTests.queue(server.app)
        for holder in 1...Int64(LeaseAdmission.limit) {
            server.clock.advance(by: Lease.duration)
            _ = try await server.store.leaseBatches(queue, limit: 1, lease: Lease(holder: holder))
        }
        let letters = try await server.call(.get, "/api/v1/dead-letters", key: server.send).items
        names["letter"] = try Self.id(letters.first)
        let quarantined = try await server.call(.get, "/api/v1/quarantine", key: server.send).items
        names["work"] = try Self.id(quarantined.first)
        let (_, paused) = try await OutcomeTests.fanOut(server, to: ["a"])
        try await OutcomeTests.settle(server, try #require(paused)) { settlement in
            settlement.remaining = settlement.batch.members
            settlement.isLeaseReleased = true
            settlement.pause = Pause(queue: queue, reason: "x", advice: "y", since: server.clock.now())
        }
        names["item"] = try await server.item(for: "b", Self.text)
        let later = server.clock.now() + .seconds(3_600)
        names["later"] = try await server.item(for: "b", Self.text, ["send_at": .string(UTCTime(later).description)])
    }

    /// A message that a webhook URL did not take.
    private func deadWebhook(_ server: Harness) async throws -> String {
        let topic = try await server.store.createTopic(TopicDraft(name: "hooks")).topic
        let url = "https://example.com/hook"
        _ = try await server.store.subscribe(
            SubscriptionDraft(topic: topic.row, subject: .webhook(url), address: url)
        )
        let message = WebhookMessage(
            id: server.api.submitter.makeID(),
            topic: topic.row,
            topicName: "hooks",
            recipients: .subscribers(TopicMessage()),
            document: "{}"
        )
        _ = try await server.store.enqueue(message)
        while try await server.store.fanOutWebhooks(after: nil, limit: 100) != nil {}
        let lease = Lease(holder: 77)
        let leased = try await server.store.leaseWebhooks(Permits(total: 10, perQueue: 10), lease: lease).deliveries
        try await server.store.settle(try #require(leased.first), .dead(reason: "gone"), lease: lease)
        return try #require(try await server.store.failedWork(WebhookDeadLetter.self).items.first).id.description
    }

    private mutating func makeKeysAndOperators(_ server: Harness) async throws {
        let key = try await server.store.createKey(
            app: server.app.row,
            scope: .send,
            name: "old",
            prefix: "mk_",
            hash: SecretHash(of: "an old key")
        )
        names["key"] = key.id.description
        names["access_key"] = try await server.store.createAccessKey(id: AccessKey().id, sealed: [1], name: "old").id
        let cost = PasswordHash.Cost(rounds: 4, blockSize: 1, parallelism: 1)
        let service = OperatorService(
            store: server.store,
            clock: server.clock,
            passwords: PasswordHasher(cost: cost)
        )
        let invited = try await service.invite("ann", as: .viewer, by: .system)
        let browser = OperatorService.Browser(address: "203.0.113.7", userAgent: "a browser")
        let signedIn = try await service.redeem(token: invited.token, password: "words that are long", from: browser)
        names["operator"] = signedIn.session.owner.id.description
        names["session"] = signedIn.session.id.description
    }
}
