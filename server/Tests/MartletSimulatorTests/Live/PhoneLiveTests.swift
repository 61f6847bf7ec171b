import Foundation
import MartletPhone
import Testing

@testable import MartletSimulator

@Suite("A phone's line to the simulated APNs", .timeLimit(.minutes(4)))
struct PhoneLiveTests {
    private func link(_ live: LiveSimulator) throws -> SimulatedAPNsLink {
        SimulatedAPNsLink(control: try #require(URL(string: "http://127.0.0.1:\(live.simulator.controlPort)")))
    }

    private func hexadecimal(_ token: Data) -> String {
        token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("the line brings what was accepted, in order and with its collapse id, and again until it was taken")
    func reads() async throws {
        try await withSimulator { live in
            let link = try link(live)
            let token = try await link.newToken(topic: Account.topic, environment: .production)
            #expect(token.count == 32)
            let device = hexadecimal(token)
            async let first = link.pushes(for: token, after: 0)
            #expect(try await live.push(to: device, body: #"{"n":1,"big":9007199254740993}"#).short == "200")
            let page = try await first
            let payload = try #require(page.pushes.first?.payload)
            #expect(String(decoding: payload, as: UTF8.self).contains("9007199254740993"))
            #expect(try await live.push(to: device, changes: ["apns-collapse-id": "c"]).short == "200")
            let again = try await link.pushes(for: token, after: 0)
            #expect(again.pushes.count == 2)
            #expect(again.pushes.last?.collapseID == "c")
            #expect(try await link.pushes(for: token, after: page.next).pushes.map(\.collapseID) == ["c"])
        }
    }

    @Test("a token that the phone gave up is answered 410, and its line has ended")
    func givesUp() async throws {
        try await withSimulator { live in
            let link = try link(live)
            let token = try await link.newToken(topic: Account.topic, environment: .production)
            await link.giveUp(token)
            #expect(try await live.push(to: hexadecimal(token)).short == "410 Unregistered")
            await #expect(throws: SimulatorRefused.self) { try await link.pushes(for: token, after: 0) }
        }
    }
}
