import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("Whose a device is, where users need tokens", .timeLimit(.minutes(1))) struct OwnerTests {
    private let server: SignedServer
    private let fixture: Fixture
    private let requests = Journal<UserTokenRequest>()

    init() {
        server = SignedServer()
        fixture = Fixture(transport: server.transport)
        fixture.handlers.userTokens.handler = { [requests] in requests.add($0) }
    }

    private func login(
        _ user: String,
        _ token: String?,
        _ client: PushClient
    ) async -> Result<Void, PushNotificationError> {
        await withCheckedContinuation { continuation in
            client.login(user, token: token) { continuation.resume(returning: $0) }
        }
    }

    /// A client in whose name the server has a device of the first user's.
    private func registered() async throws -> PushClient {
        let client = try fixture.client()
        _ = try await client.register(.token())
        _ = await login("a", "jwt.of.a", client)
        try #require(server.owner == "a")
        return client
    }

    /// The process ends while the server does not hear, or is not heard; the next one has no token in memory.
    private func relaunch(after client: PushClient) async throws -> PushClient {
        // The attempt under way has failed once it waits for the next.
        _ = await fixture.clock.sleeps.wait(for: 1)
        client.close()
        (server.isOffline, server.losesAnswers) = (false, false)
        let next = try fixture.client()
        _ = try await next.register(.token())
        return next
    }

    @Test("after a login without a connection the next launch leaves the device to nobody until the app has a token")
    func offlineLogin() async throws {
        let first = try await registered()
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        let next = try await relaunch(after: first)
        #expect(server.owner == nil)
        #expect(fixture.registrations.last?.userID == .null)
        let asked = await requests.wait(for: 1)
        #expect(asked.map(\.user) == ["b"])
        asked.first?.reply("jwt.of.b")
        _ = await fixture.transport.calls.wait(for: 5)
        await next.registrar.settled()
        #expect(server.owner == "b")
        next.close()
        // A launch without a token asks for none: the device is that user's.
        _ = try await fixture.client().register(.token())
        #expect(server.owner == "b")
        #expect(requests.entries.count == 1)
    }

    @Test("an app without a token is asked again when it comes to the front, and nothing is registered twice")
    func noToken() async throws {
        let first = try await registered()
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        let next = try await relaunch(after: first)
        await requests.wait(for: 1).first?.reply(nil)
        // Asked while the first answer is on its way, it shares that one.
        while requests.entries.count < 2, !Task.isCancelled {
            next.didBecomeActive()
            await next.registrar.settled()
            await MainQueue.drain()
        }
        requests.entries.last?.reply("jwt.of.b")
        _ = await fixture.transport.calls.wait(for: 5)
        await next.registrar.settled()
        #expect(fixture.registrations.map(\.userID) == [.unset, .value("a"), .value("b"), .null, .value("b")])
        #expect(server.owner == "b")
    }

    @Test("a logout without a connection is said in the next launch")
    func offlineLogout() async throws {
        let first = try await registered()
        server.isOffline = true
        first.logout()
        _ = try await relaunch(after: first)
        #expect(server.owner == nil)
        #expect(requests.entries.isEmpty)
    }

    @Test("the same user stays the owner, also after somebody else was there without a connection")
    func sameUser() async throws {
        let first = try await registered()
        server.isOffline = true
        first.logout()
        _ = await fixture.clock.sleeps.wait(for: 1)
        first.login("a", token: "jwt.of.a")
        _ = try await relaunch(after: first)
        #expect(server.owner == "a")
        #expect(fixture.registrations.last?.userID == .unset)
        #expect(requests.entries.isEmpty)
    }

    @Test(
        "after a login whose answer was lost, neither of the two users is taken for the owner",
        arguments: ["a", "b"]
    )
    func lostAnswer(_ user: String) async throws {
        let first = try await registered()
        server.losesAnswers = true
        first.login("b", token: "jwt.of.b")
        _ = await fixture.clock.sleeps.wait(for: 1)
        #expect(server.owner == "b")
        if user == "a" { first.login("a", token: "jwt.of.a") }
        _ = try await relaunch(after: first)
        #expect(server.owner == nil)
        #expect(await requests.wait(for: 1).map(\.user) == [user])
    }

    @Test("an attempt that waited does not register a user who logged out meanwhile")
    func waitingAttempt() async throws {
        let client = try await registered()
        server.isOffline = true
        async let ended = login("b", "jwt.of.b", client)
        _ = await fixture.clock.sleeps.wait(for: 1)
        client.logout()
        server.isOffline = false
        await fixture.clock.passSleep(1)
        #expect(await ended.failure == .networkError(TransportError.unreachable("offline")))
        await client.registrar.settled()
        #expect(fixture.registrations.map(\.userID) == [.unset, .value("a"), .value("b"), .null])
        #expect(server.owner == nil)
    }

    @Test(
        "a user whom the server does not take leaves the device to nobody, and another token is asked for once",
        arguments: ["jwt.expired", nil] as [String?],
        ["jwt.of.b", "jwt.expired.too"]
    )
    func refused(_ token: String?, _ answer: String) async throws {
        let client = try await registered()
        #expect(await login("b", token, client).failure?.errorCode == 5)
        #expect(server.owner == nil)
        let asked = await requests.wait(for: 1)
        #expect(asked.map(\.user) == ["b"])
        asked.first?.reply(answer)
        _ = await fixture.transport.calls.wait(for: 5)
        await client.registrar.settled()
        #expect(server.owner == (answer == "jwt.of.b" ? "b" : nil))
        client.didBecomeActive()
        await client.registrar.settled()
        #expect(fixture.registrations.count == 5)
        guard server.owner == nil else {
            #expect(requests.entries.count == 1)
            return
        }
        // Once each time that the app comes to the front: what the app had nothing for may be there by now.
        let again = await requests.wait(for: 2)
        again.last?.reply("jwt.of.b")
        _ = await fixture.transport.calls.wait(for: 6)
        await client.registrar.settled()
        #expect(server.owner == "b")
        client.didBecomeActive()
        await client.registrar.settled()
        #expect(requests.entries.count == 2)
    }

    @Test("a handler that is set when the device was left to nobody is asked then")
    func lateHandler() async throws {
        let first = try await registered()
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        fixture.handlers.userTokens.handler = nil
        let next = try await relaunch(after: first)
        #expect(server.owner == nil)
        fixture.handlers.userTokens.handler = { [requests] in requests.add($0) }
        next.userTokensAreAvailable()
        await requests.wait(for: 1).first?.reply("jwt.of.b")
        _ = await fixture.transport.calls.wait(for: 5)
        await next.registrar.settled()
        #expect(server.owner == "b")
    }

    @Test("a user whose token came only when the app was asked needs one in later launches too")
    func provedLater() async throws {
        let first = try await registered()
        first.login("b")
        await requests.wait(for: 1).first?.reply("jwt.of.b")
        _ = await fixture.transport.calls.wait(for: 5)
        await first.registrar.settled()
        #expect(server.owner == "b")
        first.close()
        _ = try await fixture.client().register(.token())
        #expect(fixture.registrations.last?.userID == .unset)
        #expect(server.owner == "b")
        #expect(requests.entries.count == 1)
    }

    @Test("the same user said again does not shorten the back-off of a server that is down")
    func sameUserAgain() async throws {
        let client = try await registered()
        server.isOffline = true
        async let ended = login("b", "jwt.of.b", client)
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await ended.failure == .networkError(TransportError.unreachable("offline")))
        await client.registrar.settled()
        let sent = fixture.registrations.count
        for _ in 1...9 {
            let failure = await login("b", "jwt.of.b", client).failure
            #expect(failure == .networkError(TransportError.unreachable("offline")))
            client.didBecomeActive()
            await client.registrar.settled()
        }
        #expect(fixture.registrations.count == sent)
        server.isOffline = false
        #expect(await login("a", "jwt.of.a", client).failure == nil)
        #expect(server.owner == "a")
    }

    @Test("a user who has too many devices leaves this one to nobody")
    func tooManyDevices() async throws {
        let client = try await registered()
        server.isFull = true
        #expect(await login("b", "jwt.of.b", client).failure?.errorCode == 5)
        #expect(server.owner == nil)
        #expect(requests.entries.isEmpty)
    }

    @Test("a device that is forgotten before the server acknowledged its user is another one, and nobody's")
    func forgotten() async throws {
        let first = try await registered()
        let old = try first.context.identity.installationID()
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        _ = await fixture.clock.sleeps.wait(for: 1)
        #expect(try first.context.identity.owners() == ["a", "b"])
        first.forgetDevice()
        #expect(try first.context.identity.owners() == nil)
        _ = try await relaunch(after: first)
        let last = Array(fixture.transport.calls.entries.suffix(2))
        #expect(last.map(\.method) == ["DELETE", "POST"])
        #expect(last.first?.url.path == "/api/v1/installations/\(old)")
        #expect(last.first?.headers[HeaderName.installationSecret] == "mi_secret")
        let registration = try #require(fixture.registrations.last)
        #expect(registration.installationID != old && registration.userID == .null)
        #expect(server.owner == nil)
        #expect(requests.entries.isEmpty)
    }

    @Test("an installation of an earlier version hears from the server whose it is", arguments: ["a", "b"])
    func earlierVersion(_ user: String) async throws {
        let first = try await registered()
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        _ = await fixture.clock.sleeps.wait(for: 1)
        if user == "a" { first.login("a", token: "jwt.of.a") }
        let key = "martlet.installation"
        let bytes = try #require(fixture.storage.values[key])
        var stored = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        #expect(stored.removeValue(forKey: "owners") != nil)
        try fixture.storage.set(try JSONSerialization.data(withJSONObject: stored), for: key)
        _ = try await relaunch(after: first)
        #expect(server.owner == (user == "a" ? "a" : nil))
        let said = fixture.registrations.dropFirst(3).map(\.userID)
        #expect(said == (user == "a" ? [.unset] : [.unset, .null]))
        #expect(try fixture.client().context.identity.secret() == "mi_secret")
    }
}

