import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct InboxStreamTests {
    let backend = UserBackend()
    let updates = Journal<InboxUpdate>()
    /// Lets the streams that are open end.
    let end = Journal<Void>()

    private func event(_ name: String, unread: Int, revision: Int64, _ ids: [PublicID] = []) -> Data {
        let change = InboxChange(unread: unread, unseen: unread, revision: revision, ids: ids)
        let data = (try? JSONEncoder().encode(change)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Data("event: \(name)\nid: \(revision)\ndata: \(data)\n\n".utf8)
    }

    /// A client in front that somebody is logged in to, whose stream sends these bytes and stays open.
    private func listening(_ fixture: Fixture, sends bytes: [Data]) throws -> PushClient {
        fixture.transport.stream { [end] _, index, take in
            for bytes in bytes where !take(bytes) { return .failure(.cancelled) }
            _ = await end.wait(for: index + 1)
            return Task.isCancelled ? .failure(.cancelled) : .success(HTTPAnswer(status: 200))
        }
        let client = try fixture.client(of: "u1", at: backend)
        client.publicInbox.onUpdate = { [updates] in updates.add($0) }
        client.didBecomeActive()
        return client
    }

    @Test("changes arrive while the app is in front, and their counts are kept")
    func changes() async throws {
        let fixture = Fixture(backend)
        let id = PublicID(high: 1, low: 2)
        let bytes = event("state", unread: 1, revision: 5) + Data(": hello\n\n".utf8)
        let client = try listening(
            fixture,
            sends: [
                bytes.prefix(11), bytes.dropFirst(11), event("other", unread: 9, revision: 6),
                event("changed", unread: 2, revision: 7, [id]),
            ]
        )
        let heard = await updates.wait(for: 2)
        #expect(heard.map(\.counts.unread) == [1, 2])
        #expect(heard.last?.itemIDs == [id.description])
        #expect(client.publicInbox.cached?.counts?.revision == 7)
        let call = try #require(fixture.transport.streams.entries.first)
        #expect(call.url.path == "/api/v1/inbox/stream")
        #expect(call.headers["Accept"] == "text/event-stream")
        #expect(call.bearer == "jwt.of.u1")
        #expect(call.headers["Last-Event-ID"] == nil)
        client.close()
        end.add(())
    }

    @Test("a stream that ended is opened again, after a while, where the last one stopped; nothing is told twice")
    func reconnects() async throws {
        let fixture = Fixture(backend)
        let client = try listening(fixture, sends: [event("state", unread: 1, revision: 5)])
        _ = await updates.wait(for: 1)
        end.add(())
        await fixture.clock.passSleep(1)
        let calls = await fixture.transport.streams.wait(for: 2)
        #expect(calls.last?.headers["Last-Event-ID"] == "5")
        // Half of 4 s, and half of the other half.
        #expect(fixture.clock.sleeps.entries == [1_772_366_400_000 + 3000])
        #expect(updates.entries.count == 1)
        client.close()
        end.add(())
    }

    @Test("without an answer the waits grow, up to a minute and what the server asks for")
    func failures() async throws {
        let fixture = Fixture(backend)
        fixture.transport.stream { _, index, _ in
            index == 9 ? .success(.error(503, .overloaded, headers: ["Retry-After": "100"])) : .failure(.timedOut)
        }
        let client = try fixture.client(of: "u1", at: backend)
        client.publicInbox.onUpdate = { _ in }
        client.didBecomeActive()
        for attempt in 1...10 { await fixture.clock.passSleep(attempt) }
        _ = await fixture.transport.streams.wait(for: 11)
        let moments = [1_772_366_400_000] + fixture.clock.sleeps.entries
        let waits = zip(moments.dropFirst(), moments).map { $0 - $1 }
        #expect(waits.prefix(5) == [6000, 12_000, 24_000, 45_000, 45_000])
        #expect(waits[9] == 145_000)
        client.close()
    }

    @Test("it is open only while somebody listens, the app is in front and somebody is logged in")
    @MainActor
    func conditions() async throws {
        let fixture = Fixture(backend)
        let ended = Journal<Bool>()
        fixture.transport.stream { _, index, _ in
            _ = await ended.wait(for: 1000)
            ended.add(Task.isCancelled)
            return .failure(.cancelled)
        }
        let client = try fixture.client(of: "u1", at: backend)
        client.didBecomeActive()
        #expect(fixture.transport.streams.entries.isEmpty)
        let stream = client.publicInbox.updates
        _ = await fixture.transport.streams.wait(for: 1)
        client.didEnterBackground()
        #expect(await ended.wait(for: 1) == [true])
        client.didBecomeActive()
        _ = await fixture.transport.streams.wait(for: 2)
        // The same user again: the stream stays.
        client.login("u1", token: "jwt.of.u1")
        client.logout()
        #expect(await ended.wait(for: 2) == [true, true])
        client.didBecomeActive()
        backend.allow("jwt.of.u2", for: "u2")
        client.login("u2", token: "jwt.of.u2")
        let calls = await fixture.transport.streams.wait(for: 3)
        #expect(calls.map { $0.bearer } == ["jwt.of.u1", "jwt.of.u1", "jwt.of.u2"])
        client.close()
        #expect(await ended.wait(for: 3) == [true, true, true])
        withExtendedLifetime(stream) {}
    }

    @Test("nobody is told of another user's inbox, whenever the other logs in")
    func foreign() async throws {
        let fixture = Fixture(backend)
        let takes = Journal<@Sendable (Data) -> Bool>()
        fixture.transport.stream { [end] _, _, take in
            takes.add(take)
            _ = await end.wait(for: 1)
            return .failure(.cancelled)
        }
        let client = try fixture.client(of: "u1", at: backend)
        client.publicInbox.onUpdate = { [updates] in updates.add($0) }
        client.didBecomeActive()
        let take = try #require(await takes.wait(for: 1).first)
        await MainActor.run {
            // It is on its way to the main thread while somebody else logs in.
            #expect(take(event("changed", unread: 7, revision: 3)))
            client.login("u2", token: "jwt.of.u2")
        }
        #expect(!take(event("changed", unread: 8, revision: 4)))
        await MainQueue.drain()
        #expect(updates.entries.isEmpty)
        #expect(client.publicInbox.cached == nil)
        client.close()
        end.add(())
    }

    @Test("a refused token is asked for once; a server without streams is left alone until the next time in front")
    func refused() async throws {
        let fixture = Fixture(backend)
        fixture.transport.stream { call, _, _ in
            .success(.error(call.bearer == "jwt.new" ? 404 : 401, .notFound))
        }
        let asked = Journal<String>()
        fixture.handlers.userTokens.handler = { request in
            asked.add(request.user)
            request.reply("jwt.new")
        }
        let client = try fixture.client(of: "u1", at: backend)
        client.publicInbox.onUpdate = { _ in }
        client.didBecomeActive()
        _ = await fixture.transport.streams.wait(for: 2)
        #expect(asked.entries == ["u1"])
        while client.inboxStream.isOpen, !Task.isCancelled { await Task.yield() }
        client.didBecomeActive()
        #expect(await fixture.transport.streams.wait(for: 3).count == 3)
        client.close()
    }

    @Test("a line that is too long ends the connection, and another is made")
    func tooLong() async throws {
        let fixture = Fixture(backend)
        let long = Data(repeating: 0x78, count: EventStreamParser.bound + 1)
        let client = try listening(fixture, sends: [long])
        await fixture.clock.passSleep(1)
        #expect(await fixture.transport.streams.wait(for: 2).count == 2)
        client.close()
        end.add(())
    }
}

/// Streams of the real transport, against real sockets.
@Suite(.timeLimit(.minutes(1))) struct StreamTransportTests {
    let transport = URLSessionTransport()

    private func result(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async -> Result<HTTPAnswer, TransportError> {
        do throws(TransportError) {
            return .success(try await transport.stream(call, idle: idle, take: take))
        } catch {
            return .failure(error)
        }
    }

    private func call(_ server: LoopbackServer, timeout: TimeInterval = 20) -> HTTPCall {
        HTTPCall("GET", server.url, timeout: timeout, answerLimit: 4)
    }

    @Test("bytes are handed over as they come, and the answer is whole when the server ends it")
    func handsOver() async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: 1\n\n"))
        let bytes = Locked(Data())
        let answer = await result(call(server), idle: 20) { new in
            bytes.with { $0 += new }
            return true
        }
        #expect(try answer.get().status == 200)
        #expect(bytes.with { $0 } == Data("data: 1\n\n".utf8))
    }

    @Test("the receiver ends it, on a stream that stays open")
    func ended() async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n", staysOpen: true))
        let answer = await result(call(server), idle: 20) { _ in false }
        #expect(throws: TransportError.cancelled) { try answer.get() }
    }

    @Test("a stream that falls silent is given up, and so is one that lasts too long", arguments: [true, false])
    func silent(_ isIdle: Bool) async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n", staysOpen: true))
        let answer = await result(call(server, timeout: isIdle ? 20 : 0.2), idle: isIdle ? 0.2 : 20) { _ in true }
        #expect(throws: TransportError.timedOut) { try answer.get() }
    }

    @Test("the body of a refusal is not handed over")
    func refused() async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno"))
        let answer = await result(call(server), idle: 20) { _ in
            Issue.record("handed over")
            return true
        }
        #expect(try answer.get().status == 401)
        #expect(try answer.get().body == Data("no".utf8))
    }

    @Test("cancelling the task ends it")
    func cancelled() async throws {
        let server = try LoopbackServer(.init("HTTP/1.1 200 OK\r\n\r\ndata: 1\n\n", staysOpen: true))
        let heard = Journal<Void>()
        let task = Task {
            await result(call(server), idle: 20) { _ in
                heard.add(())
                return true
            }
        }
        _ = await heard.wait(for: 1)
        task.cancel()
        let answer = await task.value
        #expect(throws: TransportError.cancelled) { try answer.get() }
    }
}
