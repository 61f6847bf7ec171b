import Foundation
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct DeliveryFailureEventTests {
    @Test("a delivery that is refused for good is told to the topic that the application names")
    func told() async throws {
        try await Harness.run(delivers: true) { harness in
            let events = try await harness.makeTopic("events")
            let operators = try await harness.makeApplication("operators")
            let pager = try await harness.makeEndpoint(operators, token: Harness.token(9))
            try await harness.subscribe(pager, to: events)
            let attributes = Harness.apple + [("EventDeliveryFailure", events)]
            let application = try await harness.makeApplication("shop", "APNS", attributes)
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1))
            let gone = Outcome.Rejection(reason: "Unregistered", meaning: .unregistered(since: nil))
            harness.pushes.script(Harness.token(1), .answer(.rejected(gone)))
            let id = try await harness.publish(("TargetArn", endpoint), [("Message", "m")])
            await harness.pushes.untilAttempts(2)
            let payload = try #require(harness.payloads(Harness.token(9)).first)
            let alert = try JSONValue(json: Data(payload.utf8)).objectValue?["aps"]?.objectValue?["alert"]
            let event = try JSONValue(json: Data((alert?.stringValue ?? "").utf8)).objectValue
            #expect(event?["EventType"] == "DeliveryFailure")
            #expect(event?["EndpointArn"] == .string(endpoint))
            #expect(event?["Resource"] == .string(application))
            #expect(event?["MessageId"] == .string(id))
            #expect(event?["FailureType"] == "InvalidPlatformToken")
            #expect(event?["DeliveryAttempts"] == 1)
        }
    }

    @Test("an event whose own delivery is refused is no event: there is an end to it")
    func ends() async throws {
        try await Harness.run(delivers: true) { harness in
            let events = try await harness.makeTopic("events")
            let attributes = Harness.apple + [("EventDeliveryFailure", events)]
            let application = try await harness.makeApplication("shop", "APNS", attributes)
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1))
            try await harness.subscribe(endpoint, to: events)
            // Refused, and the endpoint stays as it is.
            harness.pushes.scriptOthers(.answer(.rejected(Outcome.Rejection(reason: "BadMessageId"))))
            for count in 1...3 {
                try await harness.publish(("TargetArn", endpoint), [("Message", "m")])
                // The message and its event.
                await harness.pushes.untilAttempts(2 * count)
            }
            let alerts = harness.payloads(Harness.token(1)).filter { $0.contains("DeliveryFailure") }
            #expect(alerts.count == 3)
        }
    }

    @Test("what waits to be told is bounded; those beyond are left out, and what was accepted is nothing to tell")
    func bounded() async throws {
        let failures = DeliveryFailures()
        let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
        let members = (1...1_000).map { Member(endpoint: RowID($0), user: nil) }
        let batch = Batch(
            row: RowID(1),
            notification: RowID(1),
            notificationID: PublicID(high: 0, low: 0),
            queue: queue,
            isEnvironmentKnown: true,
            attempts: 0,
            expiresAt: Timestamp(milliseconds: 0),
            isCancelled: false,
            retry: .standard,
            members: members
        )
        var settlement = Settlement(batch: batch, lease: Lease(holder: 1))
        settlement.results = members.map { DeliveryResult(member: $0, state: .rejected, reason: "x", attempts: 1) }
        for _ in 0..<DeliveryFailures.limit + 2 { failures.settled(settlement) }
        var reader = failures.all.makeAsyncIterator()
        for _ in 0..<DeliveryFailures.limit {
            let failed = await reader.next().map(DeliveryFailures.failed)
            #expect(failed?.count == 1_000 && failed?.last?.reason == "x")
        }
        settlement.results = [
            DeliveryResult(member: members[0], state: .accepted, attempts: 1),
            DeliveryResult(member: members[1], state: .dead, reason: "y", attempts: 50),
        ]
        failures.settled(settlement)
        #expect(await reader.next().map(DeliveryFailures.failed)?.map(\.reason) == ["y"])
    }
}
