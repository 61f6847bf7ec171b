import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct LoginRequiredTests {
    /// A state in which nobody is logged in with anything that proves it.
    enum Situation: CaseIterable, Sendable {
        case nobodyYet, loggedOut, withoutToken, otherClient
    }

    private func client(in situation: Situation, _ fixture: Fixture, _ backend: UserBackend) throws -> PushClient {
        switch situation {
        case .nobodyYet: return try fixture.client()
        case .loggedOut:
            let client = try fixture.client(of: "u1", at: backend)
            client.logout()
            return client
        case .withoutToken:
            let client = try fixture.client()
            client.login("u1")
            return client
        case .otherClient:
            let client = try fixture.client(of: "u1", at: backend)
            client.close()
            return client
        }
    }

    @Test("no call about a user is made where nobody is logged in", arguments: Situation.allCases)
    func noCalls(_ situation: Situation) async throws {
        let backend = UserBackend()
        let fixture = Fixture(backend)
        let client = try client(in: situation, fixture, backend)
        let (inbox, preferences) = (client.publicInbox, client.publicPreferences)
        let id = "01920000-0000-7000-8000-000000000001"
        let failures = [
            await outcome { () async throws(PushNotificationError) in _ = try await inbox.page() }.failure,
            await outcome { () async throws(PushNotificationError) in _ = try await inbox.counts() }.failure,
            await outcome { () async throws(PushNotificationError) in try await inbox.mark(id, as: .read) }.failure,
            await outcome { () async throws(PushNotificationError) in try await inbox.archive(id) }.failure,
            await outcome { () async throws(PushNotificationError) in try await inbox.markAll(upTo: id) }.failure,
            await outcome { () async throws(PushNotificationError) in _ = try await preferences.load() }.failure,
            await outcome { () async throws(PushNotificationError) in
                _ = try await preferences.set(.master(enabled: false))
            }.failure,
        ]
        #expect(failures == Array(repeating: .loginRequired, count: 7))
        #expect(inbox.cached == nil)
        #expect(preferences.cached == nil)
        inbox.onUpdate = { _ in }
        client.didBecomeActive()
        await client.registrar.settled()
        #expect(fixture.transport.calls.entries.isEmpty)
        #expect(fixture.transport.streams.entries.isEmpty)
        if situation == .nobodyYet || situation == .loggedOut {
            let push = await outcome { () async throws(PushNotificationError) in
                try await preferences.setPushEnabled(true)
            }
            #expect(push.failure == .loginRequired)
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct UserTokenTests {
    let backend = UserBackend()

    private func load(_ client: PushClient) async -> Result<NotificationPreferences, PushNotificationError> {
        await outcome { () async throws(PushNotificationError) in try await client.publicPreferences.load() }
    }

    @Test("a token that was refused is asked for once, and the call is made again once")
    func renewed() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.refuse("jwt.of.u1")
        backend.allow("jwt.new", for: "u1")
        let asked = Journal<String>()
        fixture.handlers.userTokens.handler = { request in
            asked.add(request.user)
            request.reply("jwt.new")
            request.reply("jwt.of.u1")
        }
        #expect(await load(client).failure == nil)
        #expect(asked.entries == ["u1"])
        #expect(fixture.transport.calls.entries.count == 2)
        // The new one stays.
        #expect(await load(client).failure == nil)
        #expect(asked.entries == ["u1"])
        #expect(fixture.transport.calls.entries.count == 3)
    }

    @Test("a second refusal is the caller's, and nobody is asked for a third token")
    func refusedTwice() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.refuse("jwt.of.u1")
        let asked = Journal<String>()
        fixture.handlers.userTokens.handler = { request in
            asked.add(request.user)
            request.reply("jwt.wrong")
        }
        let message = "The user token has expired."
        #expect(await load(client).failure == .serverError(statusCode: 401, message: message))
        #expect(asked.entries.count == 1)
        #expect(fixture.transport.calls.entries.count == 2)
    }

    @Test("without a handler the refusal is the caller's at once")
    func nobodyToAsk() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.refuse("jwt.of.u1")
        #expect(await load(client).failure?.errorCode == 5)
        #expect(fixture.transport.calls.entries.count == 1)
    }

    @Test("a launch without a token asks for one before the first call, and callers share the answer")
    func askedFirst() async throws {
        let fixture = Fixture(backend)
        _ = try fixture.client(of: "u1", at: backend)
        let client = try fixture.client()
        let requests = Journal<UserTokenRequest>()
        fixture.handlers.userTokens.handler = { requests.add($0) }
        async let loads = withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 { group.addTask { await load(client).failure == nil } }
            return await group.reduce(true) { $0 && $1 }
        }
        let first = await requests.wait(for: 1)
        #expect(fixture.transport.calls.entries.isEmpty)
        first[0].reply("jwt.of.u1")
        #expect(await loads)
        #expect(fixture.transport.calls.entries.allSatisfy { $0.bearer == "jwt.of.u1" })
    }

    @Test("an app that does not answer is waited for no longer than a request")
    func noAnswer() async throws {
        let fixture = Fixture(backend)
        _ = try fixture.client(of: "u1", at: backend)
        let client = try fixture.client()
        let requests = Journal<UserTokenRequest>()
        fixture.handlers.userTokens.handler = { requests.add($0) }
        async let result = load(client)
        _ = await requests.wait(for: 1)
        await fixture.clock.passSleep(1)
        #expect(await result.failure == .loginRequired)
        #expect(fixture.transport.calls.entries.isEmpty)
    }

    @Test("a token that comes for somebody who logged out meanwhile is not used")
    func tooLate() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        backend.refuse("jwt.of.u1")
        backend.allow("jwt.new", for: "u1")
        let requests = Journal<UserTokenRequest>()
        fixture.handlers.userTokens.handler = { requests.add($0) }
        async let result = load(client)
        let asked = await requests.wait(for: 1)
        client.login("u2", token: "jwt.of.u2")
        asked[0].reply("jwt.new")
        #expect(await result.failure != nil)
        #expect(client.context.identity.userToken == "jwt.of.u2")
        #expect(fixture.transport.calls.entries.count == 1)
        #expect(client.publicPreferences.cached == nil)
    }

    @Test("a server that is busy is asked again within the app's time limit, and no longer")
    func busy() async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(429, .tooManyRequests))))
        let client = try fixture.client()
        client.login("u1", token: "t")
        async let result = load(client)
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await result.failure == .serverError(statusCode: 429, message: "No."))
        #expect(fixture.transport.calls.entries.count == 4)
        fixture.transport.answer { _, _ in .success(.error(503, .overloaded, headers: ["Retry-After": "31"])) }
        #expect(await load(client).failure?.errorCode == 5)
        #expect(fixture.transport.calls.entries.count == 5)
    }
}
