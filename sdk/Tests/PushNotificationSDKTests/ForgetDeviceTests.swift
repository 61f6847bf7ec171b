import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("A device that is forgotten", .timeLimit(.minutes(1))) struct ForgetDeviceTests {
    /// A server that takes every registration, and deletes every installation.
    private let fixture = Fixture(transport: ScriptedTransport { call, _ in ForgetDeviceTests.answer(to: call) })

    private static func answer(
        to call: HTTPCall,
        deletion: Result<HTTPAnswer, TransportError> = .success(HTTPAnswer(status: 204))
    ) -> Result<HTTPAnswer, TransportError> {
        call.method == "DELETE" ? deletion : .success(.registered(by: call))
    }

    private var deletions: [HTTPCall] { fixture.transport.calls.entries.filter { $0.method == "DELETE" } }

    private func forget(_ client: PushClient) async -> PushNotificationError? {
        await withCheckedContinuation { continuation in
            client.forgetDevice { continuation.resume(returning: $0.failure) }
        }
    }

    private func login(_ user: String, _ client: PushClient) async -> PushNotificationError? {
        await withCheckedContinuation { continuation in
            client.login(user) { continuation.resume(returning: $0.failure) }
        }
    }

    private func becomeActive(_ client: PushClient) async {
        client.didBecomeActive()
        await client.registrar.settled()
    }

    @Test("is deleted at the server with its secret, and leaves nothing here but the person's consent")
    func everything() async throws {
        let container = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: container) }
        var environment = fixture.environment
        environment.makeEvents = { EventRecorder($0, treasureData: nil) }
        environment.makeRefresh = { RefreshRouter($0) }
        environment.container = { _ in container }
        environment.bundleID = "com.example.game"
        var configuration = try SDKConfiguration.valid(player: "player-1")
        configuration.appGroup = "group.example"
        let client = PushClient(configuration, in: environment, handlers: fixture.handlers)
        _ = try await client.register(.token())
        client.isTrackingEnabled = true
        let shown = try ReceivedNotification.alert("m1")
        fixture.platform.delivered = [shown]
        client.events.record(.open, shown, value: nil)
        client.set(fcmToken: "f:cm")
        await client.registrar.settled()
        SharedBadge(container, app: "com.example.game").set(3)
        let spool = EventSpool(container: container, app: "com.example.game")
        try spool.write(PushEvent(id: UUID(), type: .delivery, time: fixture.clock.now))
        let old = try client.context.identity.installationID()

        #expect(await forget(client) == nil)
        let call = try #require(deletions.first)
        #expect(call.url.path == "/api/v1/installations/\(old)")
        #expect(call.headers[HeaderName.installationSecret] == "mi_secret")
        #expect(call.headers["Authorization"] == "Bearer mk_client_key")
        #expect(try client.context.identity.installationID() != old)
        #expect(client.context.identity.userID == nil)
        let left = fixture.storage.values
        #expect(left.keys.sorted() == ["martlet.consent", "martlet.installation", "martlet.user"])
        for value in left.values {
            let text = String(decoding: value, as: UTF8.self)
            let token = String(repeating: "ab", count: 32)
            for word in [old.description, "mi_secret", "player-1", "f:cm", token] { #expect(!text.contains(word)) }
        }
        let files = FileManager.default.subpaths(atPath: container.path)
        #expect(files?.sorted() == ["martlet-events", "martlet-events/com.example.game"])
        #expect(client.isTrackingEnabled)
        // It would count as a delivery to the new one.
        _ = await fixture.platform.requests.wait { $0 == .remove(["request-1"]) }
    }

    @Test("is deleted by the next launch where the server could not be reached, and once")
    func offline() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        let old = try client.context.identity.installationID()
        fixture.transport.answer { call, _ in Self.answer(to: call, deletion: .failure(.unreachable("offline"))) }
        #expect(await forget(client) == .networkError(TransportError.unreachable("offline")))
        client.close()
        // The app is killed and started again.
        fixture.transport.answer { call, _ in Self.answer(to: call) }
        let next = try fixture.client()
        _ = try await next.register(.token())
        await becomeActive(next)
        #expect(fixture.transport.calls.entries.map(\.method) == ["POST", "DELETE", "DELETE", "POST"])
        #expect(deletions.map(\.url.path) == Array(repeating: "/api/v1/installations/\(old)", count: 2))
        #expect(fixture.transport.calls.entries.last?.headers[HeaderName.installationSecret] == nil)
        #expect(fixture.registrations.last?.installationID != old)
        #expect(fixture.registrations.last?.userID == .null)
    }

    private static let refusals: [(Int, ErrorCode, Bool)] = [
        (404, .notFound, true), (401, .installationSecretRequired, true), (401, .unauthorized, false),
        (403, .forbidden, false), (405, .methodNotAllowed, false), (500, .internalError, false),
    ]

    @Test(
        "is done with where the server does not know it any more, and tried again where the server refuses",
        arguments: refusals
    )
    func refused(_ status: Int, _ code: ErrorCode, _ isOver: Bool) async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        fixture.transport.answer { call, _ in Self.answer(to: call, deletion: .success(.error(status, code))) }
        let expected: PushNotificationError? = isOver ? nil : .serverError(statusCode: status, message: "No.")
        #expect(await forget(client) == expected)
        await becomeActive(client)
        #expect(deletions.count == (isOver ? 1 : 2))
    }

    @Test("is not registered until somebody logs in, and then as another installation")
    func registersAgain() async throws {
        let client = try fixture.client()
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        _ = try await client.register(.token())
        let old = try client.context.identity.installationID()
        #expect(await forget(client) == nil)
        await becomeActive(client)
        client.didRegister(token: Data(repeating: 0xAB, count: 32))
        client.logout()
        await client.registrar.settled()
        #expect(fixture.registrations.count == 1)
        #expect(await login("u1", client) == nil)
        let request = try #require(fixture.registrations.last)
        #expect(fixture.registrations.count == 2)
        #expect(request.userID == .value("u1") && request.installationID != old)
        #expect(request.token == fixture.registrations.first?.token)
        await MainQueue.drain()
        #expect(errors.entries.isEmpty)
    }

    @Test("is deleted with the secret that a registration brings which was under way, and counts nothing of it")
    func registrationUnderWay() async throws {
        let gate = Journal<Void>()
        fixture.transport.answer { call, index in
            if index == 0 { _ = await gate.wait(for: 1) }
            return Self.answer(to: call)
        }
        let client = try fixture.client(.valid(player: "p"))
        let old = try client.context.identity.installationID()
        async let registered = client.outcome()
        _ = await fixture.transport.calls.wait(for: 1)
        let ends = Journal<PushNotificationError?>()
        client.forgetDevice { ends.add($0.failure) }
        gate.add(())
        #expect(await ends.wait(for: 1) == [nil])
        #expect(try await registered.get().installationID == old)
        #expect(deletions.map { $0.headers[HeaderName.installationSecret] } == ["mi_secret"])
        #expect(try client.context.identity.secret() == nil)
        #expect(try client.context.identity.owners() == nil)
        #expect(fixture.events.recorded.entries.isEmpty)
    }

    @Test("is not registered for the old user by an attempt that waited, and deleted where the server took the first")
    func waitingAttempt() async throws {
        fixture.transport.answer { call, index in
            index == 0 ? .failure(.unreachable("offline")) : Self.answer(to: call)
        }
        let client = try fixture.client(.valid(player: "p"))
        async let registered = client.outcome()
        _ = await fixture.clock.sleeps.wait(for: 1)
        client.forgetDevice()
        await fixture.clock.passSleep(1)
        #expect(await registered.failure == .registrationFailed("the device was forgotten"))
        await client.registrar.settled()
        #expect(fixture.transport.calls.entries.map(\.method) == ["POST", "POST", "DELETE"])
        #expect(fixture.registrations.map(\.userID) == [.value("p"), .null])
    }

    @Test("is deleted when the app comes to the front, though a registration before was to wait longer")
    func waitingRetry() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        fixture.transport.answer { _, _ in .failure(.unreachable("offline")) }
        async let ended = login("u1", client)
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await ended == .networkError(TransportError.unreachable("offline")))
        _ = await fixture.clock.sleeps.wait(for: 4)
        #expect(await forget(client) == .networkError(TransportError.unreachable("offline")))
        fixture.transport.answer { call, _ in Self.answer(to: call) }
        await becomeActive(client)
        #expect(deletions.count == 2)
        #expect(try client.context.identity.forgotten().isEmpty)
    }

    @Test("is forgotten on a full disk too, which keeps that once there is room")
    func fullDisk() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let isFull = Locked(false)
        var files = SystemFiles()
        files.put = { data, file, options in
            if isFull.with({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
            try data.write(to: file, options: options)
        }
        var environment = fixture.environment
        environment.storage = FileStore(folder: folder, files: files)
        let client = PushClient(try .valid(player: "p"), in: environment)
        _ = try await client.register(.token())
        client.context.identity.saveUser()
        let old = try client.context.identity.installationID()
        isFull.with { $0 = true }
        #expect(await forget(client) == nil)
        #expect(try client.context.identity.installationID() != old)
        isFull.with { $0 = false }
        client.didBecomeActive()
        // The app is killed and started again.
        environment.storage = FileStore(folder: folder, files: files)
        let next = PushClient(try .valid(), in: environment).context.identity
        #expect(try next.installationID() == client.context.identity.installationID())
        #expect(try next.user() == .nobody)
        #expect(try next.forgotten().isEmpty)
    }

    @Test("holds no registration back for longer than 2 s, however many are to be deleted: the rest is behind it")
    func slowDeletions() async throws {
        fixture.transport.answer { call, _ in Self.answer(to: call, deletion: .failure(.unreachable("offline"))) }
        let client = try fixture.client()
        _ = try await client.register(.token())
        for user in ["a", "b"] {
            #expect(await forget(client) == .networkError(TransportError.unreachable("offline")))
            #expect(await login(user, client) == nil)
        }
        client.close()
        // Deletions end with their time only.
        fixture.transport.answer { [clock = fixture.clock] call, _ in
            if call.method == "DELETE" { clock.advance(by: Int64(call.timeout * 1000)) }
            return Self.answer(to: call, deletion: .failure(.timedOut))
        }
        let next = try fixture.client()
        let before = fixture.transport.calls.entries.count
        _ = try await next.register(.token())
        await next.registrar.settled()
        let calls = fixture.transport.calls.entries.dropFirst(before)
        #expect(calls.map(\.method) == ["DELETE", "POST", "DELETE"])
        #expect(calls.map(\.timeout) == [2, 30, 30])
        fixture.transport.answer { call, _ in Self.answer(to: call) }
        await becomeActive(next)
        #expect(try next.context.identity.forgotten().isEmpty)
        #expect(fixture.registrations.count == 4)
    }

    /// A server on which some requests, by their number, end only when they are given up.
    private func stall(_ indices: Int...) {
        fixture.transport.answer { call, index in
            guard indices.contains(index) else { return Self.answer(to: call) }
            _ = await Journal<Void>().wait(for: 1)
            return .failure(.cancelled)
        }
    }

    @Test("holds a login that comes while it is being deleted back for 2 s at most, and is deleted behind it")
    func loginBehindDeletion() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        stall(1)
        let begin = fixture.clock.now
        let ends = Journal<PushNotificationError?>()
        client.forgetDevice { ends.add($0.failure) }
        _ = await fixture.transport.calls.wait(for: 2)
        async let ended = login("b", client)
        await fixture.clock.passSleep(1)
        #expect(await ended == nil)
        #expect(fixture.clock.now == begin + 2000)
        await client.registrar.settled()
        #expect(ends.entries == [.networkError(TransportError.timedOut)])
        #expect(fixture.transport.calls.entries.map(\.method) == ["POST", "DELETE", "POST", "DELETE"])
        #expect(fixture.registrations.last?.userID == .value("b"))
        #expect(try client.context.identity.forgotten().isEmpty)
    }

    @Test("holds a login back for no longer where its deletion begins only then, or is one that was late before")
    func loginBeforeDeletion() async throws {
        let gate = Journal<Void>()
        // Deletions end with their time only.
        fixture.transport.answer { [clock = fixture.clock] call, index in
            if index == 0 { _ = await gate.wait(for: 1) }
            if call.method == "DELETE" { clock.advance(by: Int64(call.timeout * 1000)) }
            return Self.answer(to: call, deletion: .failure(.timedOut))
        }
        let client = try fixture.client()
        async let registered = client.outcome()
        _ = await fixture.transport.calls.wait(for: 1)
        let ends = Journal<PushNotificationError?>()
        client.forgetDevice { ends.add($0.failure) }
        client.login("b") { ends.add($0.failure) }
        gate.add(())
        _ = await registered
        #expect(await ends.wait(for: 2) == [.networkError(TransportError.timedOut), nil])
        await client.registrar.settled()
        let calls = fixture.transport.calls.entries
        #expect(calls.map(\.method) == ["POST", "DELETE", "POST", "DELETE"])
        #expect(calls.map(\.timeout) == [30, 2, 30, 30])

        // The next launch's deletion takes its 2 s, and the one behind the registration has no answer.
        client.close()
        let next = try fixture.client()
        fixture.transport.answer { [clock = fixture.clock] call, index in
            if index == 4 { clock.advance(by: Int64(call.timeout * 1000)) }
            if index == 6 { _ = await Journal<Void>().wait(for: 1) }
            return Self.answer(to: call, deletion: index < 8 ? .failure(.timedOut) : .success(HTTPAnswer(status: 204)))
        }
        _ = try await next.register(.token())
        _ = await fixture.transport.calls.wait(for: 7)
        async let other = login("c", next)
        await fixture.clock.passSleep(1)
        #expect(await other == nil)
        await next.registrar.settled()
        let later = fixture.transport.calls.entries.dropFirst(4)
        #expect(later.map(\.method) == ["DELETE", "POST", "DELETE", "POST", "DELETE"])
        #expect(fixture.registrations.last?.userID == .value("c"))
        #expect(try next.context.identity.forgotten().isEmpty)
    }

    @Test("is not shown as registered any more")
    func diagnostics() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        #expect(await client.diagnostics().registeredAt != nil)
        #expect(await forget(client) == nil)
        let known = await client.diagnostics()
        #expect(known.registeredAt == nil && known.isActive == nil)
        #expect(await login("b", client) == nil)
        #expect(await client.diagnostics().registeredAt != nil)
    }

    @Test("changes nothing before the first unlock")
    func beforeFirstUnlock() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        let old = try client.context.identity.installationID()
        fixture.storage.lock(true)
        #expect(await forget(client) == .registrationFailed("the device was not unlocked since it was started"))
        fixture.storage.lock(false)
        #expect(try fixture.client().context.identity.installationID() == old)
        #expect(deletions.isEmpty)
    }

    @Test("is forgotten to the end by the launch after a process that ended in between", arguments: 0...3)
    func crashes(afterWrites count: Int) async throws {
        let client = try fixture.client(.valid(player: "p"))
        _ = try await client.register(.token())
        client.context.identity.saveUser()
        let old = try client.context.identity.installationID()
        fixture.storage.crash(afterWrites: count)
        client.forgetDevice()
        client.close()
        await client.registrar.settled()
        fixture.storage.crash(afterWrites: nil)
        let isBegun = count > 0
        let before = deletions.count
        let next = try fixture.client()
        next.didLaunch()
        let id = try next.context.identity.installationID()
        #expect(isBegun ? id != old : id == old)
        #expect(next.context.identity.userID == (isBegun ? nil : "p"))
        if isBegun { #expect(fixture.storage.values.keys.sorted() == ["martlet.installation", "martlet.user"]) }
        await becomeActive(next)
        #expect(deletions.count == before + (isBegun ? 1 : 0))
    }
}
