import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The event of a registration", .timeLimit(.minutes(1))) struct RegistrationEventTests {
    private let events = Journal<EventRequest>()
    private let storage = MemoryStore()

    private func launch() throws -> PushClient {
        let server = ScriptedTransport { [events] call, _ in
            guard call.url.path.hasSuffix("/events") else { return .success(.registered(by: call)) }
            let sent = call.body.flatMap { try? JSONDecoder().decode(EventsRequest.self, from: $0) }
            for event in sent?.events ?? [] { events.add(event) }
            return .success(.json(200, EventsResponse(receipts: (sent?.events ?? []).map { _ in .kept })))
        }
        let environment = PushEnvironment(
            platform: RecordingPlatform(status: .authorized),
            transport: server,
            storage: storage,
            clock: ManualClock(now: Sample.noon)
        )
        let url = try #require(URL(string: "https://api.example.com"))
        return PushClient(try SDKConfiguration(apiURL: url, apiKey: "client-key"), in: environment)
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
}
