import Testing

@Suite("What Amazon SNS was recorded to refuse about topics and subscriptions")
struct RecordedErrorTests {
    /// Recorded rows that no call here brings about, each with the reason. There is none.
    static let uncovered: [String: String] = [:]

    @Test("is refused here with the same code, status and text")
    func replays() async throws {
        let rows = try RecordedError.topics()
        #expect(rows.count == 112)
        try await Harness.run { harness in
            let scene = try await RefusalScene(harness)
            _ = try await harness.set("FilterPolicyScope", "MessageBody", of: scene.fifoSubscription)
            var known: Set<String> = []
            for row in rows where Self.uncovered[row.name] == nil {
                let call = try #require(scene.call(for: row), "nothing brings \(row.name) about")
                let reply = try await harness.call(call.action, call.parameters, region: call.region)
                #expect(reply.status == row.status, "\(row.name): \(reply.body)")
                #expect(reply.error.code == row.code, "\(row.name)")
                #expect(reply.error.message == row.message, "\(row.name)")
                #expect(reply["Type"] == "Sender", "\(row.name)")
                known.insert(row.name)
            }
            #expect(known.count + Self.uncovered.count == rows.count)
            // None of them changed anything.
            let topics = try await harness.call("ListTopics").all("TopicArn")
            #expect(topics == [scene.topic, scene.fifo])
            #expect(try await harness.call("ListSubscriptions").all("SubscriptionArn").count == 2)
        }
    }
}
