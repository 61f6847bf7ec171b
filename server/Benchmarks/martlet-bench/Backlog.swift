import Foundation
import MartletTesting

/// P17: what each push of a backlog costs, of a million beside ten thousand: notifications to one person each, which wait
/// until an operator resumes their queue.
struct Backlog {
    let server: ServerUnderTest
    let simulator: SimulatorProcess

    static let sizes = [10_000, 1_000_000]

    func rows() async throws -> [Row] {
        var costs: [(microseconds: Double, seconds: Double)] = []
        for size in Self.sizes { costs.append(try await drain(size)) }
        return [
            Row(
                "P17 a backlog of a million, each push",
                ours: costs[1].microseconds,
                floor: costs[0].microseconds,
                goal: 1.1,
                note: "beside ten thousand; \((Double(Self.sizes[1]) / costs[1].seconds).text(0)) pushes/s"
            )
        ]
    }

    /// Lets so many wait, and then go; what each cost and how long all took.
    private func drain(_ count: Int) async throws -> (microseconds: Double, seconds: Double) {
        try await simulator.script(#"{"scope": "all", "then": {"do": "respond", "reason": "InvalidProviderToken"}}"#)
        _ = try await server.send(to: Accept.audience)
        let pauses = "/api/v1/apps/\(ServerUnderTest.app)/pauses"
        try await Eventually.is("the queue is paused") { try await !server.list(pauses).isEmpty }
        try await simulator.call("DELETE", "/rules")
        _ = try server.loadHundreds(count / Accept.perBatch)
        let (start, before) = (ContinuousClock.now, try server.figures.cpuSeconds())
        try await server.resume(pauses + "/apns/production")
        try await server.untilNothingWaits(within: 600)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return ((try server.figures.cpuSeconds() - before) * 1_000_000 / Double(count), seconds)
    }
}
