import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@Suite("Events in /metrics")
struct EventMetricsTests {
    /// The lines of the metric, without its description.
    private func lines(_ scene: EventScene) async throws -> [String] {
        let answer = try await scene.call(.get, "/metrics")
        return answer.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("martlet_events_total{") }
    }

    @Test("each reported event is counted by what became of it, from the first scrape on, in both formats")
    func counts() async throws {
        try await EventScene.run { scene in
            #expect(
                Set(try await lines(scene)) == [
                    #"martlet_events_total{result="recorded"} 0"#, #"martlet_events_total{result="known"} 0"#,
                    #"martlet_events_total{result="refused"} 0"#,
                ]
            )
            let event = scene.event()
            _ = try await scene.upload([event, scene.event(), scene.event(["type": "explode"])])
            _ = try await scene.upload([event])
            // Refused as a whole: nothing was reported.
            _ = try await scene.upload([scene.event()], secret: "mi_wrong")
            let record: JSONValue = ["uuid": "1", "time": 1_800_000_000, "type": "open", "platform": "ios"]
            _ = try await scene.call(.post, "/td/v1/mobile/push_events", ["events": [record, record]])
            #expect(
                Set(try await lines(scene)) == [
                    #"martlet_events_total{result="recorded"} 3"#, #"martlet_events_total{result="known"} 2"#,
                    #"martlet_events_total{result="refused"} 1"#,
                ]
            )
        }
    }
}
