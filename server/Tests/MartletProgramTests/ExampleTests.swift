import Foundation
import MartletTesting
import MartletWire
import Testing

/// The examples, run as their own page says, against a server that `make serve` starts.
@Suite struct ExampleTests {
    @Test("a backend on Amazon SNS reaches the simulated phones, and only those that its filters name")
    func sns() async throws {
        let text = try String(contentsOfFile: Program.root + "/examples/sns/README.md", encoding: .utf8)
        let blocks = CommandBlock.all(in: text)
        #expect(blocks.filter(\.isBackground).count == 2 && blocks.count == 9)
        let data = Program.root + "/data/sns"
        try? FileManager.default.removeItem(atPath: data)
        defer { try? FileManager.default.removeItem(atPath: data) }
        let environment = Self.environment
        var running: [ProgramProcess] = []
        for block in blocks where block.isBackground {
            let process = try ProgramProcess(
                ["-c", "exec 2>&1\n" + block.text],
                executable: "/bin/bash",
                environment: environment,
                folder: Program.root,
                leadsGroup: true
            )
            running.append(process)
            // The second of them may have to build.
            try await process.line(containing: "listening on", within: 1_200)
        }
        let script = blocks.filter { !$0.isBackground }.map(\.text).joined(separator: "\n")
        let shell = try ProgramProcess(
            ["-c", "set -euo pipefail\n\(script)"],
            executable: "/bin/bash",
            environment: environment,
            folder: Program.root
        )
        let result = try await shell.result(within: 300)
        #expect(result.status == 0, "\(result.standardOutput.suffix(3_000))\n\(result.standardError.suffix(3_000))")
        let received = try await LocalCall.json("GET", "http://127.0.0.1:9544/received")
        try check(received)
        for process in running {
            process.send(signal: SIGTERM)
            _ = try await process.result(within: 15)
        }
    }

    /// The worker's push is whole, and of five tokens three got one push each.
    private func check(_ received: JSONValue?) throws {
        guard case .array(let pushes)? = received?.objectValue?["received"] else {
            throw ProgramProcess.Failure(description: "nothing was received")
        }
        let payloads = pushes.compactMap { $0.objectValue?["payload"]?.objectValue }
        #expect(payloads.count == 3)
        let refresh = payloads.filter { $0["action"] != nil }
        #expect(refresh.count == 1)
        let push = try #require(refresh.first)
        #expect(push["action"] == "refresh_dashboard")
        #expect(push["device_id"] == "device-living-room")
        #expect(push["date"] == "2026-11-21")
        #expect(
            push["aps"] == [
                "alert": ["title": "データ更新完了", "body": "新しい分析結果が利用可能です"], "sound": "default", "badge": 1,
            ]
        )
        let alerts = payloads.filter { $0["action"] == nil }.map { $0["aps"]?.objectValue?["alert"] }
        #expect(alerts == ["There is a new post.", "Maintenance tonight."])
        #expect(Set(pushes.compactMap { $0.objectValue?["token"]?.stringValue }).count == 3)
    }

    /// What the clone's own Python has goes before the machine's.
    private static var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        let path = "\(Program.root)/.build-python/bin:\(own["PATH"] ?? "/usr/bin:/bin")"
        return own.filter { ["CONFIGURATION", "HOME", "MARTLET_TESTABLE"].contains($0.key) }.merging(["PATH": path]) {
            $1
        }
    }
}
