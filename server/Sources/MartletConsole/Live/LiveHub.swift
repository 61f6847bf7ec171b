import Crypto
import Logging
import MartletCore
import MartletWire
import NIOCore
import Synchronization

/// Tells open pages what changed: one look a second at each thing that is watched, however many pages watch it. A page that
/// shows what is there is told nothing.
final class LiveHub: Sendable {
    private struct Watch {
        var look: @Sendable () async throws -> LivePart
        var pages: [Int: LivePage] = [:]
    }

    private struct State {
        var watches: [String: Watch] = [:]
        var count = 0
        var nextID = 0
        var isClosed = false
        /// The session that was looked at last.
        var checked = RowID<OperatorSession>(0)
    }

    private let state: Mutex<State>
    private let clock: any WallClock
    private let logger: Logger

    /// How many streams a process has, and an operator: a browser opens six to one server.
    static let (limit, ownerLimit) = (1_000, 24)
    /// How long a stream lasts: then the browser opens another one by itself.
    static let lifetime: Duration = .seconds(600)
    /// Between two looks.
    static let interval: Duration = .seconds(1)
    /// Of how many sessions each look asks whether they may still read: they may end while their streams go on. Ours: a few
    /// milliseconds, and more than there are operators at a time; of more sessions each has its turn.
    static let checkLimit = 50

    init(clock: any WallClock, logger: Logger) {
        (self.clock, self.logger) = (clock, logger)
        state = Mutex(State())
    }

    /// Looks once a second until it is cancelled; then every stream ends.
    func run() async {
        while (try? await clock.sleep(for: Self.interval)) != nil { await look() }
        let open = state.withLock { state in
            state.isClosed = true
            return state.watches.values.flatMap(\.pages.values)
        }
        for page in open { page.finish() }
    }

    /// How many streams are open.
    var count: Int { state.withLock(\.count) }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - name: what is watched; pages that show the same have the same.
    ///   - known: what the page shows: a part's ``LivePart/version``.
    ///   - reader: who reads it.
    ///   - look: how it is looked at; of several pages the first one's counts.
    /// - Throws: `Failure` with ``ErrorCode/overloaded``.
    func open(
        _ name: String,
        known: String,
        reader: LiveReader,
        look: @escaping @Sendable () async throws -> LivePart
    ) throws(Failure) -> LiveLease {
        let end = clock.now() + Self.lifetime
        let opened = state.withLock { state -> (id: Int, page: LivePage)? in
            let owned = state.watches.values.reduce(0) {
                $0 + $1.pages.values.count { $0.reader.owner == reader.owner }
            }
            guard !state.isClosed, state.count < Self.limit, owned < Self.ownerLimit else { return nil }
            state.nextID += 1
            state.count += 1
            let page = LivePage(reader: reader, known: known, end: end)
            state.watches[name, default: Watch(look: look)].pages[state.nextID] = page
            return (state.nextID, page)
        }
        guard let opened else { throw Failure(.overloaded, "Too many pages are open, or the server is stopping.") }
        return LiveLease(opened.page) { [weak self] in self?.remove(opened.id, from: name) }
    }

    private func remove(_ id: Int, from name: String) {
        state.withLock { state in
            guard state.watches[name]?.pages.removeValue(forKey: id) != nil else { return }
            state.count -= 1
            if state.watches[name]?.pages.isEmpty ?? false { state.watches[name] = nil }
        }
    }

    /// Looks at each thing once and tells its pages.
    func look() async {
        let now = clock.now()
        await endForbidden()
        for (name, watch) in state.withLock({ $0.watches }) {
            for page in watch.pages.values where page.end <= now { page.finish() }
            do {
                let part = try await watch.look()
                let event = part.event
                for page in watch.pages.values { page.tell(part, event) }
            } catch {
                logger.warning(
                    "a page's numbers could not be read",
                    metadata: ["what": "\(name)", "error": "\(error)"]
                )
            }
        }
    }

    /// Ends the streams of those who may not read them any more; each session is asked for once.
    private func endForbidden() async {
        let pages = state.withLock { $0.watches.values.flatMap(\.pages.values) }
        let streams = Dictionary(grouping: pages, by: \.reader.session)
        let sessions = streams.keys.sorted { $0.rawValue < $1.rawValue }
        let due = state.withLock { state in
            let first = sessions.firstIndex { $0.rawValue > state.checked.rawValue } ?? 0
            let due = (sessions[first...] + sessions[..<first]).prefix(Self.checkLimit)
            state.checked = due.last ?? state.checked
            return due
        }
        for session in due {
            guard let pages = streams[session], let reader = pages.first?.reader, await !reader.isAllowed() else {
                continue
            }
            for page in pages { page.finish() }
        }
    }
}

/// Who reads a stream.
struct LiveReader: Sendable {
    var owner: RowID<Operator>
    var session: RowID<OperatorSession>
    /// Whether they still may: the same for all streams of a session.
    var isAllowed: @Sendable () async -> Bool
}

/// What a page shows of a thing, as HTML; made once for all its pages.
struct LivePart: Sendable, Hashable {
    let html: String
    /// Whether nothing of it changes any more.
    let isOver: Bool
    /// The same for the same HTML.
    let version: String

    init(html: String, isOver: Bool) {
        (self.html, self.isOver) = (html, isOver)
        let hash = SHA256.hash(data: Array(html.utf8)).prefix(6)
        version = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// As it goes over the wire (HTML Living Standard, "Server-sent events"): each line is marked, so that none is a field
    /// of its own, and a browser that comes again says the id of what it has.
    var event: ByteBuffer {
        let lines = html.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let data = lines.map { "data: \($0)\n" }.joined()
        return ByteBuffer(string: "event: changed\nid: \(version)\n\(data)\n")
    }

    fileprivate static let end = ByteBuffer(string: "event: end\ndata:\n\n")
}

/// One open stream.
private final class LivePage: Sendable {
    let reader: LiveReader
    let end: Timestamp
    /// What its response writes: where the client takes nothing, only the last two are kept.
    let events: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let known: Mutex<String>

    init(reader: LiveReader, known: String, end: Timestamp) {
        (self.reader, self.end) = (reader, end)
        self.known = Mutex(known)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2))
    }

    /// - Parameter event: the part's ``LivePart/event``.
    func tell(_ part: LivePart, _ event: ByteBuffer) {
        let isNew = known.withLock { known in
            defer { known = part.version }
            return known != part.version
        }
        if isNew { continuation.yield(event) }
        guard part.isOver else { return }
        continuation.yield(LivePart.end)
        finish()
    }

    /// Ends it; what was told before is still written.
    func finish() { continuation.finish() }
}

/// Keeps a stream among those of the hub until nobody writes it any more.
final class LiveLease: Sendable {
    private let page: LivePage
    private let onEnd: @Sendable () -> Void

    fileprivate init(_ page: LivePage, onEnd: @escaping @Sendable () -> Void) {
        (self.page, self.onEnd) = (page, onEnd)
    }

    /// What is to be written.
    var events: AsyncStream<ByteBuffer> { page.events }

    func finish() { page.finish() }

    deinit {
        page.finish()
        onEnd()
    }
}
