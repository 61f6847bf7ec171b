import Foundation
import Synchronization
import Testing
import Transit
import TransitCity

/// Fetching, from a server on loopback.
@Suite struct FeedFetcherTests {
    private static let made = 1_774_800_000

    /// Runs the body beside a server that gives the answers in turn, the last one for ever.
    private func serve(
        _ answers: [FeedPlayer.Answer],
        _ body: @escaping @Sendable (URL, @Sendable () -> [String?]) async throws -> Void
    ) async throws {
        let left = Mutex(answers)
        let tags = Mutex<[String?]>([])
        let server = try FeedServer(port: 0, clock: .system) { _, tag in
            tags.withLock { $0.append(tag) }
            return left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        let (ports, listening) = AsyncStream.makeStream(of: UInt16.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { listening.yield($0) } }
            let first = await ports.first { _ in true }
            let url = URL(string: "http://127.0.0.1:\(try #require(first))/alerts.pb")
            try await body(try #require(url)) { tags.withLock { $0 } }
            group.cancelAll()
        }
    }

    private static func good(_ tag: String? = nil) throws -> FeedPlayer.Answer {
        FeedPlayer.Answer(tag: tag, body: try FeedFile.bytes([Scene.alert()], made: made))
    }

    @Test("a feed that was kept is asked for with its tag; one that was refused comes again")
    func conditional() async throws {
        try await serve([try Self.good("\"1\""), try Self.good("\"2\""), .init(status: 304, tag: "\"2\"")]) {
            url,
            tags in
            let fetcher = FeedFetcher(url)
            guard case .feed(let snapshot) = try await fetcher.fetch() else { return #expect(Bool(false)) }
            #expect(snapshot.alerts == [Scene.alert()])
            _ = try await fetcher.fetch()
            fetcher.keep()
            #expect(try await fetcher.fetch() == .unchanged)
            #expect(tags() == [nil, nil, "\"2\""])
        }
    }

    @Test("what is no feed is refused with its reason")
    func refused() async throws {
        let large = FeedPlayer.Answer(body: Data(count: 300_000))
        let cases: [(FeedPlayer.Answer, FeedProblem)] = [
            (.init(type: "text/html", body: Data("<h1>".utf8)), .contentType("text/html")),
            (.init(status: 500), .status(500)),
            (.init(status: 302), .status(302)),
            (large, .tooLarge(limit: 200_000)),
            (.init(body: Data(), delay: 3), .tooSlow(seconds: 0.5)),
        ]
        for (answer, problem) in cases {
            try await serve([answer]) { url, _ in
                let fetcher = FeedFetcher(url, deadline: problem == .tooSlow(seconds: 0.5) ? 0.5 : 10)
                fetcher.limit = 200_000
                await #expect(throws: problem) { try await fetcher.fetch() }
            }
        }
    }

    @Test("after each bad feed nothing is sent, nothing is lost, and there is one line")
    func nothingLost() async throws {
        let bad: [FeedPlayer.Answer] = [
            .init(body: Data("<html>".utf8)), .init(type: "text/html"), .init(status: 503),
            .init(body: try FeedFile.bytes([], made: Self.made - 100_000)),
            .init(body: try FeedFile.bytes([], made: Self.made - 5)),
            .init(body: try FeedFile.bytes([], made: Self.made)),
            .init(body: try FeedFile.bytes([], made: Self.made + 5)),
            .init(body: try FeedFile.bytes([], made: Self.made + 100_000)),
        ]
        let scene = Scene()
        let backend = try await scene.backend()
        try await serve([try Self.good()] + bad) { url, _ in
            let fetcher = FeedFetcher(url)
            try await BackendRun.fetch(fetcher, into: backend)
            try await scene.send(backend)
            for number in bad.indices {
                let before = scene.lines.withLock { $0.count }
                try await BackendRun.fetch(fetcher, into: backend)
                #expect(scene.lines.withLock { $0.count } == before + 1, "bad feed \(number)")
                #expect(await backend.next == nil)
            }
        }
        #expect(scene.martlet.accepted.count == 1)
        try await scene.feed([Scene.alert()], to: backend)
        #expect(await backend.next == nil)
    }

    @Test("10,000 alerts are read and matched, and nobody is told of those that concern nobody")
    func tenThousand() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let others = (0..<9_999).map { Scene.alert(id: "other-\($0)", route: "unknown-\($0)") }
        let bytes = try FeedFile.bytes(others + [Scene.alert()], made: Self.made)
        #expect(try await backend.take(try FeedReader().read(bytes)))
        try await scene.send(backend)
        #expect(scene.martlet.accepted.map(\.alert) == ["a-1"])
    }
}
