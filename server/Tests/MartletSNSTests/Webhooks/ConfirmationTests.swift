import Crypto
import Foundation
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("A webhook URL that is to be subscribed")
struct ConfirmationTests {
    @Test("is asked, follows the link without a signature, and gets messages from then on")
    func flow() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            try await stage.service.enqueueConfirmation(of: pending, topic: stage.topic, stage.call(.subscribe))
            try await stage.publish("nobody gets this")
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            #expect(got.field("x-amz-sns-message-type") == "SubscriptionConfirmation")
            #expect(got.field("x-amz-sns-topic-arn") == arn)
            #expect(got.field("x-amz-sns-subscription-arn") == nil)
            #expect(got.field("user-agent") == "Amazon Simple Notification Service Agent")
            #expect(got.field("content-type") == "text/plain; charset=UTF-8")
            let envelope = try ReadEnvelope(got.body)
            #expect(envelope["Type"] == "SubscriptionConfirmation")
            #expect(envelope["MessageId"] == got.field("x-amz-sns-message-id"))
            let token = envelope["Token"]
            #expect(ConfirmationToken(token, stage.vault)?.subscription == pending.id)
            #expect(envelope["TopicArn"] == arn)
            #expect(
                envelope["SubscribeURL"] == "\(stage.url)/?Action=ConfirmSubscription&TopicArn=\(arn)&Token=\(token)"
            )
            try await envelope.verify(with: stage)

            for _ in 0..<2 {
                let answer = try await stage.get(envelope["SubscribeURL"])
                #expect(answer.status == 200)
                #expect(answer.body.contains("<SubscriptionArn>\(arn):\(pending.id)</SubscriptionArn>"))
            }
            let confirmed = try #require(try await stage.store.subscription(.row(pending.row)))
            #expect(confirmed.isConfirmed)
            #expect(confirmed.attributes["ConfirmationWasAuthenticated"] == "false")
            #expect(confirmed.attributes["AuthenticateOnUnsubscribe"] == nil)
            try await stage.publish("hello")
            #expect(try await stage.round() == 1)
            #expect(try ReadEnvelope(stage.receiver.all[1].body)["Message"] == "hello")
        }
    }

    @Test("keeps its token out of the database")
    func sealed() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            try await stage.service.enqueueConfirmation(of: pending, topic: stage.topic, stage.call(.subscribe))
            let permits = Permits<String>(total: 1, perQueue: 1)
            let leased = try await stage.store.leaseWebhooks(permits, lease: Lease(holder: 1)).deliveries
            let delivery = try #require(leased.first)
            let confirmation = try #require(try WebhookDocument(stored: delivery.document).confirmation)
            let token = try confirmation.token(of: delivery.message, stage.vault)
            #expect(ConfirmationToken(token, stage.vault)?.subscription == pending.id)
            #expect(!delivery.document.contains(token))
        }
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var name: String
        var arn = "arn:aws:sns:eu-west-1:123456789012:news"
        var token: String?
        var more = ""
        var code = "InvalidParameter"
        var message: String
        var later: Duration = .zero

        var testDescription: String { name }
    }

    static let wrong = [
        Wrong(name: "a token that cannot be one", token: "wrong", message: "Invalid token"),
        Wrong(name: "an unknown token", token: String(repeating: "a", count: 64), message: "Invalid parameter: Token"),
        Wrong(name: "no name of a topic", arn: "news", message: "Invalid parameter: Topic"),
        Wrong(
            name: "another region",
            arn: "arn:aws:sns:us-east-1:123456789012:news",
            message: "Invalid parameter: Topic"
        ),
        Wrong(name: "an old token", message: "Invalid parameter: Token", later: .seconds(3 * 86_400)),
        Wrong(
            name: "a guard without a signature",
            more: "&AuthenticateOnUnsubscribe=true",
            code: "MissingAuthenticationToken",
            message: "Request is missing Authentication Token"
        ),
    ]

    @Test("is not confirmed by what is wrong", arguments: wrong)
    func refused(_ wrong: Wrong) async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let token = try stage.token(of: pending)
            stage.clock.advance(by: wrong.later)
            let link = "/?Action=ConfirmSubscription&TopicArn=\(wrong.arn)&Token=\(wrong.token ?? token)\(wrong.more)"
            let answer = try await stage.get(link)
            #expect(answer.body.contains("<Code>\(wrong.code)</Code>"))
            #expect(answer.body.contains("<Message>\(wrong.message)</Message>"))
            #expect(try await stage.store.subscription(.row(pending.row))?.isConfirmed == false)
        }
    }

    @Test("is confirmed whatever topic of the region the link names, and names the real one in its answer")
    func otherName() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let token = try stage.token(of: pending)
            let answer = try await stage.get(
                "/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:other&Token=\(token)"
            )
            #expect(answer.body.contains("arn:aws:sns:eu-west-1:123456789012:news:\(pending.id)"))
        }
    }

    @Test("that is asked several times may follow any of the links, each for three days from its sending")
    func askedAgain() async throws {
        for (used, age) in [(0, 0), (1, 0), (0, 2), (1, 4)] {
            try await WebhookStage.run { stage in
                let links = try await askTwice(stage, apart: .seconds(86_400))
                #expect(Set(links).count == 2)
                stage.clock.advance(by: .seconds(age * 86_400))
                let answer = try await stage.get(links[used])
                // The first confirmation is a day older than the second.
                let isGood = age + (1 - used) < 3
                #expect(answer.status == (isGood ? 200 : 400), "link \(used) after \(age) days: \(answer.body)")
                #expect(answer.body.contains("<Message>Invalid parameter: Token</Message>") == !isGood)
                let known = try await stage.store.subscriptions(.topic(stage.topic.row), PageRequest()).items
                #expect(known.map(\.isConfirmed) == [isGood])
                // What was confirmed by one is found by the other, however old that is.
                let isOtherGood = isGood || age + used < 3
                #expect(try await stage.get(links[1 - used]).status == (isOtherGood ? 200 : 400))
            }
        }
    }

    @Test("that ended and is asked again is another subscription: the links of the first are good for nothing")
    func endedAndAskedAgain() async throws {
        try await WebhookStage.run { stage in
            let links = try await askTwice(stage, apart: .seconds(1))
            let pending = try #require(
                try await stage.store.subscriptions(.topic(stage.topic.row), PageRequest()).items.first
            )
            _ = try await stage.perform("Action=Unsubscribe&SubscriptionArn=\(Self.arn):\(pending.id)")
            let others = try await askTwice(stage, apart: .seconds(1))
            for link in links { #expect(try await stage.get(link).status == 400) }
            #expect(try await stage.get(others[0]).status == 200)
        }
    }

    private static let arn = "arn:aws:sns:eu-west-1:123456789012:news"

    /// Subscribes the receiver twice, as a client that got no answer does; says where the two confirmations lead.
    private func askTwice(_ stage: WebhookStage, apart: Duration) async throws -> [String] {
        var links: [String] = []
        for _ in 0..<2 {
            if !links.isEmpty { stage.clock.advance(by: apart) }
            let call = "Action=Subscribe&TopicArn=\(Self.arn)&Protocol=http&Endpoint=\(stage.address())"
            #expect(try await stage.perform(call) == "<SubscriptionArn>pending confirmation</SubscriptionArn>")
            #expect(try await stage.round() == 1)
            links.append(try ReadEnvelope(try #require(stage.receiver.all.last).body)["SubscribeURL"])
        }
        return links
    }

    @Test("says both members that a call lacks")
    func missing() async throws {
        try await WebhookStage.run { stage in
            let answer = try await stage.get("/?Action=ConfirmSubscription")
            #expect(answer.status == 400)
            #expect(answer.body.contains("2 validation errors detected"))
        }
    }

    @Test(
        "a token says of which subscription it is and when it was made; one of another key or that was changed, nothing"
    )
    func token() throws {
        let vault = Vault(key: SymmetricKey(size: .bits256))
        for now in [Timestamp(milliseconds: 1_795_252_448_007), Timestamp(milliseconds: -1)] {
            let token = ConfirmationToken(
                of: PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001),
                at: now
            )
            let text = try token.text(vault)
            try ConfirmationToken.check(text)
            #expect(ConfirmationToken(text, vault) == token)
            #expect(ConfirmationToken(text.uppercased(), vault) == token)
            #expect(ConfirmationToken(text, Vault(key: SymmetricKey(size: .bits256))) == nil)
            let last = try #require(text.last)
            for wrong in ["\(text.dropLast())\(last == "0" ? "1" : "0")", "\(text)00", String(text.dropLast(2)), ""] {
                #expect(ConfirmationToken(wrong, vault) == nil)
            }
        }
        // What is sealed for something else is no token.
        let sealed = try vault.seal([UInt8](repeating: 0, count: 24), for: "something else")
        #expect(ConfirmationToken(Hex.text(sealed), vault) == nil)
    }

    @Test("the certificate is the same for all processes on a store, and served under its own name alone")
    func certificate() async throws {
        try await WebhookStage.run { stage in
            func pair(_ vault: Vault) -> SigningCertificate {
                SigningCertificate(store: stage.store, vault: vault, clock: stage.clock)
            }
            async let one = pair(stage.vault).signer()
            async let other = pair(stage.vault).signer()
            let (first, second) = try await (one, other)
            #expect(first.certificatePEM == second.certificatePEM)
            #expect(try await stage.get("/\(first.certificateName)") == (200, first.certificatePEM))
            #expect(try await stage.get("/SimpleNotificationService-0.pem").status == 404)
            await #expect(throws: Failure.self) {
                try await pair(Vault(key: SymmetricKey(size: .bits256))).signer()
            }
        }
    }
}
