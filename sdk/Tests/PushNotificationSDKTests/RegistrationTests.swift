import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct RegistrationTests {
    @Test func theRequestSaysWhatTheServerNeeds() async throws {
        let fixture = Fixture()
        var configuration = try SDKConfiguration.valid(player: "player-12345")
        configuration.app = "game"
        configuration.apnsEnvironment = .sandbox
        let client = try fixture.client(configuration)
        let response = try await client.register(.token())
        let call = try #require(fixture.transport.calls.entries.first)
        #expect(call.method == "POST")
        #expect(call.url.absoluteString == "https://api.example.com/api/v1/tokens")
        #expect(call.headers["Authorization"] == "Bearer mk_client_key")
        #expect(call.headers["Content-Type"] == "application/json")
        #expect(call.headers[HeaderName.installationSecret] == nil)
        #expect(call.timeout == 30)
        let request = try #require(call.registration)
        #expect(request.token == String(repeating: "ab", count: 32))
        #expect(request.app == "game")
        #expect(request.platform == .ios && request.provider == .apns)
        #expect(request.environment == .sandbox)
        #expect(request.userID == .value("player-12345"))
        #expect(request.deviceModel == "iPhone16,1")
        #expect(request.osVersion == "18.0")
        #expect(request.appVersion == "2.1")
        #expect(request.locale == "ja-JP")
        #expect(request.timeZone == "Asia/Tokyo")
        #expect(request.permission == .authorized)
        #expect(response.installationID == request.installationID)
        #expect(response.userID == "player-12345")
        #expect(response.isActive)
        #expect(fixture.events.recorded.entries == [.init(.tokenRegister)])
    }

    @Test("a first launch on a full disk registers with an id in memory, says so, and stores it once there is room")
    func fullDisk() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let isFull = Locked(true)
        var files = SystemFiles()
        files.put = { data, file, options in
            if isFull.with({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
            try data.write(to: file, options: options)
        }
        let fixture = Fixture()
        var environment = fixture.environment
        environment.storage = FileStore(folder: folder, files: files)
        let client = PushClient(try .valid(), in: environment)
        let errors = Journal<PushNotificationError>()
        client.handlers.errors.handler = { errors.add($0) }
        _ = try await client.register(.token(1))
        #expect(fixture.log.entries.filter { $0.hasPrefix("The disk is full.") }.count == 1)
        #expect(errors.entries.isEmpty)
        // The secret is in memory too.
        _ = try await client.register(.token(2))
        isFull.with { $0 = false }
        client.didBecomeActive()
        await client.registrar.settled()
        // The app is killed and started again.
        environment.storage = FileStore(folder: folder, files: files)
        _ = try await PushClient(try .valid(), in: environment).register(.token(3))
        let calls = fixture.transport.calls.entries
        #expect(calls.map { $0.headers[HeaderName.installationSecret] } == [nil, "mi_secret", "mi_secret"])
        #expect(Set(fixture.registrations.map(\.installationID)).count == 1)
    }

    @Test("a token has 1 to 200 bytes", arguments: [0, 1, 32, 100, 200, 201])
    func sizes(_ size: Int) throws {
        let isValid = (1...200).contains(size)
        #expect((try? DeviceTokenText(Data(repeating: 7, count: size)))?.hex.count == (isValid ? size * 2 : nil))
    }

    @Test(
        "a token in hexadecimal is taken in either case, and nothing else is",
        arguments: ["ab", "AB", "0123456789abcdefABCDEF", "", "a", "abc", "zz", "ab cd", "0x12", "ａｂ", "é0", "a\u{0}"]
    )
    func hex(_ text: String) throws {
        let isValid = ["ab", "AB", "0123456789abcdefABCDEF"].contains(text)
        #expect((try? DeviceTokenText(hex: text))?.hex == (isValid ? text.lowercased() : nil))
    }

    @Test func theSecretIsPresentedFromTheSecondRequestOn() async throws {
        let fixture = Fixture()
        let client = try fixture.client()
        _ = try await client.register(.token(1))
        _ = try await client.register(.token(2))
        #expect(fixture.transport.calls.entries[1].headers[HeaderName.installationSecret] == "mi_secret")
        // The app is killed and started again.
        _ = try await fixture.client().register(.token(3))
        let ids = Set(fixture.registrations.map(\.installationID))
        #expect(fixture.transport.calls.entries[2].headers[HeaderName.installationSecret] == "mi_secret")
        #expect(ids.count == 1)
    }

    @Test("in a launch nothing is sent while neither token nor user changed and a day has not passed")
    func unchanged() async throws {
        let fixture = Fixture()
        let client = try fixture.client()
        let first = try await client.register(.token())
        fixture.clock.advance(by: 24 * 60 * 60 * 1000 - 1)
        let second = try await client.register(.token())
        #expect(fixture.registrations.count == 1)
        #expect(first == second)
        fixture.clock.advance(by: 1)
        _ = try await client.register(.token())
        #expect(fixture.registrations.count == 2)
        fixture.clock.set(0)
        _ = try await client.register(.token())
        #expect(fixture.registrations.count == 3)
    }

    @Test("each launch registers the token, and says so with an event")
    func eachLaunch() async throws {
        let fixture = Fixture()
        for launch in 1...3 {
            _ = try await fixture.client().register(.token())
            #expect(fixture.registrations.count == launch)
            #expect(fixture.events.recorded.entries == Array(repeating: .init(.tokenRegister), count: launch))
        }
    }

    @Test("a server that does not answer ends a registration after 3 s, which goes on behind it")
    func threeSeconds() async throws {
        let gate = Journal<Void>()
        let fixture = Fixture(
            transport: ScriptedTransport { call, _ in
                _ = await gate.wait(for: 1)
                return .success(.registered(by: call))
            }
        )
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        let client = try fixture.client()
        let start = fixture.clock.now
        client.didRegister(token: Data(repeating: 0xAB, count: 32))
        await fixture.clock.passSleep(1)
        #expect(fixture.clock.now - start == 3000)
        #expect(await errors.wait(for: 1) == [.networkError(TransportError.timedOut)])
        gate.add(())
        #expect(try await client.register(.token()).isActive)
        #expect(fixture.registrations.count == 1)
        #expect(try client.context.identity.secret() == "mi_secret")
    }

    @Test("a registration that failed after its 3 s is not told again, and one that waits for another has 3 s too")
    func afterThreeSeconds() async throws {
        let gate = Journal<Void>()
        let fixture = Fixture(
            transport: ScriptedTransport { _, _ in
                _ = await gate.wait(for: 1)
                return .success(.error(403, .forbidden, "No."))
            }
        )
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        let client = try fixture.client()
        for byte in [1, 2] as [UInt8] { client.didRegister(token: Data([byte])) }
        _ = await fixture.clock.sleeps.wait(for: 2)
        _ = await fixture.transport.calls.wait(for: 1)
        fixture.clock.advance(by: 3000)
        let timedOut = PushNotificationError.networkError(TransportError.timedOut)
        #expect(await errors.wait(for: 2) == [timedOut, timedOut])
        gate.add(())
        await client.registrar.settled()
        await MainQueue.drain()
        #expect(fixture.registrations.map(\.token) == ["01", "02"])
        #expect(errors.entries.count == 2)
    }

    @Test("a permission that changes is told in the same launch")
    func permission() async throws {
        let fixture = Fixture(platform: RecordingPlatform())
        let client = try fixture.client()
        _ = try await client.register(.token())
        let answers = Journal<Bool>()
        client.requestPermission { if case .success(let isAllowed) = $0 { answers.add(isAllowed) } }
        _ = await answers.wait(for: 1)
        _ = await fixture.transport.calls.wait(for: 2)
        fixture.platform.status = .denied
        client.didBecomeActive()
        _ = await fixture.transport.calls.wait(for: 3)
        #expect(fixture.registrations.map(\.permission) == [.notDetermined, .authorized, .denied])
    }

    @Test("events that wait for one server do not go to another")
    func eventsOfAnotherServer() async throws {
        let fixture = Fixture()
        var environment = fixture.environment
        environment.makeEvents = { EventRecorder($0, treasureData: nil) }
        let first = PushClient(try .valid(), in: environment)
        first.events.record(.open, try .alert("m1"), value: nil)
        first.close()
        let second = PushClient(try .valid(host: "other.example.com"), in: environment)
        _ = try await second.register(.token())
        second.events.record(.open, try .alert("m2"), value: nil)
        await second.events.flush()
        let bodies = fixture.transport.calls.entries.filter { $0.url.lastPathComponent == "events" }.map { call in
            call.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        #expect(bodies.contains { $0.contains("\"m2\"") })
        #expect(!bodies.contains { $0.contains("\"m1\"") })
    }

    @Test("another server, and another app, hear nothing of the first one's secret", arguments: [true, false])
    func anotherServer(isSameServer: Bool) async throws {
        let fixture = Fixture()
        _ = try await fixture.client().register(.token())
        var other = isSameServer ? try SDKConfiguration.valid() : try .valid(host: "other.example.com")
        if isSameServer { other.app = "another" }
        let client = try fixture.client(other)
        #expect(try client.context.identity.secret() == nil)
        _ = try await client.register(.token())
        #expect(fixture.transport.calls.entries.map { $0.headers[HeaderName.installationSecret] } == [nil, nil])
        // Back at the first one, its secret is known still.
        #expect(try fixture.client().context.identity.secret() == "mi_secret")
    }

    @Test("what failed is tried again in the same launch, and a system that gave no token is asked again")
    func againInTheSameLaunch() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                index < 4 ? .failure(.unreachable("offline")) : .success(.registered(by: call))
            }
        )
        let client = try fixture.client()
        client.didRegister(token: Data([1]))
        // Four waits, and one for the 3 s.
        for attempt in 1...5 { await fixture.clock.passSleep(attempt) }
        _ = await fixture.transport.calls.wait(for: 5)
        client.didLaunch()
        _ = await fixture.platform.requests.wait { $0 == .register }
        client.didFailToRegister(TransportError.failed("x"))
        let before = fixture.platform.requests.entries.filter { $0 == .register }.count
        client.didBecomeActive()
        while fixture.platform.requests.entries.filter({ $0 == .register }).count == before, !Task.isCancelled {
            await Task.yield()
        }
    }

    @Test("coming to the front and the same token again shorten no back-off, which grows; a login does not wait for it")
    func backOff() async throws {
        let fixture = Fixture(transport: ScriptedTransport(.failure(.unreachable("offline"))))
        let client = try fixture.client()
        async let ended = client.outcome()
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await ended.failure != nil)
        let failed = fixture.clock.now
        fixture.transport.answer { call, _ in .success(.registered(by: call)) }
        for _ in 0..<9 {
            client.didBecomeActive()
            client.didRegister(token: Data(repeating: 0xAB, count: 32))
        }
        await client.registrar.settled()
        #expect(fixture.transport.calls.entries.count == 4)
        fixture.transport.answer { _, _ in .success(.error(500, .internalError)) }
        // Three quarters of 30 s.
        #expect(await fixture.clock.sleeps.wait(for: 4).last == failed + 22_500)
        for attempt in 4...7 { await fixture.clock.passSleep(attempt) }
        #expect(await fixture.clock.sleeps.wait(for: 8).last == fixture.clock.now + 45_000)
        #expect(fixture.transport.calls.entries.count == 8)
        fixture.transport.answer { call, _ in .success(.registered(by: call)) }
        client.didBecomeActive()
        client.login("u1")
        #expect(await fixture.transport.calls.wait(for: 9).last?.registration?.userID == .value("u1"))
        await client.registrar.settled()
        #expect(fixture.transport.calls.entries.count == 9)
    }

    @Test func anotherTokenAndAnotherUserAreSent() async throws {
        let fixture = Fixture()
        let client = try fixture.client()
        _ = try await client.register(.token(1))
        let gate = Journal<Void>()
        fixture.transport.answer { call, _ in
            _ = await gate.wait(for: 1)
            return .success(.registered(by: call))
        }
        async let second = client.register(.token(2))
        _ = await fixture.transport.calls.wait(for: 2)
        // What the server is told of the user next waits for the registration that is under way.
        client.login("u1")
        client.logout()
        gate.add(())
        _ = try await second
        _ = try await client.register(.token(2))
        #expect(fixture.registrations.last?.userID == .null)
        #expect(fixture.registrations.map(\.token?.first) == ["0", "0", "0"])
        #expect(fixture.registrations.count == 3)
        #expect(fixture.events.recorded.entries.count == 3)
    }

    @Test("three attempts follow the first, after longer and longer waits", arguments: [429, 500, 502, 503, 504])
    func retries(_ status: Int) async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(status, .internalError, "Later."))))
        let client = try fixture.client()
        let start = fixture.clock.now
        async let ended = client.outcome()
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        #expect(await ended == .failure(.serverError(statusCode: status, message: "Later.")))
        #expect(fixture.transport.calls.entries.count == 4)
        // Three quarters of 500, 1,000 and 2,000 ms: the fixture's jitter is a half, of the half that is jittered.
        #expect(fixture.clock.sleeps.entries.prefix(3).map { $0 - start } == [375, 1125, 2625])
        #expect(fixture.platform.requests.entries == [.beginTask("martlet.registration"), .endTask])
    }

    @Test("a network error is tried again, and the attempt that succeeds ends it")
    func retriesNetworkErrors() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                index < 2 ? .failure(.unreachable("offline")) : .success(.registered(by: call))
            }
        )
        let client = try fixture.client()
        async let ended = client.outcome()
        for attempt in 1...2 { await fixture.clock.passSleep(attempt) }
        #expect(try await ended.get().isActive)
        #expect(fixture.transport.calls.entries.count == 3)
    }

    @Test("a connection that the app's own check refused is tried again")
    func pinned() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                index == 0 ? .failure(.cancelled) : .success(.registered(by: call))
            }
        )
        let client = try fixture.client()
        async let ended = client.outcome()
        if await fixture.transport.calls.wait(for: 1).count == 1 { await fixture.clock.passSleep(1) }
        #expect(try await ended.get().isActive)
    }

    @Test(
        "an answer that another attempt would not change ends it at once",
        arguments: [400, 401, 403, 404, 409, 413, 415, 422, 301, 204, 200]
    )
    func noRetries(_ status: Int) async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(status, .forbidden, "Never."))))
        let client = try fixture.client()
        let result = await client.outcome()
        guard case .failure(.serverError(status, let message)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(message == (status < 300 ? "The answer is not a registration." : "Never."))
        #expect(fixture.transport.calls.entries.count == 1)
        #expect(fixture.clock.sleeps.entries.isEmpty)
    }

    @Test("the server's Retry-After is waited for, and one that is too long ends the attempts")
    func retryAfter() async throws {
        let short = Fixture(
            transport: ScriptedTransport { call, index in
                .success(
                    index == 0 ? .error(429, .tooManyRequests, headers: ["retry-after": "7"]) : .registered(by: call)
                )
            }
        )
        let client = try short.client()
        let start = short.clock.now
        async let ended = client.outcome()
        await short.clock.passSleep(1)
        #expect(try await ended.get().isActive)
        #expect(short.clock.sleeps.entries == [start + 7250])

        let long = Fixture(
            transport: ScriptedTransport { call, index in
                .success(index == 0 ? .error(503, .overloaded, headers: ["Retry-After": "600"]) : .registered(by: call))
            }
        )
        let patient = try long.client()
        #expect(throwsServerError(503, await patient.outcome()))
        // Until then the server is left alone.
        #expect(throwsServerError(429, await patient.outcome()))
        #expect(long.transport.calls.entries.count == 1)
        long.clock.advance(by: 600_000)
        #expect(try await patient.register(.token()).isActive)
    }

    @Test("after a clock was set back a day, registrations wait for what the server asked for, and no longer")
    func clockSetBack() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                .success(index == 0 ? .error(503, .overloaded, headers: ["Retry-After": "600"]) : .registered(by: call))
            }
        )
        let client = try fixture.client()
        #expect(throwsServerError(503, await client.outcome()))
        fixture.clock.set(fixture.clock.now - 86_400_000)
        #expect(throwsServerError(429, await client.outcome()))
        fixture.clock.advance(by: 600_000)
        #expect(try await client.register(.token()).isActive)
    }

    @Test("errors reach the app's handler once for each registration that failed")
    func errorsAreReported() async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(403, .forbidden, "No."))))
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        let client = try fixture.client()
        client.didRegister(token: Data([1]))
        #expect(await errors.wait(for: 1) == [.serverError(statusCode: 403, message: "No.")])
        client.didRegister(token: Data())
        #expect(await errors.wait(for: 2).last == .invalidToken)
        client.didFailToRegister(TransportError.failed("x"))
        guard case .registrationFailed? = await errors.wait(for: 3).last else {
            Issue.record("\(errors.entries)")
            return
        }
    }

    @Test("an installation that the server does not take begins anew, once a launch")
    func renewal() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                .success(
                    index == 1 ? .error(401, .installationSecretRequired) : .registered(by: call, secret: "s\(index)")
                )
            }
        )
        let client = try fixture.client()
        _ = try await client.register(.token(1))
        _ = try await client.register(.token(2))
        let requests = fixture.registrations
        #expect(requests.count == 3)
        #expect(requests[0].installationID == requests[1].installationID)
        #expect(requests[1].installationID != requests[2].installationID)
        #expect(fixture.transport.calls.entries[2].headers[HeaderName.installationSecret] == nil)
        #expect(try client.context.identity.secret() == "s2")

        fixture.transport.answer { _, _ in .success(.error(401, .installationSecretRequired)) }
        #expect(throwsServerError(401, await client.outcome(3)))
        #expect(fixture.transport.calls.entries.count == 4)
    }

    @Test("no line of the log holds a token, a key, a secret or a user")
    func logIsRedacted() async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(500, .internalError))))
        let client = try fixture.client(try .valid(apiKey: "mk_very_secret", player: "player-12345"))
        async let ended = client.outcome()
        for attempt in 1...3 { await fixture.clock.passSleep(attempt) }
        _ = await ended
        fixture.transport.answer { call, _ in .success(.registered(by: call, secret: "mi_issued")) }
        _ = try await client.register(.token())
        let lines = fixture.log.entries.joined(separator: "\n")
        #expect(!lines.isEmpty)
        for secret in ["mk_very_secret", "player-12345", "mi_issued", "abab"] { #expect(!lines.contains(secret)) }
    }
}

extension PushClient {
    /// What a registration comes to.
    func outcome(
        _ byte: UInt8 = 0xAB,
        within limit: Int64? = nil
    ) async -> Result<DeviceTokenRegistrationResponse, PushNotificationError> {
        do throws(PushNotificationError) {
            return .success(try await register(.token(byte), within: limit))
        } catch {
            return .failure(error)
        }
    }
}

private func throwsServerError<Value>(_ status: Int, _ result: Result<Value, PushNotificationError>) -> Bool {
    if case .failure(.serverError(status, _)) = result { true } else { false }
}
