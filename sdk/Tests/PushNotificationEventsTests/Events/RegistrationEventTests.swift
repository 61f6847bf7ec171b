import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The event of a registration", .timeLimit(.minutes(1))) struct RegistrationEventTests {
    private let events = Journal<EventRequest>()
    private let storage = MemoryStore()

    private func launch(_ host: String = "api.example.com", group: URL? = nil) throws -> PushClient {
        let server = ScriptedTransport { [events] call, _ in
            guard call.url.path.hasSuffix("/events") else { return .success(.registered(by: call)) }
            let sent = call.body.flatMap { try? JSONDecoder().decode(EventsRequest.self, from: $0) }
            for event in sent?.events ?? [] { events.add(event) }
            return .success(.json(200, EventsResponse(receipts: (sent?.events ?? []).map { _ in .kept })))
        }
        var environment = PushEnvironment(
            platform: RecordingPlatform(status: .authorized),
            transport: server,
            storage: storage,
            clock: ManualClock(now: Sample.noon)
        )
        environment.container = { _ in group }
        environment.bundleID = Sample.app
        let url = try #require(URL(string: "https://\(host)"))
        var configuration = try SDKConfiguration(apiURL: url, apiKey: "client-key")
        if group != nil { configuration.appGroup = "group.com.example.game" }
        return PushClient(configuration, in: environment)
    }

    @Test("a process that dies while it registers leaves it to the next one to report the token", arguments: 0..<10)
    func dies(writes: Int) async throws {
        let token = try DeviceTokenText(Data([0xA1]))
        let first = try launch()
        storage.crash(afterWrites: writes)
        _ = try await first.register(token)
        first.close()
        storage.crash(afterWrites: nil)
        let second = try launch()
        _ = try await second.register(token)
        await second.events.flush()
        #expect(events.entries.contains { $0.type == .tokenRegister && $0.apnsToken == "a1" })
        second.close()
    }

    @Test(
        "what the extension saw for one server does not go to another, whatever the app does first",
        arguments: ["collects", "logs in", "registers"]
    )
    func anotherServer(first: String) async throws {
        let group = Sample.folder()
        defer { try? FileManager.default.removeItem(at: group) }
        let token = try DeviceTokenText(Data([0xA1]))
        let one = try launch(group: group)
        _ = try await one.register(token)
        one.close()
        let spool = EventSpool(container: group, app: Sample.app)
        try #require(spool.access() != nil)
        var seen = PushEvent(id: UUID(), type: .delivery, time: Sample.noon, message: MessageReference(messageID: "m1"))
        seen.context = spool.context()
        try spool.write(seen)
        let other = try launch("other.example.com", group: group)
        switch first {
        case "logs in": other.login("player-1")
        case "registers": _ = try await other.register(token)
        default: break
        }
        other.events.didBecomeActive()
        _ = try await other.register(token)
        other.events.didBecomeActive()
        other.events.record(.open, Sample.notification("m2"), value: nil)
        while !events.entries.contains(where: { $0.messageID == "m2" }), !Task.isCancelled {
            await other.events.flush()
        }
        #expect(!events.entries.contains { $0.messageID == "m1" })
        #expect(other.recorder?.tallies.map(\.waiting) == [0])
        #expect(spool.access()?.server == other.context.configuration.server)
        other.close()
    }

    @Test("what the extension saw before its app was started again goes to the same server")
    func sameServer() async throws {
        let group = Sample.folder()
        defer { try? FileManager.default.removeItem(at: group) }
        let token = try DeviceTokenText(Data([0xA1]))
        let one = try launch(group: group)
        _ = try await one.register(token)
        one.close()
        let spool = EventSpool(container: group, app: Sample.app)
        var seen = PushEvent(id: UUID(), type: .delivery, time: Sample.noon, message: MessageReference(messageID: "m1"))
        seen.context = spool.context()
        try spool.write(seen)
        let next = try launch(group: group)
        next.login("player-1")
        _ = try await next.register(token)
        while !events.entries.contains(where: { $0.messageID == "m1" }), !Task.isCancelled {
            await next.events.flush()
        }
        #expect(events.entries.filter { $0.messageID == "m1" }.count == 1)
        next.close()
    }
}
