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
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger

    /// How many streams a process has, and an operator: a browser opens six to one server.
    static let (limit, ownerLimit) = (1_000, 24)
    /// How long a stream lasts: then the browser opens another, and it is looked at again who asks.
    static let lifetime: Duration = .seconds(600)
    /// Between two looks.
    static let interval: Duration = .seconds(1)

    init(clock: any WallClock, logger: Logger) { (self.clock, self.logger) = (clock, logger) }

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
    ///   - look: how it is looked at; of several pages the first one's counts.
    /// - Throws: `Failure` with ``ErrorCode/overloaded``.
    func open(
        _ name: String,
        known: String,
        owner: RowID<Operator>,
        look: @escaping @Sendable () async throws -> LivePart
    ) throws(Failure) -> LiveLease {
        let end = clock.now() + Self.lifetime
        let opened = state.withLock { state -> (id: Int, page: LivePage)? in
            let owned = state.watches.values.reduce(0) { $0 + $1.pages.values.count { $0.owner == owner } }
            guard !state.isClosed, state.count < Self.limit, owned < Self.ownerLimit else { return nil }
            state.nextID += 1
            state.count += 1
            let page = LivePage(owner: owner, known: known, end: end)
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
        for (name, watch) in state.withLock({ $0.watches }) {
            for page in watch.pages.values where page.end <= now { page.finish() }
            do {
                let part = try await watch.look()
                for page in watch.pages.values { page.tell(part) }
            } catch {
                logger.warning(
                    "a page's numbers could not be read",
                    metadata: ["what": "\(name)", "error": "\(error)"]
                )
            }
        }
    }
}

/// What a page shows of a thing, as HTML.
struct LivePart: Sendable, Hashable {
    var html: String
    /// Whether nothing of it changes any more.
    var isOver: Bool

    /// The same for the same HTML.
    var version: String {
        SHA256.hash(data: Array(html.utf8)).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// As it goes over the wire (HTML Living Standard, "Server-sent events").
    fileprivate var event: ByteBuffer {
        let lines = html.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return ByteBuffer(string: "event: changed\n" + lines.map { "data: \($0)\n" }.joined() + "\n")
    }

    fileprivate static let end = ByteBuffer(string: "event: end\ndata:\n\n")
}

/// One open stream.
private final class LivePage: Sendable {
    let owner: RowID<Operator>
    let end: Timestamp
    /// What its response writes: where the client takes nothing, only the last two are kept.
    let events: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let known: Mutex<String>

    init(owner: RowID<Operator>, known: String, end: Timestamp) {
        (self.owner, self.end) = (owner, end)
        self.known = Mutex(known)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2))
    }

    func tell(_ part: LivePart) {
        let version = part.version
        let isNew = known.withLock { known in
            defer { known = version }
            return known != version
        }
        if isNew { continuation.yield(part.event) }
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
