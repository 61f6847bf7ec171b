import Synchronization

/// How much work may be under way: in all, of each app and in each lane, so that a lane or an app that hangs leaves room
/// for the others. Counted in deliveries, as ``BatchRoom`` weighs them.
final class LaneSlots: Sendable {
    private struct Taken {
        var batches = 0
        var weight = 0
    }

    private struct State {
        var total = 0
        var lanes: [Lane: Taken] = [:]
        var behind: Set<Lane> = []

        func weight(of app: RowID<App>) -> Int {
            lanes.reduce(0) { $1.key.app == app ? $0 + $1.value.weight : $0 }
        }

        func free(in lane: Lane, _ slots: LaneSlots) -> Int {
            let (ofLane, ofApp) = (lanes[lane]?.weight ?? 0, weight(of: lane.app))
            let left = slots.total - total
            // After it the lane has no more than is left beside it: however many lanes hang with all that they may have,
            // the next one finds half of what the last one left.
            return max(0, min((left - ofLane) / 2, slots.perApp - ofApp, slots.perLane - ofLane))
        }

        mutating func add(_ weight: Int, batches: Int, in lane: Lane) {
            total += weight
            var taken = lanes[lane] ?? Taken()
            taken.batches += batches
            taken.weight += weight
            lanes[lane] = taken.batches > 0 || taken.weight > 0 ? taken : nil
        }
    }

    private let state = Mutex(State())
    private let total: Int
    private let perApp: Int
    private let perLane: Int

    init(total: Int, perApp: Int, perLane: Int) {
        self.total = total
        self.perApp = perApp
        self.perLane = perLane
    }

    /// How much more of a lane may be taken now.
    func free(in lane: Lane) -> Int {
        state.withLock { $0.free(in: lane, self) }
    }

    /// Takes what is free of a lane, but not more than `most`, until it is known how much of it is leased; says how much
    /// that is.
    func reserve(_ most: Int, in lane: Lane) -> Int {
        state.withLock { state in
            let weight = min(most, state.free(in: lane, self))
            state.add(weight, batches: 0, in: lane)
            return weight
        }
    }

    /// Gives back what was reserved.
    func release(_ weight: Int, in lane: Lane) {
        state.withLock { $0.add(-weight, batches: 0, in: lane) }
    }

    /// Remembers the lanes in which more is due than was leased.
    func note(behind lanes: Set<Lane>) { state.withLock { $0.behind = lanes } }

    /// Counts a batch in, where after it at most half of what the lane, its app and all may have is taken, and nothing
    /// older waits in the lane; says whether it did.
    func takeOfFirstHalf(_ weight: Int, in lane: Lane) -> Bool {
        state.withLock { state in
            let (ofLane, ofApp) = (state.lanes[lane]?.weight ?? 0, state.weight(of: lane.app))
            guard !state.behind.contains(lane), (ofLane + weight) * 2 <= perLane, (ofApp + weight) * 2 <= perApp,
                (state.total + weight) * 2 <= total
            else { return false }
            state.add(weight, batches: 1, in: lane)
            return true
        }
    }

    /// How many batches of a lane are under way.
    func batches(in lane: Lane) -> Int { state.withLock { $0.lanes[lane]?.batches ?? 0 } }

    /// Lanes with those first that have the least under way, equals in any order: a slot that becomes free does not
    /// always go to the same lanes while others wait.
    func leastTakenFirst(_ lanes: [Lane]) -> [Lane] {
        let taken = state.withLock(\.lanes)
        return lanes.shuffled().sorted { taken[$0]?.weight ?? 0 < taken[$1]?.weight ?? 0 }
    }

    /// How much each of so many lanes may take in one round, so that the first one leaves room for the rest.
    func share(amongLanes count: Int) -> Int {
        state.withLock { max(1, (total - $0.total) / max(1, count)) }
    }

    /// Counts a batch in.
    func take(_ weight: Int, in lane: Lane) {
        state.withLock { $0.add(weight, batches: 1, in: lane) }
    }

    /// Counts a batch out.
    func give(_ weight: Int, in lane: Lane) {
        state.withLock { $0.add(-weight, batches: -1, in: lane) }
    }

    /// How many batches are under way.
    var batches: Int { state.withLock { $0.lanes.values.reduce(0) { $0 + $1.batches } } }
}

/// How many audiences may be read at the same time: in all, and of each app.
final class FanOutSlots: Sendable {
    private let taken = Mutex<[RowID<App>: Int]>([:])
    private let total: Int
    private let perApp: Int

    init(total: Int, perApp: Int) {
        self.total = total
        self.perApp = perApp
    }

    /// How many more may be read now.
    var free: Int { taken.withLock { max(0, total - $0.values.reduce(0, +)) } }

    /// How many of each app may be and are read.
    var share: FanOutShare { FanOutShare(perApp: perApp, taken: taken.withLock { $0 }) }

    /// Counts one in.
    func take(_ app: RowID<App>) { taken.withLock { $0[app, default: 0] += 1 } }

    /// Counts one out.
    func give(_ app: RowID<App>) {
        taken.withLock { taken in taken[app] = taken[app].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
