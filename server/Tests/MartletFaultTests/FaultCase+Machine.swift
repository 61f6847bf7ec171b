import Foundation
import MartletTesting
import Testing

extension FaultCase {
    /// What happens to the machine and the process.
    static let machine = [
        FaultCase(name: "another process holds the database", simulator: fewStreams) { scene in
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            try await scene.holdDatabase()
            try await scene.untilCounted("martlet_commit_failures_total", [#"reason="locked""#])
        },
        FaultCase(name: "the disk is full", needsSmallDisk: true) { scene in
            // A new start has an empty log, which has to grow.
            try await scene.restart(SIGTERM)
            let disk = try #require(FaultCase.disk)
            // No answer comes before the disk is full.
            try await scene.slowDown(by: 1_500)
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            try disk.fill(leaving: 16 * 1024)
            // The disk stays full while answers come that have to be recorded, and writes are tried again.
            let process = await scene.server.process
            try await scene.until("ten writes were refused") {
                process.standardError.split(separator: "\n").count { $0.contains("is full") } >= 10
            }
            try await scene.last(scene.form.trouble)
            try disk.empty()
        },
        FaultCase(name: "SIGKILL at any moment", mayRepeat: true, answerSeconds: 10, simulator: fewStreams) { scene in
            try await killAtAnyMoment(scene, "SIGKILL at any moment")
        },
        FaultCase(name: "SIGTERM under load", simulator: fewStreams) { scene in
            try await scene.slowDown()
            try await scene.send()
            for part in [8, 4, 2] {
                try await scene.untilReceived(scene.share(part))
                let status = try await scene.interrupt(SIGTERM)
                if status != 0 { await scene.note("it ended with \(status)") }
            }
        },
    ]

    /// Kills the server once in each third of the run: while pushes are read and sent, while they are answered, while that is
    /// recorded.
    static func killAtAnyMoment(_ scene: FaultScene, _ name: String) async throws {
        // Some wait for their answers for longer than it takes from what is waited for until the signal.
        try await scene.simulator.script(#"{"every": 4, "delay": 5000, "then": {"do": "proceed"}}"#)
        try await scene.slowDown()
        try await scene.send()
        var random = scene.random(name)
        for part in 0..<3 {
            let count = (part * scene.form.deliveries + Int.random(in: 0..<scene.form.deliveries, using: &random)) / 3
            try await scene.untilReceived(count)
            try await scene.last(.milliseconds(Int.random(in: 0..<500, using: &random)))
            try await scene.interrupt(SIGKILL)
        }
    }
}
