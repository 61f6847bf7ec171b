import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct InboxMarkTests {
    let backend = UserBackend()

    private func failure(_ work: () async throws(PushNotificationError) -> Void) async -> PushNotificationError? {
        await outcome(work).failure
    }

    /// Lets the retries of one call pass, which the caller waits for.
    private func passRetries(_ fixture: Fixture, from first: Int = 1) async {
        for attempt in first..<first + 3 { await fixture.clock.passSleep(attempt) }
    }

    @Test("a mark shows at once, and the server hears of it")
    func atOnce() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let items = (0..<3).map { _ in backend.publish(to: "u1") }
        let inbox = client.publicInbox
        _ = try await inbox.page()
        _ = try await inbox.counts()
        try await inbox.mark(items[2].id.description, as: .read)
        try await inbox.archive(items[1].id.description)
        #expect(backend.actions.entries == [.init(.read, ids: [items[2].id]), .init(.archive, ids: [items[1].id])])
        #expect(inbox.cached?.items.map(\.isRead) == [true, false])
        #expect(inbox.cached?.counts == InboxCounts(unread: 1, unseen: 1, revision: 2))
        try await inbox.markAll(upTo: items[2].id.description, as: .seen, category: "x")
        #expect(backend.actions.entries.last == .init(.see, upTo: items[2].id, category: "x"))
        // The server tells the other devices, not this one.
        let own = try client.context.identity.installationID()
        #expect(backend.installations.entries == [own, own, own])
    }

    @Test("without a connection marks are kept in order over a launch, and sent before the next page is read")
    func offline() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        let items = (0..<4).map { _ in backend.publish(to: "u1") }
        _ = try await client.publicInbox.page()
        backend.isOffline = true
        let ids = items.map(\.id.description)
        async let marked = failure { () async throws(PushNotificationError) in
            try await client.publicInbox.mark([ids[0], ids[1]], as: .read)
        }
        await passRetries(fixture)
        #expect(await marked == nil)
        for (index, (id, mark)) in [(ids[2], InboxMark.read), (ids[0], .unread), (ids[3], .archived)].enumerated() {
            async let next = failure { () async throws(PushNotificationError) in
                try await client.publicInbox.mark(id, as: mark)
            }
            await passRetries(fixture, from: 4 + 3 * index)
            #expect(await next == nil)
        }
        async let all = failure { () async throws(PushNotificationError) in
            try await client.publicInbox.markAll(upTo: ids[1], as: .seen)
        }
        await passRetries(fixture, from: 13)
        #expect(await all == nil)
        #expect(client.publicInbox.cached?.items.map(\.isRead) == [true, true, false])
        async let page = failure { () async throws(PushNotificationError) in _ = try await client.publicInbox.page() }
        await passRetries(fixture, from: 16)
        #expect(await page?.errorCode == 4)

        let next = try fixture.client()
        next.login("u1", token: "jwt.of.u1")
        #expect(next.publicInbox.cached?.items.map(\.isRead) == [true, true, false])
        backend.isOffline = false
        let read = try await next.publicInbox.page()
        #expect(
            backend.actions.entries == [
                .init(.read, ids: [items[0].id, items[1].id, items[2].id]), .init(.unread, ids: [items[0].id]),
                .init(.archive, ids: [items[3].id]), .init(.see, upTo: items[1].id),
            ]
        )
        #expect(read.items.map(\.isRead) == [true, true, false])
        #expect(fixture.transport.calls.entries.last?.url.path == "/api/v1/inbox")
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.inbox-marks") })
    }

    @Test("500 marks wait and no more; one that was said already is not said twice")
    func bound() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let marks = InboxMarks(client.inbox.calls)
        let ids = (0..<501).map { PublicID(high: 1, low: $0) }
        #expect(marks.add(ids[..<499].map { InboxJob(.read, $0) }, of: "u1"))
        #expect(marks.add([InboxJob(.read, ids[7]), InboxJob(.read, ids[499])], of: "u1"))
        #expect(!marks.add([InboxJob(.read, ids[500])], of: "u1"))
        #expect(!marks.add([InboxJob(.unread, ids[7])], of: "u1"))
        #expect(marks.waiting(of: "u1").map(\.item) == Array(ids[..<500]))
        backend.isOffline = true
        let full = await failure { () async throws(PushNotificationError) in
            try await client.publicInbox.mark(ids.map(\.description), as: .read)
        }
        #expect(full == .networkError(TransportError.failed("500 marks wait to be sent")))
        #expect(backend.transport.calls.entries.isEmpty)
    }

    @Test("requests have at most 100 items, and the order of different marks stays")
    func batches() throws {
        var waiting: [InboxJob] = []
        let ids = (0..<120).map { PublicID(high: 1, low: $0) }
        let isAdded = waiting.add(ids.map { InboxJob(.read, $0) })
        #expect(isAdded)
        var all = InboxJob(.see, ids[3])
        all.isForAll = true
        _ = waiting.add([all, InboxJob(.unread, ids[0]), InboxJob(.read, ids[0]), InboxJob(.read, ids[1])])
        var sent: [InboxActionRequest] = []
        while let (request, jobs) = waiting.firstRequest(width: 1000) {
            sent.append(request)
            waiting.removeFirst(jobs.count)
        }
        #expect(
            sent == [
                .init(.read, ids: Array(ids[..<100])), .init(.read, ids: Array(ids[100...])), .init(.see, upTo: ids[3]),
                .init(.unread, ids: [ids[0]]), .init(.read, ids: [ids[0], ids[1]]),
            ]
        )
    }

    @Test("what is marked again after all were marked is said again")
    func afterAll() throws {
        var waiting: [InboxJob] = []
        let item = PublicID(high: 1, low: 1)
        var all = InboxJob(.archive, item)
        all.isForAll = true
        let isAdded = waiting.add([InboxJob(.see, item), all, InboxJob(.see, item), InboxJob(.see, item), all])
        #expect(isAdded)
        #expect(waiting.map(\.isForAll) == [false, true, false, true])
    }

    @Test("one item that has left the inbox takes no other mark with it")
    func refusedItem() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let items = (0..<9).map { _ in backend.publish(to: "u1") }
        backend.recall(items[4].id)
        let refused = await failure { () async throws(PushNotificationError) in
            try await client.publicInbox.mark(items.map(\.id.description), as: .read)
        }
        #expect(refused == .serverError(statusCode: 404, message: "No."))
        #expect(backend.items(of: "u1").map(\.isRead) == Array(repeating: true, count: 8))
        _ = try await client.publicInbox.page()
    }

    @Test("marks of somebody who logged out are never sent")
    func foreign() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        let item = backend.publish(to: "u1")
        backend.isOffline = true
        async let marked = failure { () async throws(PushNotificationError) in
            try await client.publicInbox.mark(item.id.description, as: .read)
        }
        await passRetries(fixture)
        #expect(await marked == nil)
        backend.isOffline = false
        backend.allow("jwt.of.u2", for: "u2")
        client.login("u2", token: "jwt.of.u2")
        _ = try await client.publicInbox.page()
        client.login("u1", token: "jwt.of.u1")
        _ = try await client.publicInbox.page()
        #expect(backend.actions.entries.isEmpty)
    }

    @Test("what is marked while a page is on its way is marked in it")
    func duringAPage() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        let item = backend.publish(to: "u1")
        let gate = Journal<Void>()
        fixture.transport.answer { [backend] call, _ in
            let answer = backend.answer(to: call)
            if call.method == "POST" { return .failure(.unreachable("")) }
            _ = await gate.wait(for: 1)
            return answer
        }
        async let page = client.publicInbox.page()
        _ = await fixture.transport.calls.wait(for: 1)
        async let marked = failure { () async throws(PushNotificationError) in
            try await client.publicInbox.mark(item.id.description, as: .read)
        }
        _ = await fixture.transport.calls.wait(for: 2)
        gate.add(())
        #expect(try await page.items.map(\.isRead) == [true])
        #expect(client.publicInbox.cached?.items.map(\.isRead) == [true])
        await passRetries(fixture)
        #expect(await marked == nil)
    }

    @Test("what is no item's id, and a mark that all items cannot have, are refused here")
    func wrong() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let inbox = client.publicInbox
        let id = PublicID(high: 1, low: 1).description
        #expect(await failure { () async throws(PushNotificationError) in try await inbox.mark("x", as: .read) } != nil)
        #expect(
            await failure { () async throws(PushNotificationError) in try await inbox.markAll(upTo: id, as: .unread) }
                != nil
        )
        #expect(backend.transport.calls.entries.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(1))) struct RemovalTests {
    let backend = UserBackend()

    private func shown(_ id: String, isRemote: Bool = true) throws -> ReceivedNotification {
        try .push(
            #"{"aps":{"alert":"B"},"message_id":"\#(id)"}"#,
            identifier: "request-\(id)",
            isRemote: isRemote
        )
    }

    @Test("reading or putting away an item takes away the notification that this device shows of it")
    func read() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        let items = (0..<4).map { _ in backend.publish(to: "u1") }
        let ids = items.map(\.id.description)
        fixture.platform.delivered = try ids.map { try shown($0) } + [shown("other"), shown(ids[0], isRemote: false)]
        _ = try await client.publicInbox.page()
        try await client.publicInbox.mark(ids[3], as: .seen)
        #expect(fixture.platform.requests.entries.isEmpty)
        try await client.publicInbox.mark(ids[3], as: .read)
        try await client.publicInbox.markAll(upTo: ids[1])
        #expect(
            fixture.platform.requests.entries == [
                .remove(["request-\(ids[3])"]), .remove(ids[...1].map { "request-\($0)" }),
            ]
        )
    }

    @Test("a push that only takes notifications away does so, and is no notification itself")
    @MainActor
    func removal() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client()
        fixture.handlers.received.handler = { _ in Issue.record("the app was told") }
        fixture.platform.delivered = try [shown("m1"), shown("m2"), shown("m3"), shown("m1", isRemote: false)]
        for json in [
            #"{"aps":{"content-available":1},"martlet":{"remove":["m1","m3","unknown",7]}}"#,
            #"{"aps":{"content-available":1},"message_id":"m9","martlet":{"remove":["m2"]}}"#,
        ] {
            let payload = try ReceivedNotification.push(json).payload
            let result = await withCheckedContinuation { continuation in
                client.didReceiveRemote(payload, in: .background) { continuation.resume(returning: $0) }
            }
            #expect(result == .newData)
        }
        #expect(fixture.platform.requests.entries == [.remove(["request-m1", "request-m3"]), .remove(["request-m2"])])
        #expect(fixture.events.recorded.entries.isEmpty)
    }

    @Test("a notification may take others away too; the app does not see how")
    func beside() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client()
        fixture.platform.delivered = try [shown("m1")]
        let push = try ReceivedNotification.push(
            #"{"aps":{"alert":"B"},"message_id":"m2","a":1,"martlet":{"remove":["m1"]}}"#
        )
        client.willPresent(push) { _ in }
        #expect(await fixture.platform.requests.wait(for: 1) == [.remove(["request-m1"])])
        #expect(push.payload.customData?.count == 1)
        let other = try ReceivedNotification.push(#"{"martlet":{"remove":"m1"}}"#)
        #expect(other.payload.removedMessageIDs.isEmpty)
        #expect(other.payload.customData?["martlet"] != nil)
    }
}
