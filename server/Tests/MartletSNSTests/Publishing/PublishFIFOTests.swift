import Foundation
import MartletPipeline
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct PublishFIFOTests {
    private static func message(_ text: String, id: String? = nil, group: String = "g") -> [(String, String)] {
        [("Message", text), ("MessageGroupId", group)] + (id.map { [("MessageDeduplicationId", $0)] } ?? [])
    }

    @Test("a repetition gets the same id and number for five minutes; numbers grow, whatever the group")
    func repetition() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
            func publish(_ text: String, id: String, group: String = "g") async throws -> (String, String) {
                let parameters = [("TopicArn", topic)] + Self.message(text, id: id, group: group)
                let reply = try await harness.call("Publish", parameters)
                return (try #require(reply["MessageId"], "\(reply.body)"), try #require(reply["SequenceNumber"]))
            }
            let first = try await publish("one", id: "1")
            #expect(try await publish("another text", id: "1") == first)
            #expect(try await publish("one", id: "1", group: "h") == first)
            let second = try await publish("one", id: "2", group: "h")
            #expect(second.0 != first.0)
            #expect(second.1 > first.1)
            #expect(second.1.utf8.count == 20)
        }
    }

    @Test("by content and by group, where the topic says so")
    func scopes() async throws {
        try await Harness.run { harness in
            let attributes = [
                ("FifoTopic", "true"), ("ContentBasedDeduplication", "true"), ("FifoThroughputScope", "MessageGroup"),
            ]
            let topic = try await harness.makeTopic("line.fifo", attributes)
            func publish(_ text: String, group: String) async throws -> String {
                try await harness.publish(("TopicArn", topic), Self.message(text, group: group))
            }
            let first = try await publish("one", group: "g")
            #expect(try await publish("one", group: "g") == first)
            #expect(try await publish("one", group: "h") != first)
            #expect(try await publish("two", group: "g") != first)
        }
    }

    @Test("a batch keeps its order, numbers each message, and knows a repetition within itself")
    func batch() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("line.fifo", [("FifoTopic", "true")])
            let entries = [("a", "1"), ("b", "2"), ("c", "1")].enumerated().flatMap { index, entry in
                ([("Id", entry.0)] + Self.message(entry.0, id: entry.1)).map {
                    ("PublishBatchRequestEntries.member.\(index + 1).\($0.0)", $0.1)
                }
            }
            let reply = try await harness.call("PublishBatch", [("TopicArn", topic)] + entries)
            let ids = reply.all("MessageId")
            let numbers = reply.all("SequenceNumber")
            try #require(ids.count == 3 && numbers.count == 3, "\(reply.body)")
            #expect(ids[0] == ids[2] && ids[0] != ids[1])
            #expect(numbers[0] == numbers[2] && numbers[0] < numbers[1])
        }
    }

    @Test("what was told is known after a crash: the repetition is one, and is written nowhere")
    func crash() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fifo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = ManualClock()
        var told: [Published] = []
        for round in 0..<3 {
            let home = folder.appending(path: "\(round)")
            let store = try await SQLiteStore.open(at: home.appending(path: "martlet.db").path, clock: clock)
            let submitter = Harness.submitter(store, [:], clock, WakeUps())
            let topic = try await store.createTopic(TopicDraft(name: "line.fifo", isFIFO: true)).topic
            let order = PublicationOrder(deduplication: SecretHash(of: "1"))
            let request = PublicationRequest(
                id: submitter.makeID(),
                topic: topic.row,
                order: order,
                submissions: []
            )
            told += try await submitter.publish([request])
            // What a crash leaves: the files as they are at this moment, the log with them.
            try FileManager.default.copyItem(at: home, to: folder.appending(path: "\(round + 1)"))
            await store.close()
        }
        #expect(told.map(\.isRepeated) == [false, true, true])
        #expect(Set(told.map(\.id)).count == 1)
        #expect(told.map(\.sequenceNumber) == [1, 1, 1])
    }
}
