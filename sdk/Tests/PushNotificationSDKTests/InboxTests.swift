import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct InboxTests {
    let backend = UserBackend()

    private func titles(_ items: [InboxItem]?) -> [String]? { items?.compactMap(\.title) }

    @Test("pages follow each other by cursor, and what was read is kept, newest first")
    func pages() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        for _ in 0..<5 { backend.publish(to: "u1") }
        let inbox = client.publicInbox
        let first = try await inbox.page(limit: 2)
        #expect(titles(first.items) == ["Item 4 of u1", "Item 3 of u1"])
        let second = try await inbox.page(cursor: first.cursor, limit: 3)
        #expect(titles(second.items) == ["Item 2 of u1", "Item 1 of u1", "Item 0 of u1"])
        #expect(second.cursor == nil)
        #expect(titles(inbox.cached?.items) == (0..<5).reversed().map { "Item \($0) of u1" })
        let call = try #require(backend.transport.calls.entries.last)
        #expect(call.url.query?.contains("status=active") == true)
        #expect(call.url.query?.contains("limit=3") == true)
        _ = try await inbox.page(status: .unread, category: "a+b&c", limit: 1000)
        let query = backend.transport.calls.entries.last?.url.query
        #expect(query == "status=unread&category=a%2Bb%26c&limit=100")
    }

    @Test("the newest page takes away what was recalled; older items stay until their page is read")
    func recalled() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let items = (0..<6).map { _ in backend.publish(to: "u1") }
        let inbox = client.publicInbox
        _ = try await inbox.page()
        backend.recall(items[4].id)
        backend.recall(items[0].id)
        _ = try await inbox.page(limit: 3)
        #expect(titles(inbox.cached?.items) == [5, 3, 2, 1, 0].map { "Item \($0) of u1" })
        _ = try await inbox.page()
        #expect(titles(inbox.cached?.items) == [5, 3, 2, 1].map { "Item \($0) of u1" })
    }

    @Test("no more than the newest 200 are kept, and none that has left the inbox")
    func bounds() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        for _ in 0..<250 { backend.publish(to: "u1") }
        var cursor: String?
        repeat { cursor = try await client.publicInbox.page(cursor: cursor, limit: 100).cursor } while cursor != nil
        let kept = try #require(client.publicInbox.cached?.items)
        #expect(kept.count == 200)
        #expect(kept.first?.title == "Item 249 of u1")
        #expect(kept.last?.title == "Item 50 of u1")
        fixture.clock.advance(by: 91 * 86_400_000)
        #expect(client.publicInbox.cached?.items.isEmpty == true)
    }

    @Test("counts are read and kept; an answer that was overtaken does not take the place of a newer one")
    func counts() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        backend.publish(to: "u1")
        let counts = try await client.publicInbox.counts()
        #expect(counts == InboxCounts(unread: 1, unseen: 1, revision: 0))
        client.inbox.take(InboxChange(unread: 5, unseen: 4, revision: 9), of: "u1")
        client.inbox.take(InboxChange(unread: 1, unseen: 1, revision: 8), of: "u1")
        #expect(client.publicInbox.cached?.counts == InboxCounts(unread: 5, unseen: 4, revision: 9))
    }

    @Test("nothing of a user is shown, or stays on the disk, after a logout or another login")
    func logins() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.allow("jwt.of.u2", for: "u2")
        backend.publish(to: "u1")
        backend.publish(to: "u2")
        let inbox = client.publicInbox
        _ = try await inbox.page()
        #expect(titles(try fixture.client().publicInbox.cached?.items) == ["Item 0 of u1"])
        client.login("u2", token: "jwt.of.u2")
        #expect(inbox.cached == nil)
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.inbox") })
        #expect(titles(try await inbox.page().items) == ["Item 1 of u2"])
        client.logout()
        #expect(inbox.cached == nil)
        client.login("u1", token: "jwt.of.u1")
        #expect(inbox.cached == nil)
        #expect(titles(try await inbox.page().items) == ["Item 0 of u1"])
    }

    @Test("an answer that comes after another login is neither given away nor kept")
    func lateAnswers() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.publish(to: "u1")
        let gate = Journal<Void>()
        fixture.transport.answer { [backend] call, _ in
            let answer = backend.answer(to: call)
            _ = await gate.wait(for: 1)
            return answer
        }
        async let page = outcome { () async throws(PushNotificationError) in try await client.publicInbox.page() }
        _ = await fixture.transport.calls.wait(for: 1)
        client.login("u2", token: "jwt.of.u2")
        gate.add(())
        #expect(await page.failure == .loginRequired)
        #expect(client.publicInbox.cached == nil)
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.inbox") })
    }

    @Test("a file of somebody else's under a user's name, and a damaged one, are not shown")
    func foreignFiles() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.publish(to: "u1")
        _ = try await client.publicInbox.page()
        let (key, bytes) = try #require(fixture.storage.values.first { $0.key.hasPrefix("martlet.inbox.") })
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""user":"u1""#))
        #expect(!key.contains("u1"))
        for foreign in [text.replacingOccurrences(of: #""user":"u1""#, with: #""user":"u2""#), "{"] {
            try fixture.storage.set(Data(foreign.utf8), for: key)
            #expect(try fixture.client().publicInbox.cached == nil)
        }
        // The same user of another server.
        try fixture.storage.set(bytes, for: key)
        #expect(try fixture.client().publicInbox.cached != nil)
        #expect(try fixture.client(.valid(host: "other.example.com")).publicInbox.cached == nil)
    }

    @Test("what could not be removed before the first unlock is never shown, and goes after it")
    func beforeFirstUnlock() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.publish(to: "u1")
        _ = try await client.publicInbox.page()
        fixture.storage.lock(true)
        client.login("u2", token: "jwt.of.u2")
        #expect(client.publicInbox.cached == nil)
        fixture.storage.lock(false)
        #expect(client.publicInbox.cached == nil)
        client.didBecomeReadable()
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.inbox") })
    }

    @Test("a launch whose configuration names somebody else drops what was kept")
    func configuredUsers() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.publish(to: "u1")
        _ = try await client.publicInbox.page()
        let next = try fixture.client(.valid(player: "u2"))
        #expect(next.publicInbox.cached == nil)
        next.forgetOtherUsers()
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.inbox") })
    }

    @Test("after the app was installed anew, a login shows everything")
    func installedAnew() async throws {
        let old = try Fixture(backend).client(of: "u1", at: backend)
        for _ in 0..<3 { backend.publish(to: "u1") }
        let read = try await old.publicInbox.page()
        try await old.publicInbox.mark(read.items[0].id, as: .read)
        let new = try Fixture(backend).client(of: "u1", at: backend)
        #expect(new.publicInbox.cached == nil)
        let page = try await new.publicInbox.page()
        #expect(page.items.map(\.id) == read.items.map(\.id))
        #expect(page.items.map(\.isRead) == [true, false, false])
    }

    @Test("an item's link is there as far as the app allows it, and opening it goes the way of a tapped notification's")
    func links() async throws {
        let backend = backend
        var environment = Fixture(backend).environment
        environment.makeLinks = { LinkRouter($0, events: $1) }
        let handlers = Handlers()
        handlers.links.policy = LinkPolicy([.deepLink("game")])
        let client = PushClient(try .valid(), in: environment, handlers: handlers)
        backend.allow("t", for: "u1")
        client.login("u1", token: "t")
        backend.publish(to: "u1") { item in
            item.deepLink = "javascript:alert(1)"
            item.image = "http://example.com/a.png"
        }
        backend.publish(to: "u1") { item in
            item.deepLink = "game://quests/7"
            item.image = "https://example.com/a.png"
            item.data = ["quest": 7, "link": "https://example.com"]
        }
        let items = try await client.publicInbox.page().items
        #expect(items.map(\.deepLink) == [URL(string: "game://quests/7"), nil])
        #expect(items.map(\.imageURL) == [URL(string: "https://example.com/a.png"), nil])
        #expect(items[0].customData?["quest"] as? Int == 7)
        let opened = Journal<LinkHandling.Opened>()
        let errors = Journal<PushNotificationError>()
        handlers.links.deepLinks.handler = { opened.add($0) }
        handlers.errors.handler = { errors.add($0) }
        for item in items { client.publicInbox.open(item) }
        let link = try #require(await opened.wait(for: 1).first)
        #expect(link.url.absoluteString == "game://quests/7")
        #expect(link.payload?.messageID == items[0].id)
        #expect(await errors.wait(for: 1) == [.linkRefused(LinkRefusal.scheme.reason)])
    }

    @Test("items and pages as JSON, for other languages")
    func json() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let item = backend.publish(to: "u1", category: "comment") { $0.data = ["a": [1, true]] }
        let page = try await client.publicInbox.page()
        let value = try JSONValue(json: Data(page.json.utf8))
        #expect(
            value == [
                "items": [
                    [
                        "id": .string(item.id.description), "category": "comment", "title": "Item 0 of u1",
                        "publishedAt": .string(item.publishedAt.description),
                        "expiresAt": .string(item.expiresAt.description), "isSeen": false, "isRead": false,
                        "isArchived": false, "customData": ["a": [1, true]],
                    ]
                ]
            ]
        )
        #expect(InboxCounts(unread: 1, unseen: 2, revision: 3).json == #"{"revision":3,"unread":1,"unseen":2}"#)
    }
}
