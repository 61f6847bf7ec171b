import Foundation
import Testing
import Transit

/// What is asked of Martlet, and what its answers mean.
@Suite struct MessageTests {
    private func sent(_ alert: ServiceAlert) async throws -> Intent {
        let scene = Scene()
        let backend = try await scene.backend()
        try await scene.feed([alert], to: backend)
        return try #require(await backend.next)
    }

    @Test("the push is the one of the specification")
    func payload() async throws {
        let intent = try await sent(Scene.alert("Trains run every 20 minutes"))
        #expect(intent.body("title") == "Service Alert")
        #expect(intent.body("body") == "Trains run every 20 minutes")
        #expect(intent.body("sound") == "default" && intent.body("badge") == "1")
        #expect(intent.body("data", "alert_id") == "a-1")
        #expect(intent.body("deep_link") == "sydneytransit://alerts/a-1")
        #expect(intent.body("collapse_id") == "alert-a-1")
        #expect(intent.body("dedup", "cooldown_seconds") == "1800")
        #expect(intent.body("retry", "max_attempts") == "4")
        #expect(intent.body("retry", "rate_limited_delay_seconds") == "60")
    }

    @Test(
        "any id of an agency makes names within Martlet's and APNs' limits",
        arguments: [
            "a", "日本", String(repeating: "x", count: 500), "with space/and?query", "urn:alert:1",
        ]
    )
    func names(id: String) async throws {
        var alert = Scene.alert()
        alert.id = id
        let intent = try await sent(alert)
        let collapse = try #require(intent.body("collapse_id"))
        #expect(
            collapse.utf8.count <= 64 && intent.key.utf8.count <= 255
                && intent.key.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        )
        let link = try #require(intent.body("deep_link"))
        #expect(URL(string: link)?.lastPathComponent.removingPercentEncoding?.isEmpty == false)
    }

    @Test("the longest texts fit a push")
    func longest() async throws {
        let alert = ServiceAlert(
            id: "a",
            header: TranslatedText([.init(String(repeating: "運", count: 5_000), language: "en")]),
            details: TranslatedText([.init(String(repeating: "行", count: 5_000), language: "en")]),
            entities: [InformedEntity(route: "T4")]
        )
        let body = try await sent(alert).body("body")
        #expect(try #require(body).utf8.count < 2_500)
    }

    @Test("a push waits for a phone no longer than its alert lasts")
    func timeToLive() async throws {
        let long = try await sent(Scene.alert())
        let soon = try await sent(Scene.alert(periods: [ActivePeriod(end: 1_774_800_060 + 600)]))
        #expect([long, soon].map { $0.body("ttl_seconds") } == ["14400", "600"])
    }
}
