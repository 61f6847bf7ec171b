import Foundation
import MartletTesting
import MartletWire
import Testing

/// Two people use one device, online and offline, in orders from seeds: logins and logouts, kills, other tokens,
/// answers that are lost, an app that has a user token or has none. SDK and server are the real ones.
///
/// What is promised, and checked at every step (``OwnerScene``):
///
/// * Once the server has acknowledged a registration that was made after somebody logged in or out, no push to anybody
///   else shows on the device. That holds over kills and launches, with and without a user token.
/// * Whatever happened before, a launch with a connection, in which the app replies when it is asked for a user token,
///   gets the device to whoever is logged in, or to nobody. Then that person's pushes show.
/// * Of each push that arrived, the server has the delivery and the tap once, under one event id each, and never as
///   another user's.
///
/// Not promised: a push that was sent before the server could know shows, also where it arrives later because the
/// phone was offline. It does not say whose it is, so that the SDK cannot take it away when it arrives.
///
/// A seed brings the steps back, and not the moments at which the SDK's own tasks run.
/// `MARTLET_SEED=17` runs that seed alone and prints its steps; `MARTLET_SEEDS=10000` runs that many.
@Suite("Two people on one device", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct OwnerOrderTests {
    /// An order in which something was not as it must be.
    private struct Broken: Sendable {
        var seed: UInt64
        var order: OwnerOrder
        var problems: [String]
    }

    private nonisolated static let environment = ProcessInfo.processInfo.environment
    private nonisolated static let only = environment["MARTLET_SEED"].flatMap(UInt64.init)
    private nonisolated static let count = environment["MARTLET_SEEDS"].flatMap(UInt64.init) ?? 200
    /// Phones at a time: each waits for the server more than it works.
    private nonisolated static let phones = 12
    /// How long a shorter order is looked for where one is broken.
    private nonisolated static let timeout: Duration = .seconds(60)
    /// All phones have one address.
    private nonisolated static let settings = [
        "MARTLET_QUOTAS_REGISTRATIONS": "0", "MARTLET_QUOTAS_EVENTS": "0", "MARTLET_QUOTAS_EVENT_BYTES": "0",
        "MARTLET_CONNECTIONS_PER_ADDRESS": "0",
    ]

    @Test("nobody sees what was sent to the other one, and no event is lost", arguments: IdentityMode.allCases)
    func orders(identity: IdentityMode) async throws {
        let loop = try await Loop(settings: { _ in Self.settings })
        if identity == .signed {
            let change: JSONValue = ["identity": Account.identity]
            let body = String(decoding: try change.json(), as: UTF8.self)
            try await loop.server.call("PATCH", "/apps/\(Loop.topic)", body)
        }
        // Without user tokens there is less to go wrong.
        let count = identity == .signed ? Self.count : Self.count / 4
        let seeds = Self.only.map { [$0] } ?? Array(1...max(1, count))
        let broken = try await withThrowingTaskGroup(of: [Broken].self, returning: [Broken].self) { group in
            for first in 0..<min(Self.phones, seeds.count) {
                let part = stride(from: first, to: seeds.count, by: Self.phones).map { seeds[$0] }
                group.addTask { try await self.run(part, at: loop, identity) }
            }
            var broken: [Broken] = []
            for try await more in group { broken += more }
            return broken
        }
        if let first = broken.min(by: { $0.seed < $1.seed }) {
            try await report(first, of: broken.map(\.seed).sorted(), at: loop, identity)
        }
        try await loop.end()
    }

    private func run(_ seeds: [UInt64], at loop: Loop, _ identity: IdentityMode) async throws -> [Broken] {
        var broken: [Broken] = []
        for seed in seeds {
            let order = OwnerOrder(seed: seed)
            if Self.only != nil { print(order) }
            let problems = try await OwnerScene(loop, identity).problems(in: order)
            if !problems.isEmpty { broken.append(Broken(seed: seed, order: order, problems: problems)) }
        }
        return broken
    }

    private func report(_ broken: Broken, of seeds: [UInt64], at loop: Loop, _ identity: IdentityMode) async throws {
        let shorter = try await broken.order.shortened(until: .now + Self.timeout) { order in
            try await !OwnerScene(loop, identity).problems(in: order).isEmpty
        }
        Issue.record(
            """
            \(identity), seed \(broken.seed) of the broken ones \(seeds): \(broken.problems.joined(separator: "; "))
            its steps: \(broken.order)
            fewer that are broken: \(shorter)
            replay: MARTLET_SEED=\(broken.seed) MARTLET_TESTS=MartletLoopTests \
            swift test --package-path server --filter OwnerOrderTests
            """
        )
    }
}
