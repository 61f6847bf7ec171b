import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("What pages say of a push that waits") struct WaitingPushTests {
    /// Pauses a queue as its provider's refusal of the credential does.
    private func pause(_ queue: DeliveryQueue, _ harness: Harness) async throws {
        let leased = try await harness.world.leaseOne(queue)
        var settlement = leased.settlement
        settlement.remaining = leased.batch.members
        settlement.isLeaseReleased = true
        settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: harness.world.now)
        try await harness.store.settle(settlement)
    }

    /// Has what waits in a queue tried again in a minute, because its provider was sent too much.
    private func putOff(_ queue: DeliveryQueue, _ harness: Harness) async throws {
        let leased = try await harness.world.leaseOne(queue)
        var settlement = leased.settlement
        settlement.retries = [
            BatchDraft(
                queue: queue,
                isEnvironmentKnown: true,
                attempts: 1,
                notBefore: harness.world.now + .seconds(60),
                lastReason: "TooManyRequests",
                members: leased.batch.members
            )
        ]
        try await harness.store.settle(settlement)
    }

    @Test("a notification's page says what its own deliveries wait for, and nothing of another provider's silence")
    func reasons() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let silent = try await world.makeQueue(harness.app)
            let queue = try await world.makeQueue(harness.app, .sandbox)
            try await world.register(harness.app, 1, user: "ann", environment: .sandbox)
            let sent = try await world.send(harness.app, to: .users(["ann"]))
            let viewer = try await harness.visitor(.viewer)
            #expect(!(try await viewer.get("/notifications/\(sent.id)").text.contains("by reason")))
            try await putOff(queue, harness)
            let refusals = repeatElement(Outcome.retry(.init(reason: "HTTP 503", kind: .connection)), count: 100)
            harness.console.breakers.note(refusals, in: silent, of: "", at: harness.clock.now())
            #expect(try await viewer.get("/problems").text.contains(">does not answer</span>"))
            let page = try await viewer.get("/notifications/\(sent.id)").text
            #expect(page.contains("The provider was sent too much in a short time."), "\(page)")
            #expect(page.contains("<code class=\"muted\">TooManyRequests</code>"), "\(page)")
            #expect(!page.contains("reason=TooManyRequests") && !page.contains("does not answer"), "\(page)")
        }
    }

    @Test(
        "a push that is tried again says in its person's timeline and under why what its provider said, in both languages"
    )
    func tried() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            try await world.register(harness.app, 1, user: "ann")
            let sent = try await world.send(harness.app, to: .users(["ann"]))
            try await putOff(queue, harness)
            let admin = try await harness.visitor(.admin)
            let ann = "/people/\(harness.app.id)/ann"
            for path in [ann, "\(ann)/why/\(sent.id)"] {
                let page = try await admin.get(path).text
                #expect(page.contains("Apple answered TooManyRequests at"), "\(page)")
                #expect(page.contains("The next try is at"), "\(page)")
            }
            let texts = Texts(preferred: ["ja"])
            let said = texts.sentence("Apple answered TooManyRequests at 2026-01-01T00:00:00Z.")
            #expect(said == "Appleが 2026-01-01T00:00:00Z に TooManyRequests と応答しました。")
        }
    }

    @Test("a push that waits is in its person's timeline, and says who is paused where that is why; lists say so too")
    func waiting() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            for (number, user) in ["ann", "bob"].enumerated() {
                try await world.register(harness.app, number + 1, user: user)
            }
            let sent = try await world.send(harness.app, to: .users(["ann"]))
            let admin = try await harness.visitor(.admin)
            let (ann, bob) = ("/people/\(harness.app.id)/ann", "/people/\(harness.app.id)/bob")
            #expect(try await admin.get(ann).text.contains(">waits to be sent</span>"))
            #expect(try await admin.get("/notifications").text.contains(">sending</span>"))
            try await pause(queue, harness)
            let timeline = try await admin.get(ann).text
            #expect(timeline.contains(">waits: Apple is paused</span>"), "\(timeline)")
            #expect(timeline.contains("Apple refuses the credential") && timeline.contains("\(ann)/why/\(sent.id)"))
            #expect(!(try await admin.get(ann + "?kind=device").text.contains("is paused")))
            #expect(!(try await admin.get(bob).text.contains("is paused")))
            for path in ["/notifications", "/notifications/\(sent.id)"] {
                let page = try await admin.get(path).text
                #expect(
                    page.contains(">waiting: Apple is paused</span>") && !page.contains(">sending</span>"),
                    "\(page)"
                )
            }
        }
    }
}
