import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Numbers over time, over REST")
struct StatisticsTests {
    static let path = "/api/v1/stats"

    /// One delivery that is rejected, and one user without a device, a millisecond ago.
    static func send(_ server: Harness) async throws {
        _ = try await OutcomeTests.device(server, "aa", of: "a")
        let (_, batch) = try await OutcomeTests.fanOut(server, to: ["a", "nobody"])
        try await OutcomeTests.settle(server, try #require(batch)) { settlement in
            settlement.results = [
                DeliveryResult(member: settlement.batch.members[0], state: .rejected, reason: "Gone", attempts: 1)
            ]
        }
        server.clock.advance(by: .milliseconds(1))
    }

    @Test("a day of hours is shown where nothing is said, the last with what happened")
    func day() async throws {
        try await Harness.run { server in
            try await Self.send(server)
            let answer = try await server.call(.get, Self.path, key: server.send)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.data["step"] == "hour")
            #expect(answer.data["app_id"] == .string(server.app.id.description))
            #expect(answer.data["platform"] == .null)
            let points = answer.data["points"].items
            #expect(points.count == 25)
            #expect(points.first?["at"] == answer.data["from"])
            #expect(points.last?["rejected"] == 1)
            #expect(points.last?["suppressed"] == 1)
            #expect(points.dropLast().allSatisfy { $0["rejected"] == 0 && $0["suppressed"] == 0 })
        }
    }

    @Test("a platform has its own, without what was not made before a device was looked at")
    func platform() async throws {
        try await Harness.run { server in
            try await Self.send(server)
            for (platform, numbers) in [("apns", [Int64(1), 0]), ("fcm", [0, 0])] {
                let path =
                    Self.path
                    + "?platform=\(platform)&step=minute&from=\(UTCTime(server.clock.now() - .milliseconds(1)))"
                let answer = try await server.call(.get, path, key: server.send)
                #expect(answer.data["platform"] == .string(platform), "\(answer.text)")
                let points = answer.data["points"].items
                #expect(points.count == 1)
                #expect(points.first?["rejected"] == .integer(numbers[0]))
                #expect(points.first?["suppressed"] == .integer(numbers[1]))
            }
        }
    }

    @Test("a key of another app sees nothing of it, one of all apps sees the sum, a client's sees none")
    func access() async throws {
        try await Harness.run { server in
            try await Self.send(server)
            let other = try await server.store.createApp(name: "other", identity: Identity())
            let theirs = try await Harness.key(.send, app: other.row, in: server.store)
            let own = try await server.call(.get, Self.path, key: theirs)
            #expect(own.data["points"].items.last?["rejected"] == 0, "\(own.text)")
            let named = try await server.call(.get, Self.path + "?app=\(server.app.id)", key: theirs)
            #expect(named.status == 404)
            let all = try await server.call(.get, Self.path, key: server.admin)
            #expect(all.data["points"].items.last?["rejected"] == 1, "\(all.text)")
            #expect(try await server.call(.get, Self.path, key: server.sdk).status == 403)
            #expect(try await server.call(.get, Self.path).status == 401)
        }
    }

    @Test("what is malformed, too long or no longer kept names its field")
    func refusals() async throws {
        try await Harness.run { server in
            let now = server.clock.now()
            let old = UTCTime(now - .seconds(72 * 3_600))
            let lines = [
                ("step=week", "step"), ("platform=fax", "platform"), ("from=now", "from"), ("to=x", "to"),
                ("from=\(UTCTime(now + .seconds(1)))", "from"), ("from=2020-01-01T00:00:00Z", "step"),
                ("from=\(old)&to=\(UTCTime(now - .seconds(71 * 3_600)))&step=minute", "from"), ("app=none", "app"),
            ]
            for (query, field) in lines {
                let answer = try await server.call(.get, Self.path + "?" + query, key: server.send)
                #expect(answer.status == (field == "app" ? 404 : 422), "\(query): \(answer.text)")
                #expect(answer.field == field, "\(query): \(answer.text)")
            }
        }
    }
}

extension JSONValue {
    fileprivate var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