/// A server that takes a user with their token only, `jwt.of.<user>`, and keeps whose the device is.
final class SignedServer: Sendable {
    private struct State {
        var owner: String?
        var isOffline = false
        var losesAnswers = false
        var isFull = false
    }

    private let state = Locked(State())
    let transport = ScriptedTransport(.failure(.cancelled))

    init() {
        transport.answer { [weak self] call, _ in self?.answer(to: call) ?? .failure(.cancelled) }
    }

    /// Whose the device is.
    var owner: String? { state.with { $0.owner } }

    /// Whether nothing is reached.
    var isOffline: Bool {
        get { state.with { $0.isOffline } }
        set { state.with { $0.isOffline = newValue } }
    }

    /// Whether it does what it is told, and is not heard.
    var losesAnswers: Bool {
        get { state.with { $0.losesAnswers } }
        set { state.with { $0.losesAnswers = newValue } }
    }

    /// Whether users have as many devices as they may.
    var isFull: Bool {
        get { state.with { $0.isFull } }
        set { state.with { $0.isFull = newValue } }
    }

    private func answer(to call: HTTPCall) -> Result<HTTPAnswer, TransportError> {
        if call.method == "DELETE" {
            guard !isOffline else { return .failure(.unreachable("offline")) }
            state.with { $0.owner = nil }
            return .success(HTTPAnswer(status: 204))
        }
        guard var request = call.registration else { return .success(HTTPAnswer(status: 404)) }
        let refusal = state.with { state -> Result<HTTPAnswer, TransportError>? in
            guard !state.isOffline else { return .failure(.unreachable("offline")) }
            switch request.userID {
            case .unset: break
            case .null: state.owner = nil
            case .value(let user):
                guard call.headers[HeaderName.userToken] == "jwt.of.\(user)" else {
                    return .success(.error(401, .unauthorized, "The user's token is needed."))
                }
                guard !state.isFull else {
                    let detail = ErrorBody.Detail(code: .tooManyRequests, message: "No.", field: "user_id")
                    return .success(.json(429, ErrorBody(detail), headers: ["Retry-After": "3600"]))
                }
                state.owner = user
            }
            return state.losesAnswers ? .failure(.timedOut) : nil
        }
        if let refusal { return refusal }
        request.userID = owner.map { NullablePatch.value($0) } ?? .null
        var call = call
        call.body = try? JSONEncoder().encode(request)
        return .success(.registered(by: call))
    }
}
