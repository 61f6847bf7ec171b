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
        try request.allowQuery(["after", "limit", "wait"])
        after = try request.queryNumber("after", in: 0...Int.max, default: 0)
        limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: Self.pageLimit)
        wait = try request.queryNumber("wait", in: 0...Self.longestWait, default: 0)
    }

    /// What waits on the line, and what to give as `after` once it is taken.
    ///
    /// - Throws: `unknown` when no phone has the token.
    func items<Message>(
        of token: String,
        on lines: DeviceLines<Message>,
        clock: SimulatorClock,
        unknown: ControlError
    ) async throws -> (items: [Mailbox<Message>.Item], next: Int) {
        let reading = await lines.read(token, after: after, limit: limit, wait: .milliseconds(wait), clock: clock)
        guard case .pushes(let items) = reading else { throw unknown }
        return (items, items.last?.seq ?? after)
    }
}
