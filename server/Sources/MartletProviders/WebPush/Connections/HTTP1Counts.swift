import MartletCore
import MartletTransport
import NIOCore
import Synchronization

/// What HTTP/1.1 connections there are, counted as they open and close: the client itself does not say.
final class HTTP1Counts: Sendable {
    private struct State {
        var open = 0
        var requests = 0
        var history = ConnectionTraffic.none
    }

    private let state = Mutex(State())

    /// Counts a connection, and its end.
    func opened(_ channel: any Channel) {
        state.withLock { state in
            state.open += 1
            state.history.opened += 1
        }
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.open -= 1 } }
    }

    /// Counts one that could not be opened.
    func failed(_ phase: HTTP2ConnectError.Phase) {
        state.withLock { $0.history.failures[phase.rawValue, default: 0] += 1 }
    }

    /// Counts a request for as long as `body` runs.
    func request<Value>(_ body: () async -> Value) async -> Value {
        state.withLock { $0.requests += 1 }
        let value = await body()
        state.withLock { $0.requests -= 1 }
        return value
    }

    /// Each connection carries one request.
    var traffic: ConnectionTraffic {
        state.withLock { state in
            var traffic = state.history
            traffic.states[.open] = state.open
            traffic.streams = min(state.requests, state.open)
            traffic.streamLimit = state.open
            traffic.waiting = state.requests - traffic.streams
            return traffic
        }
    }
}
