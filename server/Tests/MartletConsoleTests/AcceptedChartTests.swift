import Foundation
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

@Suite("When a notification was accepted") struct AcceptedChartTests {
    @Test("a page has a chart and a table of what was accepted at more than one time, and else none")
    func chart() async throws {
        try await Harness.run { harness in
            let world = harness.world
            let queue = try await world.makeQueue(harness.app)
            for number in 1...3 { try await world.register(harness.app, number, user: "user-\(number)") }
            let sent = try await world.send(harness.app)
            let viewer = try await harness.visitor(.viewer)
            let path = "/notifications/\(sent.id)"
            #expect(try await !viewer.get(path).text.contains("Accepted over time"))
            var part = try await world.leaseOne(queue).settlement
            let members = part.batch.members
            part.results = [world.result(members[0])]
            part.remaining = Array(members.dropFirst())
            part.isLeaseReleased = true
            try await harness.store.settle(part)
            #expect(try await !viewer.get(path).text.contains("Accepted over time"))
            harness.clock.advance(by: .seconds(5))
            try await world.settle(try await world.leaseOne(queue))
            let page = try await viewer.get(path).text
            #expect(page.contains("Accepted over time"))
            let section = try #require(page.components(separatedBy: "id=\"over-time\"").dropFirst().first)
            #expect(section.components(separatedBy: "class=\"accepted\"").count >= 3, "\(section)")
            #expect(section.contains("<td class=\"number\">1</td>") && section.contains("<td class=\"number\">2</td>"))
        }
    }
}
