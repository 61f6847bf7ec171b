import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// One install with everything around it under the test's control.
struct Fixture: Sendable {
    let platform: RecordingPlatform
    let transport: ScriptedTransport
    let storage: MemoryStore
    let clock = ManualClock()
    let events = RecordingEvents()
    let handlers = Handlers()
    let log = Journal<String>()

    init(
        platform: RecordingPlatform = RecordingPlatform(status: .authorized),
        transport: ScriptedTransport = .registering(),
        storage: MemoryStore = MemoryStore()
    ) {
        self.platform = platform
        self.transport = transport
        self.storage = storage
    }

    var environment: PushEnvironment {
        var environment = PushEnvironment(platform: platform, transport: transport, storage: storage, clock: clock)
        environment.random = { 0.5 }
        environment.log = { [log] _, line in log.add(line) }
        environment.makeEvents = { [events] _ in events }
        environment.makeLinks = { _, _ in NoLinks() }
        environment.makeRefresh = { _ in NoRefresh() }
        return environment
    }

    /// A client: another one on the same fixture is the app, killed and started again.
    func client(_ configuration: SDKConfiguration? = nil) throws -> PushClient {
        PushClient(try configuration ?? .valid(), in: environment, handlers: handlers, logLevel: { .debug })
    }

    /// The registrations that reached the server.
    var registrations: [TokenRegistrationRequest] { transport.calls.entries.compactMap(\.registration) }
}

extension SDKConfiguration {
    static func valid(
        apiKey: String = "mk_client_key",
        player: String? = nil,
        host: String = "api.example.com",
        timeout: TimeInterval = 30
    ) throws -> SDKConfiguration {
        try SDKConfiguration(
            apiURL: URL(string: "https://\(host)")!,
            apiKey: apiKey,
            playerAccountId: player,
            timeout: timeout
        )
    }
}

extension DeviceTokenText {
    static func token(_ byte: UInt8 = 0xAB) throws(PushNotificationError) -> DeviceTokenText {
        try DeviceTokenText(Data(repeating: byte, count: 32))
    }
}

extension ReceivedNotification {
    /// A push, as its payload's JSON; read from what Foundation makes of it, as the system hands it over.
    static func push(_ json: String, identifier: String = "request-1", isRemote: Bool = true) throws -> Self {
        let userInfo = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [AnyHashable: Any] ?? [:]
        return ReceivedNotification(
            identifier: identifier,
            payload: NotificationPayload(userInfo: userInfo),
            isRemote: isRemote
        )
    }

    /// A push that shows an alert.
    static func alert(_ messageID: String = "m1") throws -> ReceivedNotification {
        try push(#"{"aps":{"alert":{"title":"T","body":"B"}},"message_id":"\#(messageID)","missionId":"7"}"#)
    }
}

/// Tells the main queue from every other.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Returns when everything that was put on the main queue so far has run.
    static func drain() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}

/// Runs something on a thread that is not the main one.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
