import MartletCore
import MartletTransport

extension ConnectionTraffic {
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
