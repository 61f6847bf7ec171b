import Foundation
import Testing

@testable import MartletSimulator

@Suite("Phones at the simulated APNs")
struct DeviceLiveTests {
    private func token(_ live: LiveSimulator, environment: String = "production") async throws -> String {
        let answer = try await live.control(
            "POST",
            "/devices",
            #"{"topic":"\#(Account.topic)","environment":"\#(environment)"}"#
        )
        #expect(answer.status == 201)
        return try decode(DeviceTokenDocument.self, answer).token
    }

    private func decode<Document: Decodable>(_ type: Document.Type, _ answer: LiveSimulator.Answer) throws -> Document {
        try JSONDecoder().decode(type, from: Data(answer.body.utf8))
    }

    private func page(_ live: LiveSimulator, _ token: String, _ query: String = "") async throws -> DevicePage {
        try decode(DevicePage.self, try await live.control("GET", "/devices/\(token)/pushes\(query)"))
    }

    @Test("a phone takes a token and reads what was accepted for it, in order and nothing else")
    func receives() async throws {
        try await withSimulator { live in
            let token = try await token(live)
            let other = try await self.token(live)
            #expect(token.count == 64 && token != other)
            #expect(try await live.push(to: token, body: #"{"aps":{"badge":1}}"#).short == "200")
            #expect(try await live.push(to: other).short == "200")
            #expect(try await live.push(to: token, body: "[]").short == "400 PayloadEmpty")
            #expect(
                try await live.push(to: token, body: #"{"n":2}"#, changes: ["apns-collapse-id": "c"]).short == "200"
            )
            let first = try await page(live, token)
            #expect(first.pushes.map(\.seq) == [1, 2])
            #expect(first.pushes[0].payload?["aps"]?["badge"] == .integer(1))
            #expect(first.pushes[0].apnsID != nil)
            #expect(first.pushes[1].collapseID == "c")
            #expect(first.next == 2)
            #expect(try await page(live, token, "?after=2") == DevicePage(pushes: [], next: 2))
        }
    }

    @Test("a request waits for the next push")
    func waits() async throws {
        try await withSimulator { live in
            let token = try await token(live)
            async let waiting = page(live, token, "?wait=20000")
            #expect(try await live.push(to: token, body: #"{"n":1}"#).short == "200")
            #expect(try await waiting.pushes.map(\.payload) == [.object(["n": .integer(1)])])
        }
    }

    @Test("a request is answered with nothing when its time is over, or when a newer one comes")
    func ends() async throws {
        try await withSimulator { live in
            let token = try await token(live)
            #expect(try await page(live, token, "?wait=1").pushes.isEmpty)
            async let older = page(live, token, "?wait=30000")
            async let newer = page(live, token, "?wait=30000")
            // Whichever came first ends at once; the push answers the other.
            #expect(try await live.push(to: token).short == "200")
            let counts = try await [older.pushes.count, newer.pushes.count]
            #expect(counts.contains(1))
        }
    }

    @Test("a token that was given up is answered 410, and its line is gone")
    func unregisters() async throws {
        try await withSimulator { live in
            let token = try await token(live)
            #expect(try await live.control("DELETE", "/devices/\(token)").status == 204)
            let answer = try await live.push(to: token)
            #expect(answer.short == "410 Unregistered")
            #expect(answer.members?["timestamp"] != nil)
            #expect(try await live.control("GET", "/devices/\(token)/pushes").status == 404)
            #expect(try await live.control("DELETE", "/devices/\(token)").status == 404)
        }
    }

    @Test("a token belongs to its topic and its environment")
    func bound() async throws {
        try await withSimulator { live in
            let sandbox = try await token(live, environment: "sandbox")
            #expect(try await live.push(to: sandbox).short == "400 BadDeviceToken")
            let elsewhere = try await live.control("POST", "/devices", #"{"topic":"com.example.other"}"#)
            let other = try decode(DeviceTokenDocument.self, elsewhere).token
            #expect(try await live.push(to: other).short == "400 DeviceTokenNotForTopic")
        }
    }
}
