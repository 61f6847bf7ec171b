import FlyingSocks
import Foundation
import Testing
import Transit
import TransitCity

/// Fetching, from a server on loopback.
@Suite struct FeedFetcherTests {
    private static let made = 1_774_800_000

    private static func good(_ tag: String? = nil) throws -> FeedPlayer.Answer {
        FeedPlayer.Answer(tag: tag, body: try FeedFile.bytes([Scene.alert()], made: made))
    }

    @Test("a feed that was kept is asked for with its tag; one that was refused comes again")
    func conditional() async throws {
        try await AgencyServer.serve([try Self.good("\"1\""), try Self.good("\"2\""), .init(status: 304, tag: "\"2\"")])
        {
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

    @Test("a 304 to a request that has no tag is no answer")
    func unasked() async throws {
        try await AgencyServer.serve([.init(status: 304, tag: "\"1\"")]) { url, _ in
            await #expect(throws: FeedProblem.unchangedUnasked) { try await FeedFetcher(url).fetch() }
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
            try await AgencyServer.serve([answer]) { url, _ in
                let fetcher = FeedFetcher(url, deadline: problem == .tooSlow(seconds: 0.5) ? 0.5 : 10)
                fetcher.limit = 200_000
                await #expect(throws: problem) { try await fetcher.fetch() }
            }
        }
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

    @Test("an agency's server whose port is taken says so and ends")
    func portTaken() async throws {
        try await AgencyServer.serve([try Self.good()]) { url, _ in
            let port = UInt16(try #require(url.port))
            let second = try FeedServer(port: port, clock: .system) { _, _ in FeedPlayer.Answer() }
            await #expect(throws: SocketError.self) { try await second.run { _ in } }
        }
    }
}
