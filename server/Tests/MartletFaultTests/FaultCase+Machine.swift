import Foundation
import MartletTesting
import Testing

extension FaultCase {
    /// What happens to the machine and the process.
    static let machine = [
        FaultCase(name: "another process holds the database") { scene in
            try await scene.slowDown()
            try await scene.send()
            try await scene.untilReceived(scene.share(4))
            // Longer than the five seconds that the server waits for it.
            let other = try await scene.sqlite("BEGIN IMMEDIATE", ".shell echo locked; sleep 8", "COMMIT")
            try await other.line(containing: "locked")
            #expect(try await other.result(within: 30).status == 0)
        },
        FaultCase(name: "the disk is full", needsSmallDisk: true) { scene in
            // A new start has an empty log, which has to grow.
            try await scene.restart(SIGTERM)
            let disk = try #require(FaultCase.disk)
            try disk.fill(leaving: 256 * 1024)
            try await scene.send()
            try await scene.server.process.errorLine(containing: "is full")
            try disk.empty()
        },
        FaultCase(name: "SIGKILL at any moment") { scene in
            try await scene.slowDown()
            try await scene.send()
            for moment in (0..<3).map({ _ in Int.random(in: 0..<scene.share(2)) }).sorted() {
                try await scene.untilReceived(moment)
                try await scene.restart(SIGKILL)
            }
        },
        FaultCase(name: "SIGTERM under load") { scene in
            try await scene.slowDown()
            try await scene.send()
            for part in [8, 4, 2] {
                try await scene.untilReceived(scene.share(part))
                #expect(try await scene.restart(SIGTERM) == 0)
            }
        },
    ]
}
