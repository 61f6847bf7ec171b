import Foundation
import MartletTesting

/// P5: what the API takes in a second, durable, over 64 connections, beside the same server answering a constant.
struct Accept {
    let server: ServerUnderTest

    func rows() async throws -> [Row] {
        let body = server.folder.file("accept.json")
        let text = ServerUnderTest.body(to: #"{"users": ["user-7"]}"#)
        try Data(text.utf8).write(to: URL(fileURLWithPath: body))
        let key = try server.key()
        let constant = try Load(server, "/healthz", requests: 40_000)
        let accept = try Load(
            server,
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
}
