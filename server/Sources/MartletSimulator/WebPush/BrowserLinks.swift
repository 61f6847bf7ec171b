import Synchronization

/// What a browser said of a message that it was given.
package struct BrowserAcknowledgement: Codable, Sendable, Equatable {
    /// Number of it since the start, from 1.
    package var seq: Int
    package var browser: String
    package var channel: String?
    /// The message's id.
    package var message: String
    /// `sent`, `ack` or `nack`.
    package var kind: String
    /// Firefox: 100 taken, 101 undecryptable, 102 not delivered, 301 to 303 the worker failed.
    package var code: Int?
}

/// The real browsers that are connected now, and what they said.
final class BrowserLinks: Sendable {
    /// Acknowledgements kept; the oldest is dropped first.
    static let limit = 10_000

    private struct Link {
        var id: Int
        var wake: @Sendable () -> Void
        var close: @Sendable () -> Void
    }

    private struct State {
        var links: [String: Link] = [:]
        var nextID = 1
        var acknowledgements: [BrowserAcknowledgement] = []
        var lastSeq = 0
    }

    private let state = Mutex(State())

    /// A browser has connected; an older connection of it is no longer told.
    ///
    /// - Returns: the connection's number.
    func connect(
        _ browser: String,
        wake: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void
    ) -> Int {
        state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            state.links[browser] = Link(id: id, wake: wake, close: close)
            return id
        }
    }

    func disconnect(_ browser: String, id: Int) {
        state.withLock { if $0.links[browser]?.id == id { $0.links[browser] = nil } }
    }

    func isConnected(_ browser: String) -> Bool {
        state.withLock { $0.links[browser] != nil }
    }

    /// Something waits for the browser.
    func wake(_ browser: String) {
        state.withLock { $0.links[browser]?.wake }?()
    }

    /// Ends the browser's connection.
    func close(_ browser: String) {
        state.withLock { $0.links[browser]?.close }?()
    }

    func acknowledge(browser: String, channel: String?, message: String, kind: String, code: Int? = nil) {
        state.withLock { state in
            state.lastSeq += 1
            state.acknowledgements.append(
                BrowserAcknowledgement(
                    seq: state.lastSeq,
                    browser: browser,
                    channel: channel,
                    message: message,
                    kind: kind,
                    code: code
                )
            )
            if state.acknowledgements.count > Self.limit { state.acknowledgements.removeFirst(Self.limit / 10) }
        }
    }

    func acknowledgements(after: Int, limit: Int) -> [BrowserAcknowledgement] {
        state.withLock { state in Array(state.acknowledgements.lazy.filter { $0.seq > after }.prefix(limit)) }
    }

    func removeAcknowledgements() {
        state.withLock { $0.acknowledgements = [] }
    }
}
