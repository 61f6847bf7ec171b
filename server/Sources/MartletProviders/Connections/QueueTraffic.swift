import MartletCore
import MartletTransport

extension QueueAccounts {
    /// Every queue that was sent to since the start: what is under way, how long answers took, and its connections.
    func traffic<Route>(over routes: Routes<Route>) -> [QueueTraffic] {
        let pools = routes.byQueue.mapValues(\.pool)
        let accounts = all
        return Set(pools.keys).union(accounts.keys).map { queue in
            QueueTraffic(
                queue: queue,
                inFlight: accounts[queue]?.inFlight ?? 0,
                answerTimes: accounts[queue]?.answerTimes ?? DurationCounts(),
                connections: pools[queue].map { ConnectionTraffic($0.status) }
            )
        }
    }
}

extension ConnectionTraffic {
    /// What a pool says of itself.
    init(_ status: HTTP2ClientPool.Status) {
        self = .none
        states[.connecting] = status.isConnecting ? 1 : 0
        states[.draining] = status.draining
        for connection in status.connections {
            switch connection.state {
            case .warming: states[.warming, default: 0] += 1
            case .open: states[.open, default: 0] += 1
            // It has just come to this, and the pool is about to hear of it.
            case .draining, .closed: states[.draining, default: 0] += 1
            }
            streams += connection.inFlight
            streamLimit += connection.streamLimit
            waiting += connection.queued
        }
        waiting += status.waiting
        opened = status.history.opened
        for (phase, count) in status.history.failures { failures[phase.rawValue] = count }
        failures["answer"] = status.history.unanswered
    }

    /// Without connections; every state and every way of failing is there, with zero.
    static var none: ConnectionTraffic {
        var none = ConnectionTraffic()
        for state in State.allCases { none.states[state] = 0 }
        for phase in HTTP2ConnectError.Phase.allCases { none.failures[phase.rawValue] = 0 }
        none.failures["answer"] = 0
        return none
    }

    /// What stays when its connections are closed: how many were opened, and were not.
    var history: ConnectionTraffic {
        var history = ConnectionTraffic.none
        history.opened = opened
        history.failures.merge(failures) { $0 + $1 }
        return history
    }

    /// Adds the connections of another.
    static func += (sum: inout ConnectionTraffic, other: ConnectionTraffic) {
        sum.states.merge(other.states) { $0 + $1 }
        sum.streams += other.streams
        sum.streamLimit += other.streamLimit
        sum.waiting += other.waiting
        sum.opened += other.opened
        sum.failures.merge(other.failures) { $0 + $1 }
    }
}
