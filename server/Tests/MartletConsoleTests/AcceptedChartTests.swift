import Foundation
import MartletStore
import MartletWire
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
            // Two bars, for a wide window and for a narrow one; times that differ.
            for size in Chart.Size.allCases {
                let picture = try #require(section.components(separatedBy: "\(size)-chart").dropFirst().first)
                #expect(
                    picture.components(separatedBy: "</svg>")[0].components(separatedBy: "class=\"accepted\"").count
                        == 3
                )
            }
            let labels = section.matches(of: /data-seconds>(\d\d:\d\d:\d\d)</).map(\.output.1)
            #expect(labels.count > 2 && Set(labels).count >= labels.count / 2, "\(labels)")
            #expect(section.contains("Z</time>"))
            #expect(section.contains("<td class=\"number\">1</td>") && section.contains("<td class=\"number\">2</td>"))
        }
    }
}
