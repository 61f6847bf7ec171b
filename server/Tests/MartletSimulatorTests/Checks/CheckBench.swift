import Testing

@testable import MartletSimulator

/// A push, an account and a time, good unless changed: what the check tables start from.
struct CheckBench {
    /// 2023-11-14T22:13:20Z, in seconds.
    static let now: Int64 = 1_700_000_000

    let account = Account()
    var registry = APNsRegistry()
    var request = APNsRequest(path: "/3/device/\(Account.device)")
    var connection = ConnectionIdentity()
    var environment = APNsEnvironment.production
    var now = CheckBench.now

    init() throws {
        registry.register(try account.key())
        registry.register(try account.app())
        request.authorization = "bearer \(try account.token(issuedAt: Self.now))"
        request.topic = Account.topic
        request.pushType = "alert"
        request.payload = PayloadSummary(size: 40, isObject: true)
    }

    mutating func verdict() -> Verdict {
        APNsCheck(request: request, environment: environment, now: now * 1_000)
            .verdict(on: &connection, in: &registry)
    }

    /// `200`, or the status with the reason.
    mutating func answer() -> String {
        let refusal = verdict().refusal
        return refusal.map { "\($0.reason.status) \($0.reason.rawValue)" } ?? "200"
    }
}

/// One row of a check table.
struct CheckCase: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: String
    let change: @Sendable (inout CheckBench) throws -> Void

    init(_ name: String, _ answer: String, _ change: @escaping @Sendable (inout CheckBench) throws -> Void) {
        self.name = name
        self.answer = answer
        self.change = change
    }

    var testDescription: String { "\(name): \(answer)" }

    func result() throws -> String {
        var bench = try CheckBench()
        try change(&bench)
        return bench.answer()
    }
}
