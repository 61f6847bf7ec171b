import Hummingbird

/// How a phone reads what waits for it: the query of `GET …/devices/{token}/…`.
struct DeviceReading {
    private static let pageLimit = 100
    /// Milliseconds that a request waits at most: less than what clients and proxies wait for an answer.
    private static let longestWait = 30_000

    let after: Int
    let limit: Int
    let wait: Int

    init(_ request: Request) throws {
        try request.allowQuery("after", "limit", "wait")
        after = try request.queryNumber("after", in: 0...Int.max, default: 0)
        limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: Self.pageLimit)
        wait = try request.queryNumber("wait", in: 0...Self.longestWait, default: 0)
    }

    /// What waits on the line; `nil` when no phone has the token.
    func items<Mailbox>(
        of token: String,
        on lines: DeviceLines<Mailbox>,
        clock: SimulatorClock
    ) async -> [Mailbox.Item]? {
        let reading = await lines.read(token, after: after, limit: limit, wait: .milliseconds(wait), clock: clock)
        return if case .pushes(let items) = reading { items } else { nil }
    }
}
