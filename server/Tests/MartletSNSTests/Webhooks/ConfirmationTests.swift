import Crypto
import Foundation
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A web address that is to be subscribed")
struct ConfirmationTests {
    @Test("is asked, follows the link without a signature, and gets messages from then on")
    func flow() async throws {
        try await WebhookStage.run { stage in
            let token = ConfirmationToken.make(at: stage.clock.now())
            let pending = try await stage.subscribe(token: token)
            try await stage.service.enqueueConfirmation(
                of: pending,
                topic: stage.topic,
                token: token,
                stage.call(.subscribe)
            )
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
            #expect(envelope["Token"] == token)
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
            let token = ConfirmationToken.make(at: stage.clock.now())
            let pending = try await stage.subscribe(token: token)
            try await stage.service.enqueueConfirmation(
                of: pending,
                topic: stage.topic,
                token: token,
                stage.call(.subscribe)
            )
            let room = WebhookRoom(total: 1, perQueue: 1)
            let leased = try await stage.store.leaseWebhooks(room, lease: Lease(holder: 1)).deliveries
            let document = try #require(leased.first?.document)
            #expect(!document.contains(token))
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
            let token = ConfirmationToken.make(at: stage.clock.now())
            let pending = try await stage.subscribe(token: token)
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
            let token = ConfirmationToken.make(at: stage.clock.now())
            let pending = try await stage.subscribe(token: token)
            let answer = try await stage.get(
                "/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:eu-west-1:123456789012:other&Token=\(token)"
            )
            #expect(answer.body.contains("arn:aws:sns:eu-west-1:123456789012:news:\(pending.id)"))
        }
    }

    @Test("says both members that a call lacks")
    func missing() async throws {
        try await WebhookStage.run { stage in
            let answer = try await stage.get("/?Action=ConfirmSubscription")
            #expect(answer.status == 400)
            #expect(answer.body.contains("2 validation errors detected"))
        }
    }

    @Test("a token says when it was made; one without a time says nothing")
    func time() {
        let now = Timestamp(milliseconds: 1_795_252_448_007)
        #expect(ConfirmationToken.madeAt(ConfirmationToken.make(at: now)) == now)
        #expect(ConfirmationToken.madeAt(ConfirmationToken.make()) == nil)
        #expect(throws: Never.self) { try ConfirmationToken.check(ConfirmationToken.make(at: now)) }
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
