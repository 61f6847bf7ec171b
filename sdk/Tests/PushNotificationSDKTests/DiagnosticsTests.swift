import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("What the SDK knows of why pushes come or do not", .timeLimit(.minutes(1))) struct DiagnosticsTests {
    private static let testID = "01920000-0000-7000-8000-000000000009"

    /// A server that takes every registration and sends every test.
    private let fixture = Fixture(
        transport: ScriptedTransport { call, _ in
            guard call.url.path.hasSuffix("/test") else { return .success(.registered(by: call)) }
            return .success(.json(202, ["data": ["id": DiagnosticsTests.testID]]))
        }
    )

    private func login(_ user: String, _ token: String?, _ client: PushClient) async {
        await withCheckedContinuation { continuation in
            client.login(user, token: token) { _ in continuation.resume() }
        }
    }

    private func test(_ client: PushClient) async -> Result<String, PushNotificationError> {
        await outcome { () async throws(PushNotificationError) in try await client.sendTest() }
    }

    private func present(_ notification: ReceivedNotification, _ client: PushClient) async {
        await withCheckedContinuation { continuation in
            client.willPresent(notification) { _ in continuation.resume() }
        }
    }

    private func respond(_ response: PersonResponse, _ client: PushClient) async {
        await withCheckedContinuation { continuation in client.didReceive(response) { continuation.resume() } }
    }

    @MainActor
    private func wake(
        _ notification: ReceivedNotification,
        _ client: PushClient,
        in state: ApplicationState = .background,
        isAutomatic: Bool = false
    ) async {
        await withCheckedContinuation { continuation in
            client.didReceiveRemote(notification.payload, in: state, isAutomatic: isAutomatic) { _ in
                continuation.resume()
            }
        }
    }

    @Test("a device that is as it should be has a token, a permission, an owner and a registration, and no problem")
    func healthy() async throws {
        var environment = fixture.environment
        environment.makeEvents = { EventRecorder($0, treasureData: nil) }
        var configuration = try SDKConfiguration.valid()
        configuration.apnsEnvironment = .sandbox
        fixture.handlers.received.handler = { _ in }
        let client = PushClient(configuration, in: environment, handlers: fixture.handlers)
        let token = try await client.register(.token())
        await login("a", nil, client)
        let known = await client.diagnostics()
        #expect(known.problems == [])
        #expect(known.date == Date(milliseconds: fixture.clock.now) && known.apiURL == configuration.apiURL)
        #expect(known.installationID == token.installationID.description)
        #expect(known.deviceToken == String(repeating: "ab", count: 32) && known.isDeviceTokenFresh)
        #expect(known.environment == .sandbox && known.permission == .authorized && !known.usesFirebase)
        #expect(known.registeredAt == known.date && known.isActive == true)
        #expect(known.user == "a" && known.owners == ["a"] && !known.needsUserToken && !known.hasUserToken)
        #expect(known.applicationDelegate == .sdk && known.centerDelegate == .sdk && known.automaticForwarding)
        #expect(known.isTrackingEnabled && known.eventQueue?.waiting == 2)
        let registered = PushNotificationDiagnostics.Event.answer(
            request: "POST /api/v1/tokens",
            status: 201,
            code: nil
        )
        #expect(known.history.first == .init(date: known.date, event: registered))
    }

    @Test("a device on which nothing was done yet says what is missing")
    func empty() async throws {
        fixture.platform.status = .notDetermined
        fixture.platform.delegates = DelegateForwarding(application: .app, center: .noDelegate)
        let known = try await fixture.client().diagnostics()
        #expect(known.problems == [.permissionMissing, .notForwarded, .deviceTokenMissing, .noHandler])
        #expect(known.owners == nil && known.registeredAt == nil && known.isActive == nil && known.history == [])
        fixture.storage.lock(true)
        let locked = try await fixture.client().diagnostics()
        #expect(locked.problems.first == .deviceLocked && locked.installationID == nil && locked.user == nil)
    }

    @Test("a user whom the server has not acknowledged is seen, and so is the token that is missing after a launch")
    func anotherOwner() async throws {
        let server = SignedServer()
        let fixture = Fixture(transport: server.transport)
        let first = try fixture.client()
        _ = try await first.register(.token())
        await login("a", "jwt.of.a", first)
        let online = await first.diagnostics()
        #expect(online.owners == ["a"] && online.hasUserToken && !online.problems.contains(.anotherOwner))
        server.isOffline = true
        first.login("b", token: "jwt.of.b")
        _ = await fixture.clock.sleeps.wait(for: 1)
        let offline = await first.diagnostics()
        #expect(offline.user == "b" && offline.owners == ["a", "b"])
        #expect(offline.problems.contains(.anotherOwner) && !offline.problems.contains(.userTokenMissing))
        let lost = PushNotificationError.networkError(TransportError.unreachable("offline"))
        #expect(offline.history.last?.event == .noAnswer(request: "POST /api/v1/tokens", error: lost))
        first.close()
        server.isOffline = false
        let next = try fixture.client()
        _ = try await next.register(.token())
        let known = await next.diagnostics()
        #expect(known.user == "b" && known.owners == [] && known.needsUserToken && !known.hasUserToken)
        #expect(known.problems.contains(.userTokenMissing) && known.problems.contains(.anotherOwner))
        let text = DiagnosticsReport(known, in: .english).text
        #expect(text.contains("Logged in: b\n") && text.contains("Owner at the server: nobody\n"), "\(text)")
    }

    @Test(
        "a push in front that is told in two ways is listed once, by the way that came first",
        arguments: [#""sound":"x""#, #""alert":"x""#],
        [false, true]
    )
    func listedOnce(_ aps: String, wakesFirst: Bool) async throws {
        let client = try fixture.client()
        let push = try ReceivedNotification.push(#"{"aps":{\#(aps),"content-available":1},"message_id":"m1"}"#)
        if !wakesFirst { await present(push, client) }
        await wake(push, client, in: .active, isAutomatic: true)
        await wake(push, client, in: .active)
        if wakesFirst { await present(push, client) }
        let arrivals = await client.diagnostics().history.compactMap { entry in
            if case .push(let push) = entry.event { push.arrival } else { nil }
        }
        #expect(arrivals == [wakesFirst ? .woke : .inFront])
        #expect(fixture.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("a push without an id, another vendor's and the app's own notification are told from each other")
    func pushes() async throws {
        let client = try fixture.client()
        await present(try .push(#"{"aps":{"alert":"x"}}"#), client)
        await present(try .push(#"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#), client)
        await present(try .push(#"{"aps":{"alert":"x"}}"#, isRemote: false), client)
        await wake(try .push(#"{"aps":{"content-available":1},"message_id":"m1"}"#), client)
        for action in [PersonResponse.Action.tap, .button("REPLY"), .dismiss] {
            await respond(PersonResponse(try .alert("m2"), action), client)
        }
        let known = await client.diagnostics()
        let pushes = known.history.compactMap { entry in
            if case .push(let push) = entry.event { push } else { nil }
        }
        #expect(
            pushes == [
                .init(arrival: .inFront, messageID: nil, isCounted: false, isHandled: true),
                .init(arrival: .inFront, messageID: nil, isCounted: false, isHandled: false),
                .init(arrival: .woke, messageID: "m1", isCounted: true, isHandled: true),
                .init(arrival: .tapped, messageID: "m2", isCounted: true, isHandled: true),
                .init(arrival: .buttonTapped, messageID: "m2", isCounted: true, isHandled: true),
                .init(arrival: .dismissed, messageID: "m2", isCounted: true, isHandled: true),
            ]
        )
        #expect(known.problems.suffix(2) == [.pushOfAnotherVendor, .pushWithoutID])
    }

    @Test("a test is sent to the device with its secret and without words, and its arrival is seen")
    func sendsTest() async throws {
        let client = try fixture.client()
        #expect(await test(client).failure?.errorCode == 7)
        #expect(fixture.transport.calls.entries.isEmpty)
        let registered = try await client.register(.token())
        let id = try await client.sendTest()
        #expect(id == Self.testID)
        let call = try #require(fixture.transport.calls.entries.last)
        #expect(call.method == "POST" && call.body == nil)
        #expect(call.url.path == "/api/v1/installations/\(registered.installationID)/test")
        #expect(call.headers[HeaderName.installationSecret] == "mi_secret" && call.bearer == "mk_client_key")
        #expect(await !client.diagnostics().hasArrived(id))
        await present(try .alert(id), client)
        #expect(await client.diagnostics().hasArrived(id))
    }

    @Test(
        "a test that the server refuses, or that finds no server, is asked for once and ends with the reason",
        arguments: [409, 429, 500, 0]
    )
    func testIsRefused(_ status: Int) async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        fixture.transport.answer { _, _ in
            status == 0 ? .failure(.unreachable("offline")) : .success(.error(status, .conflict, "device_off"))
        }
        let failure = await test(client).failure
        let expected: PushNotificationError =
            status == 0
            ? .networkError(TransportError.unreachable("offline"))
            : .serverError(statusCode: status, message: "device_off")
        #expect(failure == expected)
        #expect(fixture.transport.calls.entries.count == 2)
        let request = "POST \(try #require(fixture.transport.calls.entries.last).url.path)"
        let event = await client.diagnostics().history.last?.event
        if status == 0 {
            #expect(event == .noAnswer(request: request, error: expected))
        } else {
            #expect(event == .answer(request: request, status: status, code: "conflict"))
        }
    }

    @Test("the newest 50 answers, errors and pushes of a client are kept, and none of the one that takes over from it")
    func history() async throws {
        let first = try fixture.client()
        _ = try await first.register(.token())
        first.close()
        let next = PushClient(try .valid(), in: first.context.environment, handlers: fixture.handlers)
        #expect(await next.diagnostics().history == [])
        for _ in 0..<60 {
            _ = try await next.sendTest()
            fixture.clock.advance(by: 1000)
        }
        next.context.report(.invalidToken)
        let history = await next.diagnostics().history
        #expect(history.count == 50 && history.last?.event == .error(.invalidToken))
        #expect(history.first?.date == Date(milliseconds: fixture.clock.now - 49_000))
        #expect(first.history.entries.count == 1)
    }

    @Test("neither the value nor its text holds the key, the installation's secret or a user's token")
    func noSecrets() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        await login("a", "jwt.of.a", client)
        _ = try await client.sendTest()
        let known = await client.diagnostics()
        var dumped = ""
        dump(known, to: &dumped)
        let texts = [
            DiagnosticsReport(known, in: .english).text, DiagnosticsReport(known, in: .japanese).text,
            "\(known)", known.text, String(reflecting: known), dumped,
        ]
        for text in texts {
            for secret in ["mk_client_key", "mi_secret", "jwt.of.a"] { #expect(!text.contains(secret), "\(text)") }
        }
        let token = try #require(known.deviceToken)
        for text in texts.prefix(4) { #expect(!text.contains(token)) }
        #expect(fixture.storage.values.keys.allSatisfy { !$0.contains("diagnostic") })
    }
}
