import Synchronization

/// The open connections of a simulated service, by number.
final class ServiceConnections: Sendable {
    /// One open connection.
    struct Connection: Sendable {
        /// What ALPN calls its protocol.
        var protocolName: String
        var requests = 0
        /// Resets it; may be called anywhere.
        var abort: @Sendable () -> Void

        init(protocolName: String, abort: @escaping @Sendable () -> Void) {
            self.protocolName = protocolName
            self.abort = abort
        }
    }

    private struct State {
        var open: [Int: Connection] = [:]
        var seen = 0
    }

    private let state = Mutex(State())

    func add(_ connection: Connection) -> Int {
        state.withLock { state in
            state.seen += 1
            state.open[state.seen] = connection
            return state.seen
        }
    }

    func count(_ id: Int) {
        state.withLock { $0.open[id]?.requests += 1 }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.open.removeValue(forKey: id) }
    }

    /// Connections accepted since the start.
    var seen: Int { state.withLock { $0.seen } }

    /// The open ones in the order of their numbers.
    var documents: [ServiceConnectionDocument] {
        state.withLock { state in
            state.open.sorted { $0.key < $1.key }.map {
                ServiceConnectionDocument(id: $0.key, protocol: $0.value.protocolName, requests: $0.value.requests)
            }
        }
    }

    /// Resets the connection, or all.
    ///
    /// - Returns: how many.
    func abort(_ id: Int?) -> Int {
        let chosen = state.withLock { state in state.open.filter { id == nil || $0.key == id }.map(\.value) }
        for connection in chosen { connection.abort() }
        return chosen.count
    }
}

/// An open connection in an answer of the control API.
package struct ServiceConnectionDocument: Codable, Sendable, Equatable {
    /// Its number.
    package var id: Int
    /// `h2` or `http/1.1`.
    package var `protocol`: String
    /// Requests that have arrived.
    package var requests: Int
}
