// The SDK's figures of `make bench`, as one line of JSON: milliseconds, the median of several runs.

import Dispatch
import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

let environment = PushEnvironment(
    platform: RecordingPlatform(status: .authorized),
    transport: ScriptedTransport(.failure(.unreachable("none"))),
    storage: MemoryStore()
)

func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try work()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }

/// A first configuration, with nothing read before.
func configuring() throws -> Double {
    let configuration = try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "client-key")
    return try median(
        (0..<101).map { _ in
            PushNotificationSDK.reset()
            return try milliseconds { try PushNotificationSDK.configure(configuration) { environment } }
        }
    )
}

/// 1,000 events into the defaults of a user.
func writing(_ write: (EventStore, [PushEvent]) -> Void) -> Double {
    let events = (0..<1000).map { number in
        var event = PushEvent(id: UUID(), type: .linkOpen, time: Int64(number))
        event.message = MessageReference(messageID: UUID().uuidString, campaignID: "summer", requestID: "r")
        event.value = "https://example.com/promo?item=\(number)"
        event.context.userID = "player-12345"
        event.context.installationID = "0195d5a0-7b1c-7c3d-8e4f-001122334455"
        event.context.apnsToken = String(repeating: "a1b2c3d4", count: 8)
        event.context.deviceModel = "iPhone16,1"
        event.context.osVersion = "18.0"
        event.context.appVersion = "2.1"
        return event
    }
    return median(
        (0..<11).map { _ in
            let name = "martlet.bench.\(UUID().uuidString)"
            guard let defaults = UserDefaults(suiteName: name) else { return .infinity }
            defer { defaults.removePersistentDomain(forName: name) }
            let store = EventStore(UserDefaultsStore(defaults, marker: nil))
            return milliseconds { write(store, events) }
        }
    )
}

/// From the system's call on another thread to the app's handler on the main thread.
func handling() async throws -> Double {
    let configuration = try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "client-key")
    let client = PushClient(configuration, in: environment)
    let called = Journal<UInt64>()
    client.handlers.received.handler = { _ in called.add(DispatchTime.now().uptimeNanoseconds) }
    var figures: [Double] = []
    for number in 0..<101 {
        let payload = NotificationPayload(userInfo: ["aps": ["alert": "x"], "message_id": "m\(number)"])
        let start = DispatchTime.now().uptimeNanoseconds
        client.willPresent(ReceivedNotification(identifier: "\(number)", payload: payload)) { _ in }
        figures.append(Double(await called.wait(for: number + 1)[number] - start) / 1e6)
    }
    return median(figures)
}

/// One registration with a server that takes a second.
func registering() async throws -> Double {
    var environment = environment
    environment.storage = MemoryStore()
    environment.transport = ScriptedTransport { call, _ in
        try? await Task.sleep(nanoseconds: 1_000_000_000)
        return .success(.registered(by: call))
    }
    let configuration = try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "client-key")
    let client = PushClient(configuration, in: environment)
    let start = DispatchTime.now().uptimeNanoseconds
    _ = try await client.register(DeviceTokenText(Data(repeating: 0xA1, count: 32)))
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
}

let configure = try configuring()
let atOnce = writing { store, events in store.append(contentsOf: events) }
let oneByOne = writing { store, events in for event in events { store.append(event) } }
Task.detached {
    do {
        let (handler, registration) = (try await handling(), try await registering())
        let figures = [
            "configure_ms": configure, "handler_ms": handler, "events_1000_ms": atOnce,
            "events_one_by_one_ms": oneByOne, "registration_ms": registration,
        ]
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}
dispatchMain()
