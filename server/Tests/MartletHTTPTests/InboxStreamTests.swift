import Foundation
import FoundationNetworking
import HTTPTypes
import HummingbirdTesting
import MartletTesting
import MartletWire
import NIOCore
import Synchronization
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("The stream of an inbox")
struct InboxStreamTests {
    static let path = "/api/v1/inbox/stream"

    /// One server-sent event.
    private struct Event {
        var name: String
        var id: String
        var change: InboxChange
    }

    private static func events(_ text: String) throws -> [Event] {
        try text.components(separatedBy: "\n\n").filter { !$0.isEmpty && $0 != ":" }.map { part in
            var fields: [String: String] = [:]
            for line in part.split(separator: "\n") {
                let colon = try #require(line.firstIndex(of: ":"))
                fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
            return Event(
                name: try #require(fields["event"]),
                id: try #require(fields["id"]),
                change: try JSONDecoder().decode(InboxChange.self, from: Data(try #require(fields["data"]).utf8))
            )
        }
    }

    /// A whole stream, on a connection of its own: the harness has one.
    private static func stream(of user: String, _ server: Harness) async throws -> (HTTPURLResponse, text: String) {
        let address = "http://127.0.0.1:\(try #require(server.client.port))\(path)"
        var request = URLRequest(url: try #require(URL(string: address)))
        request.setValue("Bearer \(server.userToken(user))", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }

    private static func opened(_ server: Harness, _ count: Int = 1) async {
        while server.api.inboxStreams.count < count { await Task.yield() }
    }

    @Test("tells the state, then what changed, and ends with the token")
    func tells() async throws {
        try await Harness.run(isLive: true) { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            try await server.item(for: "ann", "before")
            async let stream = Self.stream(of: "ann", server)
            await Self.opened(server)
            let item = try await server.item(for: "ann", "after")
            await server.api.inboxStreams.look()
            server.clock.advance(by: .seconds(600))
            await server.api.inboxStreams.look()
            let (answer, text) = try await stream
            #expect(answer.statusCode == 200)
            #expect(answer.value(forHTTPHeaderField: "Content-Type") == "text/event-stream")
            #expect(answer.value(forHTTPHeaderField: "Cache-Control") == "no-store")
            let events = try Self.events(text)
            #expect(events.map(\.name) == ["state", "changed"], "\(text)")
            #expect(events.map(\.change.unread) == [1, 2])
            #expect(events.map(\.id) == events.map { String($0.change.revision) })
            #expect(events.last?.change.ids.first?.description == item)
            #expect(server.api.inboxStreams.count == 0)
        }
    }

    @Test("a client that comes again is told what changed since the event that it has")
    func goesOn() async throws {
        try await Harness.run(isLive: true) { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            try await server.item(for: "ann", "before")
            let known = try #require(try await server.own("ann", "inbox/counts").data["revision"].integerValue)
            let item = try await server.item(for: "ann", "meanwhile")
            let token = server.userToken("ann")
            let headers = ["Last-Event-ID": "\(known)"]
            async let stream = server.call(.get, Self.path, key: token, headers: headers)
            await Self.opened(server)
            server.clock.advance(by: .seconds(600))
            await server.api.inboxStreams.look()
            let events = try Self.events(try await stream.text)
            #expect(events.map(\.name) == ["state"])
            #expect(events.first?.change.ids.first?.description == item)
            let fresh = server.userToken("ann")
            let bad = try await server.call(.get, Self.path, key: fresh, headers: ["Last-Event-ID": "x"])
            #expect(bad.status == 422 && bad.field == "Last-Event-ID", "\(bad.text)")
        }
    }

    @Test("a phone that goes makes room at once")
    func goes() async throws {
        try await Harness.run(isLive: true) { server in
            try await server.setIdentity("signed")
            let port = UInt16(try #require(server.client.port))
            let token = server.userToken("ann")
            try await blocking {
                let connection = try RawConnection(port: port)
                let head = "GET \(Self.path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
                try connection.send(head)
                let answer = connection.read(until: "event: state", seconds: 10)
                #expect(RawAnswer(answer).status == 200)
                #expect(RawAnswer(answer)["transfer-encoding"] == "chunked")
                #expect(server.api.inboxStreams.count == 1)
                let silent = try RawConnection(port: port)
                try silent.send(head)
                silent.endSending()
                #expect(silent.isClosed(within: 10))
            }
            while server.api.inboxStreams.count > 0 { await Task.yield() }
        }
    }

    @Test("a fifth stream of a user is refused until one of theirs ends")
    func userLimit() async throws {
        try await Harness.run(isLive: true) { server in
            try await server.setIdentity("signed")
            let hub = server.api.inboxStreams
            let owner = InboxOwner(app: server.app.row, user: "ann")
            let end = server.clock.now() + .seconds(600)
            var leases = try (0..<4).map { _ in try hub.open(owner, revision: 0, until: end) {} }
            let refused = try await server.own("ann", "inbox/stream")
            #expect(refused.status == 503 && refused.code == "overloaded", "\(refused.text)")
            #expect(refused.headers[.retryAfter] == "15")
            // A response that is never written lets its place go too.
            leases.removeLast()
            #expect(hub.count == 3)
            #expect(throws: Never.self) { try hub.open(owner, revision: 0, until: end) {} }
            #expect(leases.count == 3)
        }
    }

    @Test("streams have half of the connections")
    func processLimit() async throws {
        try await Harness.run { server in
            let hub = server.api.inboxStreams
            let end = server.clock.now() + .seconds(600)
            #expect(hub.limit == 256)
            let leases = try (0..<hub.limit).map { number in
                try hub.open(InboxOwner(app: server.app.row, user: "\(number)"), revision: 0, until: end) {}
            }
            let one = InboxOwner(app: server.app.row, user: "one more")
            #expect(throws: Failure.self) { try hub.open(one, revision: 0, until: end) {} }
            #expect(hub.count == leases.count)
        }
    }

    @Test("lasts an hour where the token lasts longer, and all end when the server stops")
    func lifetime() async throws {
        try await Harness.run { server in
            let hub = server.api.inboxStreams
            let owner = InboxOwner(app: server.app.row, user: "ann")
            let now = server.clock.now()
            let lease = try hub.open(owner, revision: 0, until: now + .seconds(7200)) {}
            #expect(lease.stream.end == now + .seconds(3600))
            let running = Task { await hub.run() }
            await server.clock.untilAsleep()
            running.cancel()
            await running.value
            let hasEnded = Mutex(false)
            lease.stream.begin(with: ByteBuffer()) { event in hasEnded.withLock { $0 = event == nil } }
            lease.stream.wrote()
            #expect(hasEnded.withLock { $0 })
            #expect(hub.count == 0)
            #expect(throws: Failure.self) { try hub.open(owner, revision: 0, until: now + .seconds(60)) {} }
        }
    }

    @Test("an announcement is told over ten seconds, once to each; a change of few at once")
    func spreads() async throws {
        try await Harness.run { server in
            let hub = server.api.inboxStreams
            let now = server.clock.now()
            let owners = (0..<InboxStreamHub.crowd).map { InboxOwner(app: server.app.row, user: "user-\($0)") }
            let leases = try owners.map { try hub.open($0, revision: 1, until: now + .seconds(600)) {} }
            func changes(_ owners: some Sequence<InboxOwner>, _ revision: Int64) -> [InboxOwner: InboxChange] {
                let change = InboxChange(unread: 1, unseen: 1, revision: revision)
                return Dictionary(uniqueKeysWithValues: owners.map { ($0, change) })
            }
            hub.note(changes(owners, 2), at: now)
            var told: [Int] = []
            for second in 0...10 {
                hub.tell(at: now + .seconds(second))
                told.append(leases.count { $0.stream.hasEvent })
            }
            #expect(told[0] < 20 && told[5] > 50 && told[5] < 150, "\(told)")
            #expect(told[10] == owners.count)
            for lease in leases {
                lease.stream.begin(with: ByteBuffer()) { _ in }
                lease.stream.wrote()
            }
            hub.note(changes(owners, 2), at: now)
            hub.tell(at: now + .seconds(11))
            #expect(leases.allSatisfy { !$0.stream.hasEvent })
            hub.note(changes(owners.dropLast(), 3), at: now + .seconds(12))
            hub.tell(at: now + .seconds(12))
            #expect(leases.count { $0.stream.hasEvent } == owners.count - 1)
        }
    }

    @Test("two users whose ids look the same are told of their own inboxes")
    func comparesBytes() async throws {
        try await Harness.run { server in
            let hub = server.api.inboxStreams
            let now = server.clock.now()
            let owners = ["caf\u{E9}", "cafe\u{301}"].map { InboxOwner(app: server.app.row, user: $0) }
            #expect(Set(owners).count == 2)
            let leases = try owners.map { try hub.open($0, revision: 1, until: now + .seconds(600)) {} }
            hub.note([owners[0]: InboxChange(unread: 1, unseen: 1, revision: 2)], at: now)
            hub.tell(at: now)
            #expect(leases.map(\.stream.hasEvent) == [true, false])
        }
    }

    @Test("what is not told yet and what comes meanwhile become one event")
    func merges() throws {
        let ids = (0..<30).map { PublicID(high: 1, low: UInt64($0)) }
        let older = InboxChange(unread: 1, unseen: 1, revision: 5, ids: Array(ids[0..<15]))
        let newer = InboxChange(unread: 2, unseen: 3, revision: 6, ids: Array(ids[10..<30]))
        #expect(newer.merged(over: older).ids == Array(ids[10..<30]))
        let one = InboxChange(unread: 2, unseen: 3, revision: 6, ids: [ids[20]])
        let merged = one.merged(over: older)
        #expect(merged.ids == [ids[20]] + ids[0..<15])
        #expect(merged.unread == 2 && merged.unseen == 3 && merged.revision == 6)
    }

    @Test("a comment is written every 15 seconds, and not in place of an event")
    func comments() throws {
        let start = Timestamp(milliseconds: 0)
        let stream = InboxStream(
            owner: InboxOwner(app: RowID(1), user: "ann"),
            now: start,
            end: start + .seconds(600),
            cut: {},
            onEnd: { _ in }
        )
        let written = Mutex<[ByteBuffer?]>([])
        func last() -> ByteBuffer? { written.withLock { $0.popLast() ?? nil } }
        stream.begin(with: ByteBuffer(string: "first")) { event in written.withLock { $0.append(event) } }
        stream.wrote()
        #expect(last() == ByteBuffer(string: "first"))
        stream.tick(at: start + .seconds(14))
        #expect(last() == nil)
        stream.tick(at: start + .seconds(15))
        #expect(last() == ByteBuffer(string: ":\n\n"))
        stream.post(ByteBuffer(string: "event"), at: start + .seconds(16))
        stream.tick(at: start + .seconds(24))
        #expect(last() == nil)
        stream.wrote()
        #expect(last() == ByteBuffer(string: "event"))
    }

    @Test("a client that takes nothing of what fills its connection is cut off")
    func cuts() throws {
        let start = Timestamp(milliseconds: 0)
        let isCut = Mutex(false)
        let ended = Mutex(0)
        let stream = InboxStream(
            owner: InboxOwner(app: RowID(1), user: "ann"),
            now: start,
            end: start + .seconds(600),
            cut: { isCut.withLock { $0 = true } },
            onEnd: { _ in ended.withLock { $0 += 1 } }
        )
        stream.begin(with: ByteBuffer(string: "first")) { _ in }
        stream.wrote()
        // Nothing says that it is taken.
        stream.post(ByteBuffer(string: "a"), at: start)
        stream.post(ByteBuffer(string: "b"), at: start + .seconds(5))
        stream.tick(at: start + .seconds(9))
        #expect(!isCut.withLock { $0 })
        stream.tick(at: start + .seconds(10))
        #expect(isCut.withLock { $0 })
        stream.finish()
        #expect(ended.withLock { $0 } == 1)
    }
}
