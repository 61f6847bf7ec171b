import Foundation
import Testing

/// Batches, leases and settlements explored at random: workers that die or outlive their leases, clocks that drift and
/// jump, devices that move, beside a reference that says what every delivery's state should be.
///
/// What is promised of sending, and checked at every step (``Run/checkSending(_:by:)``):
///
/// * A delivery whose final answer is recorded is never sent by a worker that took it up later, whatever any clock says.
///   What can come twice is only what was sent and had no recorded answer when its worker died or lost its lease.
/// * Inside one process, whatever its clock does (``Workers/alone``), a batch that is worked on is neither leased
///   again nor ended as expired: nothing is sent after its answer was recorded, and nothing while another worker waits
///   for the answer.
/// * Between processes (``Workers/punctual``) the same holds as long as leases are renewed in time and the clocks differ
///   by less than what a lease is longer than the time between two renewals: 20 seconds. Nobody's batch is taken then.
/// * Not promised between processes whose clocks differ by more, or of which one stood still for longer than a lease
///   (``Workers/astray``): a batch may be taken from a worker that lives. Until that one renews, finds its lease lost and
///   stops, both send, under the same delivery ids; a provider or a phone can tell, we do not. The first point holds
///   there too, and every delivery still ends in one state.
///
/// `MARTLET_SEED=17` runs that seed alone and prints its steps; `MARTLET_SEEDS=10000` runs that many.
@Suite(.timeLimit(.minutes(30))) struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let only = environment["MARTLET_SEED"].flatMap(UInt64.init)
    static let count = environment["MARTLET_SEEDS"].flatMap(UInt64.init) ?? 180
    static let parts: UInt64 = 6

    static let steps = 150

    @Test(
        "every delivery ends in one state, none is lost, none is taken up after its answer",
        arguments: Ground.Engine.allCases,
        0..<parts
    )
    func explores(_ engine: Ground.Engine, part: UInt64) async throws {
        let ground = try await Ground(engine)
        // A commit of PostgreSQL takes several times as long.
        let count = engine == .sqlite ? ModelTests.count : ModelTests.count / 4
        let all = stride(from: part + 1, through: count, by: Int(ModelTests.parts)).map(\.self)
        for seed in ModelTests.only.map({ part == 0 ? [$0] : [] }) ?? all {
            guard try await Self.run(seed, on: ground) else { break }
        }
        await ground.close()
    }

    /// Runs one seed; says whether all was well.
    static func run(_ seed: UInt64, on ground: Ground) async throws -> Bool {
        let run = try await Run(seed: seed, on: ground)
        var problem: (any Error)?
        do { try await run.explore(steps: steps) } catch { problem = error }
        let shown = only == nil ? run.trace.suffix(25) : run.trace[...]
        if only != nil { print(shown.joined(separator: "\n")) }
        guard let problem else { return true }
        let replay = "MARTLET_SEED=\(seed) MARTLET_TESTS=MartletModelTests swift test --package-path server"
        let steps = shown.joined(separator: "\n")
        Issue.record("\(ground.engine), seed \(seed): \(problem)\nreplay: \(replay)\nthe last steps:\n\(steps)")
        return false
    }
}
