import Foundation
import GTFSRealtime
import SwiftProtobuf
import Synchronization
import Testing
import Transit
import TransitCity

/// What a feed does that is of no use: one line in the log, nothing sent, nothing lost.
@Suite struct BadFeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// What the line says.
        var line: String
        var answer: FeedPlayer.Answer
        /// Whether the backend waits for half a second only.
        var isHanging = false
        /// Whether it is what a backend gets that asks for the first time.
        var isFirst = false
        /// Whether nobody listens at the feed's address.
        var isDown = false

        var testDescription: String { name }
    }

    private static let made = 1_774_800_000

    private static func feed(_ alerts: [ServiceAlert], _ after: Int) throws -> FeedPlayer.Answer {
        FeedPlayer.Answer(tag: "\"\(after)\"", body: try FeedFile.bytes(alerts, made: made + after))
    }

    /// The first feed again, with an alert that nobody can read.
    private static func twiceWithWrongAlert() throws -> FeedPlayer.Answer {
        var message = try TransitRealtime_FeedMessage(serializedBytes: try feed([Scene.alert()], 0).body)
        var wrong = message.entity[0]
        wrong.id = "wrong"
        wrong.alert.clearHeaderText()
        message.entity.append(wrong)
        return FeedPlayer.Answer(body: try message.serializedData())
    }

    private static func cases() throws -> [Case] {
        let alerts = [Scene.alert()]
        let many = (0..<9_999).map { Scene.alert(id: "other-\($0)", route: "unknown-\($0)") }
        return [
            Case(name: "late", line: "is late: it was made 100000 s ago", answer: try feed(alerts, -100_000)),
            Case(name: "twice", line: "came twice", answer: try feed(alerts, 0)),
            Case(name: "twice, with a wrong alert", line: "came twice", answer: try twiceWithWrongAlert()),
            Case(name: "malformed", line: "is malformed", answer: .init(body: Data("<html>".utf8))),
            Case(name: "backwards in time", line: "goes backwards: it was made 5 s before", answer: try feed([], -5)),
            Case(name: "from the future", line: "100000 s in the future", answer: try feed([], 100_000)),
            Case(name: "empty", line: "is empty while 1 alerts are known (1 of 3", answer: try feed([], 5)),
            Case(name: "10,000 alerts", line: ": 10000 alerts, 0 requests to make", answer: try feed(many + alerts, 5)),
            Case(name: "too large", line: "larger than 3000000 bytes", answer: .init(body: Data(count: 3_000_001))),
            Case(
                name: "hanging",
                line: "did not come within 0.5 s",
                answer: .init(body: Data(), delay: 60),
                isHanging: true
            ),
            Case(name: "304", line: "has no newer feed than that of \(made)", answer: .init(status: 304)),
            Case(name: "304, not asked for", line: "304, and was not asked", answer: .init(status: 304), isFirst: true),
            Case(name: "no server", line: "cannot be reached", answer: .init(), isDown: true),
            Case(name: "a server that fails", line: "answered 503", answer: .init(status: 503)),
            Case(name: "a page", line: "content type 'text/html'", answer: .init(type: "text/html")),
            Case(
                name: "changes only",
                line: "only changes",
                answer: .init(body: try FeedFile.bytes([], made: made + 5, changesOnly: true))
            ),
        ]
    }

    @Test("one clear line, nothing sent, nothing lost", arguments: try cases())
    func oneLine(_ bad: Case) async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let new = Scene.alert("Other", id: "a-2", route: "T8")
        let last = try Self.feed([Scene.alert(), new], 60)
        // What the server answers at the time, however late a request comes.
        let answer = Mutex(try Self.feed([Scene.alert()], 0))
        try await AgencyServer.serve { _ in
            answer.withLock { $0 }
        } while: { url in
            let fetcher = FeedFetcher(url)
            fetcher.limit = 3_000_000
            try await BackendRun.fetch(fetcher, into: backend)
            try await scene.send(backend)
            #expect(Self.told(scene) == ["a-1 tell: amira,ben"])

            answer.withLock { $0 = bad.answer }
            let before = scene.lines.withLock { $0.count }
            try await BackendRun.fetch(try Self.fetcher(for: bad, url) ?? fetcher, into: backend)
            let lines = scene.lines.withLock { Array($0.dropFirst(before)) }
            #expect(lines.count == 1 && lines[0].contains(bad.line) && !lines[0].contains("\n"), "\(lines)")
            #expect(await backend.next == nil)

            answer.withLock { $0 = last }
            try await BackendRun.fetch(fetcher, into: backend)
            try await scene.send(backend)
            #expect(Self.told(scene) == ["a-1 tell: amira,ben", "a-2 tell: deniz"])
        }
    }

    private static func fetcher(for bad: Case, _ url: URL) throws -> FeedFetcher? {
        if bad.isHanging { return FeedFetcher(url, deadline: 0.5) }
        if bad.isFirst { return FeedFetcher(url) }
        // Port 1 is reserved, and nobody listens there.
        return bad.isDown ? FeedFetcher(try #require(URL(string: "http://127.0.0.1:1/alerts.pb"))) : nil
    }

    private static func told(_ scene: Scene) -> [String] {
        scene.martlet.accepted.map { "\($0.alert) \($0.purpose.rawValue): \($0.riders.joined(separator: ","))" }
    }

    @Test("a feed that stays bad has one line, also where two of its lines take turns")
    func quiet() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        for _ in 0..<10 {
            await backend.report(.status(500))
            await backend.report(.tooSlow(seconds: 1))
        }
        #expect(scene.lines.withLock { $0.count { $0.contains(" The feed") } } == 2)
    }

    @Test("an alert that is passed over has a line in a feed that is used, and after 20 they are counted")
    func passedOver() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let problems = (0..<30).map { FeedProblem.alert(id: "x-\($0)", reason: "it has no header") }
        let snapshot = FeedSnapshot(made: Self.made, alerts: [Scene.alert()], problems: problems)
        #expect(try await backend.take(snapshot))
        let lines = scene.lines.withLock { $0 }
        #expect(lines.count { $0.contains("is passed over: it has no header") } == 20)
        #expect(lines.contains { $0.contains("10 more alerts are passed over") })
    }
}
