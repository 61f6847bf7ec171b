import Crypto
import Foundation
import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS
@testable import MartletWebhooks

@Suite("A message for webhook URLs")
struct WebhookDeliveryTests {
    @Test("comes in a signed envelope", arguments: ["1", "2"])
    func envelope(_ version: String) async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.store.updateTopic(
                stage.topic.row,
                TopicUpdate(attributes: ["SignatureVersion": version])
            )
            let hook = try await stage.subscribe()
            let attribute = WebhookDocument.Attribute(name: "kind", type: "String", value: "\"ß\"")
            let id = try await stage.publish("Zwei Zeilen,\n\"😀\"", subject: "Betreff", attributes: [attribute])
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            #expect(got.path == "/hook")
            #expect(got.field("x-amz-sns-message-type") == "Notification")
            #expect(got.field("x-amz-sns-message-id") == id.description)
            #expect(got.field("x-amz-sns-topic-arn") == arn)
            #expect(got.field("x-amz-sns-subscription-arn") == "\(arn):\(hook.id)")
            #expect(got.field("x-amz-sns-rawdelivery") == nil)
            let envelope = try ReadEnvelope(got.body)
            #expect(envelope["SignatureVersion"] == version)
            #expect(envelope["Message"] == "Zwei Zeilen,\n\"😀\"")
            #expect(envelope["Subject"] == "Betreff")
            #expect(envelope["UnsubscribeURL"] == "\(stage.url)/?Action=Unsubscribe&SubscriptionArn=\(arn):\(hook.id)")
            #expect(envelope.attributes == ["kind": ["Type": "String", "Value": "\"ß\""]])
            try await envelope.verify(with: stage)
            #expect(try await stage.store.statistics().webhooks == WebhookBacklog())
        }
    }

    @Test("comes as it is where that is asked for, under the content type that is asked for")
    func raw() async throws {
        try await WebhookStage.run { stage in
            let policy = #"{"requestPolicy":{"headerContentType":"application/json"}}"#
            _ = try await stage.subscribe(nil, ["RawMessageDelivery": "true", "DeliveryPolicy": policy])
            try await stage.publish(#"{"a":1}"#, subject: "s")
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            #expect(got.body == #"{"a":1}"#)
            #expect(got.field("x-amz-sns-rawdelivery") == "true")
            #expect(got.field("content-type") == "application/json")
        }
    }

    @Test("is tried again when its time comes, and kept as a dead letter when there is no retry left")
    func retries() async throws {
        try await WebhookStage.run { stage in
            let hook = try await stage.subscribe()
            let id = try await stage.publish()
            stage.receiver.answer(
                .status(.serviceUnavailable),
                .status(.tooManyRequests),
                .status(.internalServerError)
            )
            stage.receiver.answer(.status(.badGateway))
            for _ in 0..<3 {
                #expect(try await stage.round() == 1)
                stage.clock.advance(by: .milliseconds(19_999))
                #expect(try await stage.round() == 0)
                stage.clock.advance(by: .milliseconds(1))
            }
            #expect(try await stage.round() == 1)
            #expect(Set(stage.receiver.all.map(\.body)).count == 1)
            #expect(stage.receiver.all.count == 4)
            let letters = try await stage.store.failedWork(WebhookDeadLetter.self).items
            #expect(letters.map(\.message) == [id])
            #expect(letters.map(\.subscription) == [hook.id])
            #expect(letters.map(\.attempts) == [4])
            #expect(letters.map(\.reason) == ["answered 502"])
            #expect(try await stage.store.statistics().webhooks == WebhookBacklog(deadLetters: 1))
        }
    }

    @Test("is given up at once when the receiver says that it is wrong, or elsewhere; nobody goes there")
    func refusals() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            stage.receiver.answer(.status(.notFound), .redirect(stage.address("/elsewhere")))
            for _ in 0..<2 {
                try await stage.publish()
                #expect(try await stage.round() == 1)
            }
            #expect(stage.receiver.all.map(\.path) == ["/hook", "/hook"])
            let letters = try await stage.store.failedWork(WebhookDeadLetter.self).items
            #expect(letters.map(\.reason) == ["answered 302", "answered 404"])
        }
    }

    @Test("does not wait for a receiver beyond the deadline")
    func hangs() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish()
            stage.receiver.answer(.never)
            async let round = stage.round()
            _ = await stage.receiver.next()
            await stage.clock.untilAsleep()
            stage.clock.advance(by: WebhookSender.deadline)
            #expect(try await round == 1)
            #expect(try await stage.store.statistics().webhooks.silentHosts == 1)
            #expect(try await stage.round() == 0)
            stage.clock.advance(by: .seconds(20))
            #expect(try await stage.round() == 1)
            #expect(try await stage.store.statistics().webhooks == WebhookBacklog())
        }
    }

    @Test("was taken when the receiver says so, however long the rest of its answer is", .timeLimit(.minutes(10)))
    func endless() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish()
            stage.receiver.answer(.endless)
            #expect(try await stage.round() == 1)
            #expect(try await stage.store.statistics().webhooks == WebhookBacklog())
        }
    }

    @Test("is repeated after a crash only where no answer was recorded")
    func crash() async throws {
        try await WebhookStage.run { stage in
            for path in ["/one", "/two"] { _ = try await stage.subscribe(stage.address(path)) }
            try await stage.publish()
            while try await stage.store.fanOutWebhooks(after: nil, limit: 10) != nil {}
            let permits = Permits<String>(total: 10, perQueue: 10)
            let lost = try await stage.store.leaseWebhooks(permits, lease: Lease(holder: 1)).deliveries
            try await stage.store.settle(lost[0], .delivered, lease: Lease(holder: 1))
            #expect(try await stage.round() == 0)
            stage.clock.advance(by: WebhookDelivery.lease)
            #expect(try await stage.round() == 1)
            #expect(stage.receiver.all.map(\.path) == ["/two"])
        }
    }

    struct Inside: Sendable, CustomTestStringConvertible {
        var host: String
        var addresses: [String] = []
        var testDescription: String { host }
    }

    static let inside = [
        Inside(host: "127.0.0.1"), Inside(host: "[::1]"), Inside(host: "10.1.2.3"), Inside(host: "169.254.169.254"),
        Inside(host: "inside.example", addresses: ["127.0.0.1"]),
        Inside(host: "mixed.example", addresses: ["93.184.216.34", "10.0.0.1"]),
    ]

    @Test("goes to no address of the inside that the operator has not allowed", arguments: inside)
    func privateAddresses(_ inside: Inside) async throws {
        let addresses = inside.addresses.compactMap { IPAddress($0) }
        try await WebhookStage.run(inside: [], resolve: { _ in addresses }) { stage in
            _ = try await stage.subscribe("http://\(inside.host):\(stage.receiverPort)/")
            try await stage.publish()
            #expect(try await stage.round() == 1)
            #expect(stage.receiver.all.isEmpty)
            let letters = try await stage.store.failedWork(WebhookDeadLetter.self).items
            #expect(letters.map(\.reason).allSatisfy { $0.hasSuffix("and the operator has not allowed the host.") })
            #expect(letters.count == 1)
        }
    }

    @Test("goes to the address that was judged, under the name that was asked for")
    func pinned() async throws {
        let resolve: @Sendable (String) async throws -> [IPAddress] = { _ in [IPAddress("127.0.0.1")].compactMap { $0 }
        }
        try await WebhookStage.run(inside: ["hook.example"], resolve: resolve) { stage in
            _ = try await stage.subscribe("http://user:pass@hook.example:\(stage.receiverPort)/x")
            try await stage.publish()
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            #expect(got.path == "/x")
            #expect(got.field("authorization") == "Basic dXNlcjpwYXNz")
        }
    }

    @Test("to a name that has no address, or an address where nobody listens, is tried again")
    func unreachable() async throws {
        struct NoName: Error {}
        try await WebhookStage.run(resolve: { _ in throw NoName() }) { stage in
            _ = try await stage.subscribe("http://nowhere.example/")
            _ = try await stage.subscribe("http://127.0.0.1:1/")
            try await stage.publish()
            #expect(try await stage.round() == 2)
            #expect(try await stage.store.statistics().webhooks.deliveries == 2)
            stage.clock.advance(by: .seconds(20))
            #expect(try await stage.round() == 2)
        }
    }

    @Test("waits, and loses no attempt, while there are too many look-ups of names")
    func busy() async throws {
        try await WebhookStage.run(resolve: { _ in throw FetchError.busy }) { stage in
            _ = try await stage.subscribe("http://hook.example/")
            try await stage.publish()
            for _ in 0..<5 {
                #expect(try await stage.round() == 1)
                #expect(try await stage.round() == 0)
                stage.clock.advance(by: .seconds(1))
            }
            let permits = Permits<String>(total: 1, perQueue: 1)
            let waiting = try await stage.store.leaseWebhooks(permits, lease: Lease(holder: 1)).deliveries
            #expect(waiting.map(\.attempts) == [0])
        }
    }

    @Test("that cannot be written is tried as often as others and then given up")
    func unwritable() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let other = Vault(key: SymmetricKey(size: .bits256))
            let id = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
            let arn = TopicARN(region: "eu-west-1", account: "123456789012", name: "news")
            var document = WebhookDocument(
                topic: stage.topic,
                arn: arn,
                message: "m",
                subject: nil,
                attributes: [],
                publishedAt: stage.clock.now()
            )
            document.confirmation = try WebhookDocument.Confirmation(token: "t", of: id, other)
            let message = WebhookMessage(
                id: id,
                topic: stage.topic.row,
                topicName: arn.description,
                recipients: .subscription(pending.row),
                document: try document.encoded()
            )
            #expect(try await stage.store.enqueue(message))
            for _ in 0..<4 {
                #expect(try await stage.round() == 1)
                stage.clock.advance(by: .seconds(20))
            }
            #expect(try await stage.round() == 0)
            let letters = try await stage.store.failedWork(WebhookDeadLetter.self).items
            #expect(letters.map(\.attempts) == [4])
            #expect(letters.map(\.reason) == ["The message could not be written."])
            #expect(stage.receiver.all.isEmpty)
        }
    }

    @Test("of a message in several forms has the one of its address's scheme, each with its signature")
    func forms() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish("plain", secure: "secret")
            let permits = Permits<String>(total: 1, perQueue: 1)
            while try await stage.store.fanOutWebhooks(after: nil, limit: 100) != nil {}
            let leased = try await stage.store.leaseWebhooks(permits, lease: Lease(holder: 1)).deliveries
            let delivery = try #require(leased.first)
            let document = try WebhookDocument(stored: delivery.document)
            var signatures: Set<String?> = []
            for (scheme, text) in [("http", "plain"), ("https", "secret")] {
                let url = try #require(WebhookURL("\(scheme)://hooks.example.com/a"))
                let request = try await stage.dispatcher.request(delivery, document, url, DeliveryPolicy())
                let envelope = try ReadEnvelope(String(decoding: request.body, as: UTF8.self))
                #expect(envelope["Message"] == text)
                signatures.insert(envelope["Signature"])
            }
            #expect(signatures.count == 2)
        }
    }

    @Test("waits for its turn where a subscription takes so many a second")
    func throttle() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe(nil, ["DeliveryPolicy": #"{"throttlePolicy":{"maxReceivesPerSecond":2}}"#])
            for _ in 0..<4 { try await stage.publish() }
            var counts: [Int] = []
            for _ in 0..<5 {
                _ = try await stage.round()
                counts.append(stage.receiver.all.count)
                stage.clock.advance(by: .milliseconds(500))
            }
            #expect(counts == [1, 2, 3, 4, 4])
        }
    }

    @Test("to 10,000 subscriptions is read in parts of a bounded size and reaches each once")
    func many() async throws {
        try await WebhookStage.run { stage in
            let topic = try await stage.store.createTopic(TopicDraft(region: "eu-west-1", name: "many")).topic
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10_000 {
                    let address = "http://h\(number % 100).example/\(number)"
                    group.addTask { _ = try await stage.subscribe(address, to: topic) }
                }
                try await group.waitForAll()
            }
            try await stage.publish(to: topic)
            var (parts, most, reached) = (0, 0, Set<RowID<Subscription>>())
            while try await stage.store.fanOutWebhooks(after: nil, limit: 500) != nil { parts += 1 }
            #expect(parts == 21)
            let permits = Permits<String>(total: 64, perQueue: 8)
            while true {
                let lease = Lease(holder: 1)
                let leased = try await stage.store.leaseWebhooks(permits, lease: lease).deliveries
                guard !leased.isEmpty else { break }
                most = max(most, leased.count)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for delivery in leased {
                        #expect(reached.insert(delivery.subscription.row).inserted)
                        group.addTask { try await stage.store.settle(delivery, .delivered, lease: lease) }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(reached.count == 10_000)
            #expect(most == 64)
            #expect(try await stage.store.statistics().webhooks == WebhookBacklog())
        }
    }
}
