import Synchronization

/// The open connections of a simulated service, by number.
final class OpenConnections<Connection: Sendable>: Sendable {
    private struct State {
        var open: [Int: Connection] = [:]
        var seen = 0
    }

    private let state = Mutex(State())

    /// Numbers a new connection.
    func add(_ connection: Connection) -> Int {
        state.withLock { state in
            state.seen += 1
            state.open[state.seen] = connection
            return state.seen
        }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.open.removeValue(forKey: id) }
    }

    /// Changes what is kept of a connection.
    func update(_ id: Int, _ body: (inout Connection?) -> Void) {
        state.withLock { body(&$0.open[id]) }
    }

    /// Connections accepted since the start.
    var seen: Int { state.withLock { $0.seen } }

    /// The connection of that number, or all in the order of their numbers.
    func chosen(_ id: Int? = nil) -> [(id: Int, connection: Connection)] {
        state.withLock { state in
            state.open.filter { id == nil || $0.key == id }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }
}
