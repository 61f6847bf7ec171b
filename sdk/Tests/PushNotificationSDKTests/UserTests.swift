import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UserTests {
    let fixture = Fixture()

    private func login(_ user: String, token: String? = nil, _ client: PushClient) async -> Bool {
        await withCheckedContinuation { continuation in
            client.login(user, token: token) { continuation.resume(returning: (try? $0.get()) != nil) }
        }
    }

    @Test("logins and logouts go to the server in order, after the token is known")
    func order() async throws {
        let client = try fixture.client()
        #expect(await login("u1", client))
        #expect(fixture.registrations.isEmpty)
        _ = try await client.register(.token())
        #expect(await login("u2", client))
        await withCheckedContinuation { continuation in client.logout { _ in continuation.resume() } }
        #expect(fixture.registrations.map(\.userID) == [.value("u1"), .value("u2"), .null])
    }

    @Test("a hundred changes of user at once come down to the last one")
    func coalesced() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        let gate = Journal<Void>()
        fixture.transport.answer { call, _ in
            _ = await gate.wait(for: 1)
            return .success(.registered(by: call))
        }
        for number in 0..<100 { client.login("u\(number)") }
        gate.add(())
        #expect(await login("u99", client))
        #expect(fixture.registrations.last?.userID == .value("u99"))
        #expect(fixture.registrations.count <= 3)
        #expect(client.context.identity.userID == "u99")
    }

    @Test("the user outlives the launch, and an app that names one sets it")
    func persistence() async throws {
        _ = await login("u1", try fixture.client())
        let next = try fixture.client()
        #expect(next.context.identity.userID == "u1")
        _ = try await next.register(.token())
        #expect(fixture.registrations.last?.userID == .value("u1"))
        let named = try fixture.client(.valid(player: "player-12345"))
        #expect(named.context.identity.userID == "player-12345")
    }

    @Test(
        "whoever shows what is a user's own is told when the user may be another one",
        arguments: ["login", "logout", "forgotten", "launched", "readable"]
    )
    func tellsOfUsers(_ how: String) async throws {
        let client = try fixture.client()
        var inbox = client.publicInbox.userChanges.makeAsyncIterator()
        var preferences = client.publicPreferences.userChanges.makeAsyncIterator()
        switch how {
        case "login": client.login("u1")
        case "logout": client.logout()
        case "forgotten": client.forgetDevice()
        case "launched": client.didLaunch()
        default: client.didBecomeReadable()
        }
        // The suite's time limit ends both where nobody is told.
        let told: [Void?] = [await inbox.next(), await preferences.next()]
        #expect(told.allSatisfy { $0 != nil })
        let user = how == "login" ? "u1" : nil
        #expect(client.publicInbox.user == user && client.publicPreferences.user == user)
    }

    private func logout(_ client: PushClient) async {
        await withCheckedContinuation { continuation in client.logout { _ in continuation.resume() } }
    }

    @Test("a logout survives the next launches, though the configuration names the user each time")
    func logoutOutlivesTheConfiguration() async throws {
        let client = try fixture.client(.valid(player: "p"))
        _ = try await client.register(.token())
        await logout(client)
        for _ in 0..<2 {
            let next = try fixture.client(.valid(player: "p"))
            #expect(next.context.identity.userID == nil)
            next.didBecomeActive()
            _ = try await next.register(.token())
        }
        #expect(fixture.registrations.map(\.userID) == [.value("p"), .null, .null, .null])
        let back = try fixture.client(.valid(player: "p"))
        #expect(await login("p", back))
        #expect(try fixture.client(.valid(player: "p")).context.identity.userID == "p")
    }

    @Test(
        "whom the server may have heard of is taken back, though it heard of the same user before",
        arguments: [true, false]
    )
    func unansweredLogins(isLogout: Bool) async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        if isLogout { await logout(client) } else { _ = await login("u1", client) }
        // Somebody else logs in, and the server's answers are lost on their way.
        fixture.transport.answer { _, _ in .failure(.timedOut) }
        async let isTaken = login("u2", client)
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await !isTaken)
        fixture.transport.answer { call, _ in .success(.registered(by: call)) }
        if isLogout { await logout(client) } else { #expect(await login("u1", client)) }
        #expect(fixture.registrations.last?.userID == (isLogout ? .null : .value("u1")))
    }

    @Test("another login survives as well; a configuration that names somebody new is a login")
    func newNamesAreLogins() async throws {
        let first = try fixture.client(.valid(player: "p"))
        #expect(await login("u", first))
        #expect(try fixture.client(.valid(player: "p")).context.identity.userID == "u")
        let renamed = try fixture.client(.valid(player: "q"))
        #expect(renamed.context.identity.userID == "q")
        renamed.didBecomeActive()
        #expect(try fixture.client().context.identity.userID == "q")
    }

    @Test("a launch that names nobody keeps the user, and the name counts anew in the one after it")
    func namelessLaunches() async throws {
        let first = try fixture.client(.valid(player: "p"))
        await logout(first)
        let nameless = try fixture.client()
        #expect(nameless.context.identity.userID == nil)
        nameless.didBecomeActive()
        #expect(try fixture.client(.valid(player: "p")).context.identity.userID == "p")
    }

    @Test("a user with a token stays that user at a launch that names them without one")
    func signedUsersOfTheConfiguration() async throws {
        let client = try fixture.client(.valid(player: "p"))
        _ = try await client.register(.token())
        #expect(await login("p", token: "jwt.of.p", client))
        fixture.clock.advance(by: 24 * 60 * 60 * 1000)
        _ = try await fixture.client(.valid(player: "p")).register(.token())
        // Named without a token, the user would be refused and the device not registered.
        #expect(fixture.registrations.map(\.userID) == [.value("p"), .value("p"), .unset])
    }

    @Test("a configured user whom the server does not take without a token reaches the error handler")
    func refusedUsers() async throws {
        let message = "The user of an app with signed identity needs a user token."
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(401, .unauthorized, message))))
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        let client = try fixture.client(.valid(player: "p"))
        client.didRegister(token: Data([1, 2]))
        #expect(await errors.wait(for: 1) == [.serverError(statusCode: 401, message: message)])
        let text = errors.entries[0].text(in: .english)
        #expect(text.description.contains(message))
        #expect(text.suggestion.contains("token"))
        #expect(errors.entries[0].text(in: .japanese).suggestion.contains("トークン"))
        // Coming to the front asks nothing that was refused; the app's own word does.
        client.didBecomeActive()
        #expect(await login("p", client) == false)
        #expect(fixture.transport.calls.entries.count == 2)
    }

    @Test("a user whom a token speaks for is named only beside it, and the token is never stored")
    func signedUsers() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        #expect(await login("u1", token: "jwt.of.u1", client))
        let call = try #require(fixture.transport.calls.entries.last)
        #expect(call.headers[HeaderName.userToken] == "jwt.of.u1")
        #expect(call.registration?.userID == .value("u1"))
        fixture.clock.advance(by: 24 * 60 * 60 * 1000)
        _ = try await fixture.client().register(.token())
        let later = try #require(fixture.transport.calls.entries.last)
        #expect(later.headers[HeaderName.userToken] == nil)
        #expect(later.registration?.userID == .unset)
        for (_, value) in fixture.storage.values {
            #expect(!String(decoding: value, as: UTF8.self).contains("jwt.of.u1"))
        }
    }

    @Test(
        "a user id that the server would refuse is refused here",
        arguments: ["", "a\u{0}", String(repeating: "é", count: 129)]
    )
    func badUsers(_ user: String) async throws {
        let client = try fixture.client()
        #expect(!(await login(user, client)))
        #expect(client.context.identity.userID == nil)
    }

    @Test("the API key is never stored")
    func keyIsInMemoryOnly() async throws {
        let client = try fixture.client(.valid(apiKey: "mk_very_secret", player: "p"))
        _ = try await client.register(.token())
        client.isTrackingEnabled = true
        #expect(fixture.storage.values.count >= 3)
        for (_, value) in fixture.storage.values {
            #expect(!String(decoding: value, as: UTF8.self).contains("very_secret"))
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct IdentityTests {
    let storage = MemoryStore()
    let clock = ManualClock()

    private var identity: Identity { Identity(storage: storage, clock: clock) }

    @Test func theInstallationIDIsMadeOnce() throws {
        let first = identity
        let id = try first.installationID()
        #expect(try first.installationID() == id)
        #expect(try identity.installationID() == id)
        #expect(id.description.dropFirst(14).first == "7")
    }

    @Test("before the first unlock nothing is read, made or deleted")
    func beforeFirstUnlock() throws {
        let known = try identity.installationID()
        storage.lock(true)
        let locked = identity
        #expect(throws: StorageUnreadable.self) { try locked.installationID() }
        #expect(throws: StorageUnreadable.self) { try locked.keep(secret: "s", with: .apns("ab"), of: known) }
        #expect(throws: StorageUnreadable.self) { try locked.renew() }
        #expect(locked.userID == nil)
        storage.lock(false)
        #expect(try locked.installationID() == known)
        #expect(try locked.secret() == nil)
    }

    @Test func aTokenThatCameBeforeTheFirstUnlockIsRegisteredAfterIt() async throws {
        let fixture = Fixture(storage: storage)
        storage.lock(true)
        let client = try fixture.client(.valid(player: "p"))
        let result = await client.outcome()
        #expect(result == .failure(.registrationFailed("the device was not unlocked since it was started")))
        #expect(fixture.registrations.isEmpty)
        storage.lock(false)
        client.didBecomeReadable()
        _ = await fixture.transport.calls.wait(for: 1)
        #expect(fixture.registrations.map(\.userID) == [.value("p")])
    }

    @Test("eight threads that ask first get the same id, and it is the one that is stored")
    func concurrentFirstUse() async throws {
        let shared = identity
        let ids = await withTaskGroup(of: PublicID?.self) { group in
            for _ in 0..<8 { group.addTask { try? shared.installationID() } }
            return await group.reduce(into: Set<PublicID?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try identity.installationID() == ids.first)
    }

    @Test func aDamagedRecordIsANewInstall() throws {
        try storage.set(Data("{".utf8), for: "martlet.installation")
        _ = try identity.installationID()
        #expect(try identity.secret() == nil)
    }
}
