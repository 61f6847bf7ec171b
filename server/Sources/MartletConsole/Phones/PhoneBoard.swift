import Foundation
import MartletCore
import MartletStore
import MartletWire

/// One look at the simulator and at the events that came in, shared by all pages that are open: they cost one look a
/// second together, and none when none is open.
actor PhoneBoard {
    /// What there was to see.
    struct Look: Sendable {
        /// Grows with each change.
        var version = 0
        /// Why the simulator was not asked; `nil` when it was.
        var problem: String?
        var pushes: [SimulatedPush] = []
        /// The subscriptions' addresses at push services of browsers, by their ids at the simulator.
        var addresses: [String: String] = [:]
        /// The last events, newest first.
        var events: [Event] = []
        /// What was tapped or dismissed on a page of the console: a browser's own events do not name its subscription.
        var answeredHere: [PhoneScreens.Answered] = []
    }

    private let address: String
    private let fetch: @Sendable (String) async throws -> [UInt8]
    private let store: Store
    private let clock: any WallClock
    private var logs = [SimulatorLog(.apns), SimulatorLog(.fcm), SimulatorLog(.webpush)]
    private var look = Look()
    private var lookedAt: Timestamp?
    private var flight: Task<Look, Never>?

    /// Between two looks.
    static let interval: Duration = .seconds(1)
    /// How many events are looked at.
    static let eventLimit = 200

    init(
        address: String,
        fetch: @escaping @Sendable (String) async throws -> [UInt8],
        store: Store,
        clock: any WallClock
    ) {
        (self.address, self.fetch, self.store, self.clock) = (address, fetch, store, clock)
    }

    /// The last look, which is a second old at most unless another one is wanted at once.
    func current(atOnce: Bool = false) async -> Look {
        if let flight {
            let seen = await flight.value
            if !atOnce { return seen }
        }
        if !atOnce, let lookedAt, clock.now() - lookedAt < Self.interval { return look }
        let flight = Task { await self.lookAgain() }
        self.flight = flight
        let seen = await flight.value
        self.flight = nil
        return seen
    }

    /// Remembers what was tapped or dismissed here, and looks again.
    func note(_ answered: PhoneScreens.Answered) async {
        look.answeredHere = Array((look.answeredHere + [answered]).suffix(Self.eventLimit))
        look.version += 1
        _ = await current(atOnce: true)
    }

    private func lookAgain() async -> Look {
        var seen = look
        do {
            for index in logs.indices { try await read(index) }
            seen.pushes = logs.flatMap(\.pushes).sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
            if !logs[2].pushes.isEmpty { seen.addresses = try await addresses() }
            seen.problem = nil
        } catch {
            seen.problem = "\(error)"
        }
        var filter = EventFilter()
        filter.newest = Self.eventLimit
        if let page = try? await store.events(filter, PageRequest(count: Self.eventLimit)) {
            seen.events = page.items.reversed()
        }
        let isNew =
            seen.pushes != look.pushes || seen.events != look.events || seen.addresses != look.addresses
            || (seen.problem == nil) != (look.problem == nil)
        // What was noted meanwhile stays.
        seen.answeredHere = look.answeredHere
        seen.version = look.version + (isNew ? 1 : 0)
        (look, lookedAt) = (seen, clock.now())
        return seen
    }

    /// Reads what is new of one service; one that the simulator does not simulate has nothing.
    private func read(_ index: Int) async throws {
        var log = logs[index]
        let path = address + (log.platform == .apns ? "" : "/\(log.platform.rawValue)") + "/received"
        let counts: Counts
        do {
            counts = try JSONDecoder().decode(Counts.self, from: Data(try await fetch(path + "/count")))
        } catch {
            if log.platform == .apns { throw error }
            return
        }
        if let after = log.reading(total: counts.total) {
            let page = try await fetch("\(path)?after=\(after)&limit=\(SimulatorLog.page)")
            log.add(try JSONDecoder().decode(SimulatorReport.self, from: Data(page)))
        }
        logs[index] = log
    }

    private func addresses() async throws -> [String: String] {
        let list = try await fetch(address + "/webpush/subscriptions")
        let known = try JSONDecoder().decode(Subscriptions.self, from: Data(list)).subscriptions
        return Dictionary(known.map { ($0.id, $0.endpoint) }) { $1 }
    }

    private struct Counts: Decodable { var total: Int }

    private struct Subscriptions: Decodable {
        struct One: Decodable {
            var id: String
            var endpoint: String
        }

        var subscriptions: [One]
    }
}
