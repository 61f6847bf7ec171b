import MartletTesting
import MartletWire

@testable import MartletCore

/// What a run found wrong.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// One run: a real store, workers that do their work a step at a time in any order, and the reference beside them.
final class Run {
    static let users = ["ann", "bob", "cem", "dot"]
    static let tokens = (0..<9).map { "\($0)\($0)" }
    static let mostNotifications = 6

    let ground: Ground
    var random: SeededRandom
    let app: App
    var reference = Reference()
    var jobs: [Job] = []
    var readings: [Reading] = []
    /// The endpoints that are not removed.
    var endpoints: [RowID<Endpoint>: Endpoint] = [:]
    /// Every step, for a report.
    var trace: [String] = []

    init(seed: UInt64, on ground: Ground) async throws {
        self.ground = ground
        random = SeededRandom(seed: seed)
        app = try await ground.store.createApp(name: "run \(seed)", identity: Identity())
    }

    /// Takes so many steps, then lets everything come to its end.
    func explore(steps: Int) async throws {
        for environment in Environment.allCases { try await storeCredential(lane(environment)) }
        for token in Run.tokens.prefix(6) {
            let user = random.pick(Run.users + [nil])
            try await register(token, random.pick([.production, .sandbox, nil]), user.map { .user($0) } ?? .nobody)
        }
        for step in 1...steps {
            reference.step = step
            try await take(random.pick(Move.bag))
            if step.isMultiple(of: 40) { try await auditAll() }
        }
        try await drain()
        try await auditEnd()
    }

    /// Kills the server and starts it again: workers are gone with all that they knew.
    func restart() async throws {
        note("restart")
        jobs = []
        readings = []
        try await ground.restart()
        reference.restart(now: now)
        try await auditAll()
    }

    var store: any Store { ground.store }

    var now: Timestamp { ground.clock.now() }

    func lane(_ environment: Environment) -> Lane { Lane(app: app.row, platform: .apns, environment: environment) }

    func newLease() -> Lease { Lease(holder: Int64.random(in: 1...Int64.max, using: &random)) }

    func note(_ line: @autoclosure () -> String) { trace.append("\(reference.step) \(line())") }

    /// Checks that something holds.
    func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else { throw Broken(what()) }
    }

    /// Checks that the store says what the reference says.
    func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
        guard found == expected else { throw Broken("\(what()): found \(found), expected \(expected)") }
    }
}
