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
        self.init()
        states = Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, 0) })
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
        for phase in HTTP2ConnectError.Phase.allCases { failures[phase.rawValue] = status.history.failures[phase] ?? 0 }
        failures["answer"] = status.history.unanswered
    }
}
