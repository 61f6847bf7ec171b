import Foundation
import MartletTesting

/// P5: what the API takes in a second, durable, over 64 connections, beside the same server answering a constant.
struct Accept {
    let server: ServerUnderTest

    /// What h2load measured.
    private struct Load {
        var perSecond: Double
        var p50: Double
        var p99: Double
    }

    func rows() async throws -> [Row] {
        let body = server.folder.file("accept.json")
        let text = ServerUnderTest.body(to: #"{"users": ["user-7"]}"#)
        try Data(text.utf8).write(to: URL(fileURLWithPath: body))
        let key = try server.key()
        let constant = try load("/healthz", requests: 40_000, [])
        let accept = try load(
            "/api/v1/notifications",
            requests: 20_000,
            ["-d", body, "-H", "Authorization: Bearer \(key)", "-H", "Content-Type: application/json"]
        )
        let rate = Row(
            "P5 accept, one user, 64 connections",
            ours: "\(accept.perSecond.text(0))/s",
            floor: "\(constant.perSecond.text(0))/s",
            ratio: (accept.perSecond / constant.perSecond).text(2),
            goal: "≥ 0.50",
            isMet: accept.perSecond * 2 >= constant.perSecond,
            note: "all of it is sent meanwhile"
        )
        let spread = accept.p99 - accept.p50
        let tail = Row(
            "P5 accept, p99 beyond p50",
            ours: "\(spread.text(1)) ms",
            goal: "≤ 10 ms",
            isMet: spread <= 10,
            note: "p50 \(accept.p50.text(1)) ms, p99 \(accept.p99.text(1)) ms"
        )
        return [rate, tail]
    }

    private func load(_ path: String, requests: Int, _ arguments: [String]) throws -> Load {
        let log = server.folder.file("h2load.tsv")
        try? FileManager.default.removeItem(atPath: log)
        let command = ["-c", "1", "h2load", "--h1", "-c", "64", "-n", "\(requests)", "--log-file", log]
        let start = ContinuousClock.now
        try Tool.run("/usr/bin/taskset", command + arguments + [server.address + path])
        let wall = (ContinuousClock.now - start) / .seconds(1)
        // The start in microseconds, the status, the duration in microseconds.
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t")
        }
        let good = lines.filter { $0.count == 3 && $0[1].hasPrefix("2") }.compactMap { Double($0[2]) }
        guard good.count == requests else { throw BenchmarkError("\(good.count) of \(requests) requests succeeded") }
        return Load(
            perSecond: Double(requests) / wall,
            p50: good.percentile(0.5) / 1000,
            p99: good.percentile(0.99) / 1000
        )
    }
}
