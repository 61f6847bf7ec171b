import Foundation
import MartletTesting

/// P5: what the API takes in a second, durable, over 64 connections, beside the same server answering a constant.
struct Accept {
    let server: ServerUnderTest

    func rows() async throws -> [Row] {
        let constant = try Load(server, "/healthz", requests: 40_000)
        // Of what is for tomorrow nothing is sent meanwhile, and nothing waits before it.
        let tomorrow = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
        let alone = try load(ServerUnderTest.body(to: Self.audience, sendAt: tomorrow))
        let accept = try load(ServerUnderTest.body(to: Self.audience))
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
        let scheduled = Row(
            "P5 accept alone, for tomorrow",
            ours: "\(alone.perSecond.text(0))/s",
            floor: "\(constant.perSecond.text(0))/s",
            ratio: (alone.perSecond / constant.perSecond).text(2),
            goal: "",
            isMet: nil,
            note: "p50 \(alone.p50.text(1)) ms, p99 \(alone.p99.text(1)) ms"
        )
        return [rate, tail, scheduled]
    }

    private static let audience = #"{"users": ["user-7"]}"#

    private func load(_ body: String) throws -> Load {
        let file = server.folder.file("accept.json")
        try Data(body.utf8).write(to: URL(fileURLWithPath: file))
        return try Load(
            server,
            "/api/v1/notifications",
            requests: 20_000,
            ["-d", file, "-H", "Authorization: Bearer \(try server.key())", "-H", "Content-Type: application/json"]
        )
    }
}
