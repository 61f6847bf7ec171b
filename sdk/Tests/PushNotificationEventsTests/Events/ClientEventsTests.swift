import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The events of a client", .timeLimit(.minutes(1))) struct ClientEventsTests {
    /// A server that registers and takes one event a request, so that no body is packed.
    private let server = ScriptedTransport { call, _ in
        guard call.url.path.hasSuffix("/events") else { return .success(.registered(by: call)) }
        let count = call.eventsSent?.events.count ?? 0
        return .success(.json(200, EventsResponse(receipts: Array(repeating: .kept, count: count))))
    }
    private let storage = MemoryStore()
    private let clock = ManualClock(now: Sample.noon)
    private let platform = RecordingPlatform(status: .authorized)

    private let container = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// A client that talks to ``server``, or to another one.
    private func launch(with transport: ScriptedTransport? = nil) throws -> PushClient {
        var configuration = try SDKConfiguration(
            apiURL: URL(string: "https://api.example.com")!,
            apiKey: "client-key",
            playerAccountId: "player-1"
        )
        configuration.appGroup = "group.example"
        var environment = PushEnvironment(
            platform: platform,
            transport: transport ?? server,
            storage: storage,
            clock: clock
        )
        environment.random = { 0.5 }
        environment.container = { [container] _ in container }
        environment.bundleID = Sample.app
        return PushClient(configuration, in: environment)
    }

    private var uploads: [HTTPCall] { server.calls.entries.filter { $0.url.path.hasSuffix("/events") } }

    @Test("nothing is uploaded before the installation is registered, then token_register is") func registers()
        async throws
    {
        let client = try launch()
        await client.events.flush()
        #expect(uploads.isEmpty)
        _ = try await client.register(DeviceTokenText(Data([0xA1, 0xB2])))
        await client.events.flush()
        let call = try #require(uploads.first)
        #expect(call.url.absoluteString == "https://api.example.com/api/v1/events")
        #expect(call.headers["Authorization"] == "Bearer client-key")
        #expect(call.headers[HeaderName.installationSecret] == "mi_secret")
        let event = try #require(call.eventsSent?.events.first)
        #expect(event.type == .tokenRegister)
        #expect(event.apnsToken == "a1b2")
        #expect(event.userID == "player-1")
        #expect(event.deviceModel == "iPhone16,1")
        #expect(try event.installationID == client.context.identity.installationID())
    }

    @Test("what was recorded before a kill is uploaded by the next launch, once") func killed() async throws {
        let first = try launch()
        _ = try await first.register(DeviceTokenText(Data([0xA1])))
        await first.events.flush()
        first.willPresent(Sample.notification("m1")) { _ in }
        first.close()
        let before = uploads.count
        let second = try launch()
        await second.events.flush()
        await second.events.flush()
        let later = uploads.dropFirst(before).compactMap { $0.eventsSent?.events }
        #expect(later.map { $0.map(\.type) } == [[.delivery]])
        #expect(later.first?.first?.messageID == "m1")
    }

    @Test("an app that is left and woken while its server is down asks it no more often; the app itself may")
    @MainActor
    func backoffInBackground() async throws {
        let tried = Journal<Void>()
        let server = ScriptedTransport { call, _ in
            guard call.url.path.hasSuffix("/events") else { return .success(.registered(by: call)) }
            tried.add(())
            return .failure(.unreachable("offline"))
        }
        let client = try launch(with: server)
        _ = try await client.register(DeviceTokenText(Data([0xA1])))
        await client.events.flush()
        let (before, ended) = (tried.entries.count, tasksEnded)
        #expect(before > 0)
        let silent = NotificationPayload(userInfo: ["aps": ["content-available": 1], "message_id": "m1"])
        client.didEnterBackground()
        client.didReceiveRemote(silent, in: .background) { _ in }
        client.didEnterBackground()
        while tasksEnded < ended + 3, !Task.isCancelled { await Task.yield() }
        #expect(tried.entries.count == before)
        await client.events.flush()
        #expect(tried.entries.count == before + 1)
        client.close()
    }

    /// How many background tasks have ended.
    private var tasksEnded: Int { platform.requests.entries.filter { $0 == .endTask }.count }

    @Test("a delivery that is found in the list later belongs to who was logged in when it arrived, at that time")
    func deliveriesOfOthers() async throws {
        func listed(_ id: String, after seconds: Int64) -> ReceivedNotification {
            var notification = Sample.notification(id, identifier: id)
            notification.date = Sample.noon + seconds * 1000
            return notification
        }
        // It takes no events, so that all of them stay where they are looked for.
        let server = ScriptedTransport { call, _ in
            call.url.path.hasSuffix("/events") ? .failure(.unreachable("offline")) : .success(.registered(by: call))
        }
        let first = try launch(with: server)
        _ = try await first.register(DeviceTokenText(Data([0xA1])))
        clock.advance(by: 60_000)
        first.login("player-2")
        first.close()
        // Behind, without the app: two while the second player is there, and one after the next process has a third.
        clock.advance(by: 60_000)
        let second = try launch(with: server)
        second.logout()
        clock.advance(by: 60_000)
        second.login("player-3")
        platform.delivered = [
            listed("m1", after: 30), listed("m2", after: 60), listed("m3", after: 150), listed("m4", after: 180),
            listed("m5", after: 9999),
        ]
        clock.advance(by: 60_000)
        second.didBecomeActive()
        var deliveries: [PushEvent] { EventStore(storage).peek(100).filter { $0.type == .delivery } }
        while deliveries.count < 5, !Task.isCancelled { await Task.yield() }
        #expect(deliveries.map(\.message.messageID) == ["m1", "m2", "m3", "m4", "m5"])
        #expect(deliveries.map(\.context.userID) == ["player-1", "player-2", nil, "player-3", "player-3"])
        #expect(deliveries.map { $0.time - Sample.noon } == [30_000, 60_000, 150_000, 180_000, 240_000])
    }

    @Test("without consent nothing is recorded and nothing is uploaded") func consent() async throws {
        let client = try launch()
        _ = try await client.register(DeviceTokenText(Data([0xA1])))
        client.isTrackingEnabled = false
        let before = uploads.count
        client.willPresent(Sample.notification("m1")) { _ in }
        await client.events.flush()
        client.isTrackingEnabled = true
        await client.events.flush()
        #expect(uploads.count == before)
    }

    @Test(
        "what the service extension saw without consent is never uploaded, whether the app was in front meanwhile or not",
        arguments: [true, false]
    )
    func extensionWithoutConsent(isInFront: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: container) }
        let client = try launch()
        _ = try await client.register(DeviceTokenText(Data([0xA1])))
        await client.events.flush()
        let before = uploads.count
        client.isTrackingEnabled = false
        let event = PushEvent(id: UUID(), type: .delivery, time: clock.now, message: MessageReference(messageID: "m1"))
        try EventSpool(container: container, app: Sample.app).write(event)
        if isInFront { client.events.didBecomeActive() }
        client.isTrackingEnabled = true
        await client.events.flush()
        #expect(uploads.count == before)
    }
}

extension HTTPCall {
    /// The events of this request, where its body is not packed.
    fileprivate var eventsSent: EventsRequest? {
        body.flatMap { try? JSONDecoder().decode(EventsRequest.self, from: $0) }
    }
}
