import MartletCore
import MartletWire
import Testing

@testable import MartletPipeline

@Suite struct CheckpointTests {
    static let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)

    static func batch(members: Int, isEnvironmentKnown: Bool = true, attempts: Int = 0) -> Batch {
        Batch(
            row: RowID(9),
            notification: RowID(3),
            notificationID: PublicID(high: 1, low: 2),
            queue: queue,
            isEnvironmentKnown: isEnvironmentKnown,
            attempts: attempts,
            expiresAt: Timestamp(milliseconds: 1_000_000_000),
            isCancelled: false,
            retry: .standard,
            members: (1...Int64(members)).map { Member(endpoint: RowID($0), user: nil) }
        )
    }

    static func checkpoint(
        _ batch: Batch,
        _ outcomes: [Outcome],
        jitter: Double = 1,
        hasOther: Bool = true,
        topic: CredentialTopic? = nil
    ) -> Settlement {
        let sends = batch.members.map {
            AttemptPlan.Send(member: $0, token: "aa", isEnvironmentKnown: batch.isEnvironmentKnown)
        }
        return Checkpoint(
            Settlement(batch: batch, lease: Lease(process: 5, holder: 5)),
            setting: Checkpoint.Setting(
                batch: batch,
                now: Timestamp(milliseconds: 0),
                jitter: jitter,
                hasOtherEnvironment: hasOther,
                topic: topic
            ),
            answers: zip(sends, outcomes).map { Checkpoint.Answer(send: $0, outcome: $1) },
            unanswered: sends.dropFirst(outcomes.count).map(\.member)
        ).settlement
    }

    static let wrongTopic = Outcome.rejected(.init(reason: "DeviceTokenNotForTopic", meaning: .wrongTopic))

    @Test("every member ends in exactly one place")
    func nobodyIsLost() {
        let batch = Self.batch(members: 6, isEnvironmentKnown: false)
        let settlement = Self.checkpoint(
            batch,
            [
                .accepted,
                .rejected(.init(reason: "Unregistered", meaning: .unregistered(since: nil))),
                .retry(.init(reason: "ServiceUnavailable", kind: .provider)),
                .rejected(.init(reason: "BadDeviceToken", meaning: .badToken)),
                .misconfigured(.init(reason: "TopicDisallowed", advice: "")),
            ]
        )
        let places = settlement.results.map(\.member) + settlement.retries.flatMap(\.members) + settlement.remaining
        #expect(places.map(\.endpoint).sorted() == batch.members.map(\.endpoint))
        #expect(settlement.pause?.reason == "TopicDisallowed")
    }

    @Test("retries of one delay become one batch with one more attempt behind it")
    func retriesAreGrouped() {
        let outcome = Outcome.retry(.init(reason: "InternalServerError", kind: .provider))
        let settlement = Self.checkpoint(Self.batch(members: 3, attempts: 2), [outcome, outcome, outcome])
        #expect(settlement.retries.count == 1)
        #expect(settlement.retries.first?.attempts == 3)
        #expect(settlement.retries.first?.members.count == 3)
        #expect(settlement.remaining.isEmpty)
    }

    @Test("what is tried again of a checkpoint comes back as one batch, at one moment within a fifth of the delay")
    func retriesStayTogether() {
        let outcome = Outcome.retry(.init(reason: "InternalServerError", kind: .provider))
        let outcomes = Array(repeating: outcome, count: MemberList.limit)
        for (jitter, milliseconds) in [
            (RetryPolicy.jitter.lowerBound, 10_000), (RetryPolicy.jitter.upperBound, 12_000),
        ] {
            let settlement = Self.checkpoint(Self.batch(members: outcomes.count), outcomes, jitter: jitter)
            #expect(settlement.retries.map(\.members.count) == [MemberList.limit])
            #expect(settlement.retries.map(\.notBefore) == [Timestamp(milliseconds: Int64(milliseconds))])
        }
    }

    @Test("what is tried again keeps why, each reason in a batch of its own; different sentences share one")
    func reasonsStay() {
        let reasons = ["HTTP 503", "HTTP 500", "HTTP 503", "no route to a", "no route to b"]
        let outcomes = reasons.map { Outcome.retry(.init(reason: $0, kind: .host)) }
        let settlement = Self.checkpoint(Self.batch(members: outcomes.count), outcomes)
        #expect(settlement.retries.map(\.lastReason) == ["HTTP 500", "HTTP 503", "connection"])
        #expect(settlement.retries.map(\.members.count) == [1, 2, 2])
        let one = Self.checkpoint(Self.batch(members: 2), Array(repeating: outcomes[3], count: 2))
        #expect(one.retries.map(\.lastReason) == ["no route to a"])
        let strange = (0..<MemberList.limit).map { Outcome.retry(.init(reason: "strange\($0)", kind: .host)) }
        let many = Self.checkpoint(Self.batch(members: strange.count), strange).retries
        #expect(many.count <= ReasonWords.limit + 1)
        #expect(many.reduce(0) { $0 + $1.members.count } == strange.count)
    }

    @Test("a bad token in a guessed environment goes to the other, once")
    func triesOtherEnvironmentOnce() {
        let bad = Outcome.rejected(.init(reason: "BadDeviceToken", meaning: .badToken))
        let first = Self.checkpoint(Self.batch(members: 1, isEnvironmentKnown: false), [bad])
        #expect(first.retries.first?.queue.environment == .sandbox)
        #expect(first.retries.first?.isEnvironmentKnown == true)
        #expect(first.changes.isEmpty)
        let second = Self.checkpoint(Self.batch(members: 1, isEnvironmentKnown: true), [bad])
        #expect(second.retries.isEmpty)
        #expect(second.results.map(\.state) == [.rejected])
        #expect(second.changes.count == 1)
    }

    @Test("without a credential for the other environment a bad token ends at once")
    func noOtherEnvironment() {
        let bad = Outcome.rejected(.init(reason: "BadDeviceToken", meaning: .badToken))
        let settlement = Self.checkpoint(Self.batch(members: 1, isEnvironmentKnown: false), [bad], hasOther: false)
        #expect(settlement.results.map(\.state) == [.rejected])
    }

    static func topic(_ standing: CredentialTopic.Standing?) -> CredentialTopic {
        CredentialTopic(credential: RowID(4), name: "com.example", standing: standing)
    }

    @Test(
        "wrong topics are rejected, however many, and disable endpoints once the topic has been accepted",
        arguments: [
            (nil, false, .refused), (.refused, false, nil), (.accepted, false, nil), (nil, true, .accepted),
            (.refused, true, .accepted), (.accepted, true, nil),
        ] as [(CredentialTopic.Standing?, Bool, CredentialTopic.Standing?)]
    )
    func wrongTopics(known: CredentialTopic.Standing?, isOneAccepted: Bool, news: CredentialTopic.Standing?) {
        let strays = Array(repeating: Self.wrongTopic, count: 100)
        let outcomes = strays + (isOneAccepted ? [.accepted] : [])
        let settlement = Self.checkpoint(Self.batch(members: outcomes.count), outcomes, topic: Self.topic(known))
        #expect(settlement.pause == nil)
        #expect(settlement.results.count { $0.state == .rejected } == strays.count)
        #expect(settlement.remaining.isEmpty)
        #expect(settlement.changes.count == (known == .accepted || isOneAccepted ? strays.count : 0))
        #expect(settlement.topic == news.map(Self.topic))
    }

    @Test("an acceptance of a topic that is the message's own says nothing of the credential's")
    func foreignTopic() {
        #expect(Self.checkpoint(Self.batch(members: 1), [.accepted]).topic == nil)
        #expect(Self.checkpoint(Self.batch(members: 1), [Self.wrongTopic]).changes.isEmpty)
    }

    @Test("what was not processed becomes a batch with no more attempts behind it, beside what is tried again")
    func reroutes() {
        let retry = Outcome.retry(.init(reason: "InternalServerError", kind: .provider))
        let settlement = Self.checkpoint(Self.batch(members: 2, attempts: 2), [.reroute(reason: "GOAWAY"), retry])
        #expect(settlement.retries.map(\.attempts) == [2, 3])
        #expect(settlement.retries.map(\.members.count) == [1, 1])
        #expect(settlement.retries.first?.notBefore == Timestamp(milliseconds: 0))
    }

    @Test("what may not be sent yet becomes a batch of that time with no more attempts behind it")
    func waiting() {
        let silence = Outcome.reroute(reason: "QUOTA_EXCEEDED", after: .seconds(40))
        let settlement = Self.checkpoint(Self.batch(members: 3), [.accepted, silence, silence])
        #expect(settlement.retries.map(\.attempts) == [0])
        #expect(settlement.retries.map(\.members.count) == [2])
        #expect(settlement.retries.map(\.notBefore) == [Timestamp(milliseconds: 40_000)])
    }

    @Test("what expires without having been processed was not tried")
    func expiredReroutes() {
        var batch = Self.batch(members: 1, attempts: 2)
        batch.expiresAt = Timestamp(milliseconds: 0)
        let settlement = Self.checkpoint(batch, [.reroute(reason: "GOAWAY")])
        #expect(settlement.results.map(\.state) == [.expired])
        #expect(settlement.results.map(\.attempts) == [2])
    }
}
