import MartletStore
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
    let ids = NotificationIDs()
    var random: SeededRandom
    let app: App
    var reference = Reference()
    var jobs: [Job] = []
    var reads: [Reading] = []
    let workers: Workers
    /// How far the clock of each process is off.
    var skews: [Duration]
    /// Who takes this step.
    private(set) var process = 0
    /// By how much the clock was set back without anybody having seen it yet.
    var unseenSetBack = Duration.zero
    /// Deliveries of batches that were taken from somebody who still worked on them.
    var disputed: Set<Delivery> = []
    /// The endpoints that are not removed.
    var endpoints: [RowID<Endpoint>: Endpoint] = [:]
    /// Every step, for a report.
    var trace: [String] = []

    init(seed: UInt64, on ground: Ground) async throws {
        self.ground = ground
        random = SeededRandom(seed: seed)
        workers = Workers.allCases[Int(seed % UInt64(Workers.allCases.count))]
        skews = workers.skews(using: &random)
        ground.clock.show(.zero)
        app = try await ground.store.createApp(name: "run \(seed)", identity: Identity())
    }

    /// Takes so many steps, then lets everything come to its end.
    func explore(steps: Int) async throws {
        for environment in [Environment.sandbox, .production] { try await storeCredential(queue(environment)) }
        for token in Run.tokens.prefix(6) {
            let user = random.pick(Run.users + [nil])
            try await register(token, random.pick([.production, .sandbox, nil]), user.map { .user($0) } ?? .nobody)
        }
        for step in 1...steps {
            reference.step = step
            act(as: Int.random(in: skews.indices, using: &random))
            try await seeSetBack()
            try await take(random.pick(Move.bag))
            if step.isMultiple(of: 40) { try await auditAll() }
        }
        try await drain()
        try await auditEnd()
    }

    /// Lets a process take the next steps, by its clock.
    func act(as process: Int) {
        self.process = process
        ground.clock.show(skews[process])
    }

    /// Kills the server and starts it again: workers are gone with all that they knew.
    func restart() async throws {
        note("restart")
        jobs = []
        reads = []
        try await ground.restart()
        if ground.endsLeases { reference.restart(now: now) }
        try await auditAll()
    }

    var store: Store { ground.store }

    var now: Timestamp { ground.clock.now() }

    func queue(_ environment: Environment) -> DeliveryQueue {
        DeliveryQueue(app: app.row, platform: .apns, environment: environment)
    }

    func newLease() -> Lease { Lease(process: Int64(process), holder: Int64.random(in: 1...Int64.max, using: &random)) }

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
