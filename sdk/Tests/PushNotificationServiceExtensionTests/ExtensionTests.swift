import Foundation
import MartletWire
import PushNotificationSDKTesting
import PushNotificationServiceExtension
import Testing
import UserNotifications

@testable import PushNotificationSDKCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The three lines of an app.
final class NotificationService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.game" }
}

final class PlainService: PushNotificationServiceExtension {
    override var defaultCategory: String? { nil }
}

final class CountingService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.game" }
    override var countsBadge: Bool { true }
}

/// It is not one component below its app.
final class NestedService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.game" }
    override var appBundleID: String? { "com.example.other" }
    override var countsBadge: Bool { true }
}

final class PinningService: PushNotificationServiceExtension {
    override var appGroup: String? { "group.com.example.game" }
    override var configuration: SDKConfiguration? { try? pinnedConfiguration() }
    override var serverTrustHandler: ServerTrustHandler? { { $1(.cancelAuthenticationChallenge, nil) } }
}

final class TimedService: PushNotificationServiceExtension {
    var seconds: TimeInterval = 0

    override var appGroup: String? { "group.com.example.game" }
    override var configuration: SDKConfiguration? { try? pinnedConfiguration() }
    override var uploadTimeout: TimeInterval { seconds }
}

private func pinnedConfiguration() throws -> SDKConfiguration {
    try SDKConfiguration(apiURL: try #require(URL(string: "https://push.example.com")), apiKey: "client-key")
}

@Suite("The service extension", .serialized, .timeLimit(.minutes(2))) final class ExtensionTests {
    private struct Shown: Sendable {
        var title: String
        var category: String
        var badge: Int?
        var attachments: [URL]
        var types: [String]
    }

    private let app = "com.example.game"
    private let container: URL
    private let server: FileServer
    private let shown = Journal<Shown>()

    init() throws {
        container = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        server = try FileServer()
    }

    deinit { try? FileManager.default.removeItem(at: container) }

    private var downloads: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: container.appendingPathComponent("files").path)) ?? []
    }

    /// What the system does with a push: a new extension, and a handler.
    private func begin<Service: PushNotificationServiceExtension>(
        _ service: Service,
        _ info: [String: Any],
        time: TimeInterval = 100,
        category: String = ""
    ) -> Service {
        service.environment.container = { [container] _ in container }
        service.environment.bundleID = "\(app).notifications"
        service.environment.rewrite = { [server] in server.rewrite($0) }
        service.environment.folder = container.appendingPathComponent("files")
        service.environment.time = time
        service.environment.clock = ManualClock(now: 1_772_366_400_000)
        let content = UNMutableNotificationContent()
        content.title = "Hello"
        content.categoryIdentifier = category
        content.userInfo = ["message_id": "m0"].merging(info) { $1 }
            .merging(["aps": ["alert": "Hello", "mutable-content": 1]]) { $1 }
        let request = UNNotificationRequest(identifier: "r1", content: content, trigger: nil)
        service.didReceive(request) { [shown] content in
            shown.add(
                Shown(
                    title: content.title,
                    category: content.categoryIdentifier,
                    badge: content.badge?.intValue,
                    attachments: content.attachments.map(\.url),
                    types: content.attachments.map(\.type)
                )
            )
        }
        return service
    }

    private func spooled(of app: String? = nil) -> (events: [PushEvent], refusals: [String]) {
        var events: [PushEvent] = []
        var refusals: [String] = []
        let spool = EventSpool(container: container, app: app ?? self.app)
        _ = spool.drain({ events += $0.map(\.event) }, refused: { refusals.append($0) })
        return (events, refusals)
    }

    @Test("a notification takes those away that it says were recalled or read elsewhere, and is shown itself")
    func removes() async throws {
        let service = NotificationService()
        let removed = Journal<Set<String>>()
        service.environment.removeShown = { removed.add($0) }
        _ = begin(service, ["martlet": ["remove": ["m1", "m2"]]])
        #expect(await shown.wait(for: 1).first?.title == "Hello")
        _ = begin(service, [:])
        _ = await shown.wait(for: 2)
        #expect(removed.entries == [["m1", "m2"]])
    }

    @Test("a delivery is written down and the image attached") func attaches() async throws {
        _ = begin(
            NotificationService(),
            ["message_id": "m1", "td_campaign_id": "c1", "image_url": "https://cdn.example.com/image.png"]
        )
        let result = try #require(await shown.wait(for: 1).first)
        #expect(result.title == "Hello")
        #expect(result.types == ["public.png"])
        let file = try #require(result.attachments.first)
        #expect(try Data(contentsOf: file) == Data(repeating: 7, count: 1000))
        let spooled = spooled()
        #expect(spooled.events.map(\.type) == [.delivery])
        #expect(spooled.events.first?.message == MessageReference(messageID: "m1", campaignID: "c1", requestID: "r1"))
        #expect(spooled.refusals.isEmpty)
    }

    @Test("the delivery is written down before anything is fetched") func order() async throws {
        let service = begin(NotificationService(), ["message_id": "m1", "image_url": "https://cdn.example.com/stalls"])
        #expect(spooled().events.count == 1)
        #expect(shown.entries.isEmpty)
        service.serviceExtensionTimeWillExpire()
        #expect(shown.entries.count == 1)
    }

    @Test(
        "sound and movie, and a redirect to https, are attached as well",
        arguments: [
            ("audio_url", "sound.mp3", "public.mp3"), ("video_url", "image.png", "public.png"),
            ("image_url", "moved.png", "public.png"), ("image_url", "untold", "public.png"),
        ]
    )
    func kinds(key: String, file: String, type: String) async throws {
        _ = begin(NotificationService(), [key: "https://cdn.example.com/\(file)"])
        #expect(try #require(await shown.wait(for: 1).first).types == [type])
    }

    @Test(
        "what may not be attached is left out, reported and leaves no file; the notification is shown",
        arguments: [
            ("https://cdn.example.com/announced.png", AttachmentRefusal.tooLarge(.image)),
            ("https://cdn.example.com/endless.png", .tooLarge(.image)),
            ("https://cdn.example.com/page.png", .type("text/html")),
            ("https://cdn.example.com/missing.png", .status(404)),
            ("https://cdn.example.com/insecure.png", .redirect), ("https://cdn.example.com/loop.png", .redirect),
            ("http://cdn.example.com/image.png", .address), ("javascript:alert(1)", .address),
            ("file:///etc/passwd", .address), ("https://user:password@cdn.example.com/image.png", .address),
            ("https://cdn.example.com@evil.example/image.png", .address),
            ("https://cdn.ex\u{430}mple.com/image.png", .address),
            ("https:cdn.example.com/image.png", .address),
        ]
    )
    func refused(address: String, refusal: AttachmentRefusal) async throws {
        _ = begin(NotificationService(), ["message_id": "m1", "image_url": address])
        let result = try #require(await shown.wait(for: 1).first)
        #expect(result.title == "Hello")
        #expect(result.attachments.isEmpty)
        let spooled = spooled()
        #expect(spooled.events.count == 1)
        #expect(spooled.refusals == [refusal.reason])
        #expect(downloads.isEmpty)
    }

    @Test("a file that is cut off is not attached") func cutOff() async throws {
        _ = begin(NotificationService(), ["image_url": "https://cdn.example.com/short.png"])
        #expect(try #require(await shown.wait(for: 1).first).attachments.isEmpty)
        #expect(spooled().refusals.count == 1)
        #expect(downloads.isEmpty)
    }

    @Test("where the image is refused the movie or the sound has its chance") func fallsBack() async throws {
        let addresses = [
            "image_url": "https://cdn.example.com/page.png", "audio_url": "https://cdn.example.com/sound.mp3",
        ]
        _ = begin(NotificationService(), addresses)
        #expect(try #require(await shown.wait(for: 1).first).types == ["public.mp3"])
    }

    @Test(
        "a server that says nothing more, or never comes to an end, is given up when the time is over",
        arguments: ["stalls", "drip.png"]
    )
    func neverEnds(file: String) async throws {
        _ = begin(NotificationService(), ["image_url": "https://cdn.example.com/\(file)"], time: 0.2)
        #expect(try #require(await shown.wait(for: 1).first).attachments.isEmpty)
        #expect(spooled().refusals == [AttachmentRefusal.timedOut.reason])
        #expect(downloads.isEmpty)
    }

    @Test("expiry hands over once, and what comes after it changes nothing") func expires() async throws {
        let service = begin(NotificationService(), ["image_url": "https://cdn.example.com/stalls"])
        nonisolated(unsafe) let expiring = service  // the system too calls it on a thread of its own
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { expiring.serviceExtensionTimeWillExpire() } }
        }
        #expect(shown.entries.count == 1)
        #expect(shown.entries.first?.attachments.isEmpty == true)
    }

    @Test("download and expiry at the same moment hand over once, with a file or without one") func race() async throws
    {
        for _ in 0..<30 {
            let before = shown.entries.count
            let service = begin(NotificationService(), ["image_url": "https://cdn.example.com/image.png"])
            nonisolated(unsafe) let expiring = service  // the system too calls it on a thread of its own
            Thread.detachNewThread { expiring.serviceExtensionTimeWillExpire() }
            #expect(await shown.wait(for: before + 1).count == before + 1)
        }
    }

    @Test("a notification without a category gets the one whose dismissals are reported") func category() async throws {
        _ = begin(NotificationService(), [:])
        _ = begin(NotificationService(), [:], category: "MISSION")
        _ = begin(PlainService(), [:])
        #expect(await shown.wait(for: 3).map(\.category) == [NotificationCategory.standard.identifier, "MISSION", ""])
    }

    @Test("an app may have its icon counted up, from where it was set") func badge() async throws {
        _ = begin(CountingService(), [:])
        _ = begin(CountingService(), [:])
        SharedBadge(container, app: app).set(0)
        _ = begin(CountingService(), [:])
        _ = begin(NotificationService(), [:])
        #expect(await shown.wait(for: 4).map(\.badge) == [1, 2, 1, nil])
    }

    @Test("it shares files and badge with its app alone: the one above its bundle id, or the one that it names")
    func appsOfAGroup() async throws {
        _ = begin(CountingService(), ["message_id": "m1"])
        _ = begin(NestedService(), ["message_id": "m2"])
        _ = begin(CountingService(), ["message_id": "m3"])
        #expect(await shown.wait(for: 3).map(\.badge) == [1, 1, 2])
        #expect(Set(spooled().events.map(\.message.messageID)) == ["m1", "m3"])
        #expect(spooled(of: "com.example.other").events.map(\.message.messageID) == ["m2"])
    }

    /// What the app tells the extension once the device is registered at a server.
    private func register(at server: String? = nil) throws {
        let spool = EventSpool(container: container, app: app)
        var context = EventContext()
        context.installationID = UUID().uuidString
        try spool.write(context)
        let server = try server ?? pinnedConfiguration().server
        try spool.write(ExtensionAccess(server: server, installationSecret: "s"))
    }

    /// Whether the extension uploaded what it saw, event by event.
    private func uploaded() -> [Bool] {
        var uploaded: [Bool] = []
        _ = EventSpool(container: container, app: app).drain { uploaded += $0.map(\.isUploaded) }
        return uploaded
    }

    /// An extension whose server answers when the gate is open.
    private func uploading(_ gate: Journal<Void>) -> (service: PinningService, server: ScriptedTransport) {
        let server = ScriptedTransport { _, _ in
            _ = await gate.wait(for: 1)
            if Task.isCancelled { return .failure(.cancelled) }
            return .success(.json(200, EventsResponse(receipts: [.kept])))
        }
        let service = PinningService()
        service.environment.transport = { _ in server }
        return (service, server)
    }

    @Test("the notification is shown when the upload of its delivery is over, which has 1 s")
    func uploadsFirst() async throws {
        try register()
        let gate = Journal<Void>()
        let (service, server) = uploading(gate)
        _ = begin(service, ["message_id": "m1"])
        #expect(shown.entries.isEmpty)
        #expect(await server.calls.wait(for: 1).map(\.timeout) == [1])
        #expect(shown.entries.isEmpty)
        gate.add(())
        #expect(await shown.wait(for: 1).count == 1)
        #expect(uploaded() == [true])
    }

    @Test(
        "the app says how long an upload may take, within the time for all; without time the app uploads the delivery",
        arguments: [(5, [5]), (500, [100]), (0, []), (-1, []), (.nan, [])] as [(TimeInterval, [TimeInterval])]
    )
    func uploadTimeout(seconds: TimeInterval, timeouts: [TimeInterval]) async throws {
        try register()
        let server = ScriptedTransport(.success(.json(200, EventsResponse(receipts: [.kept]))))
        let service = TimedService()
        service.seconds = seconds
        service.environment.transport = { _ in server }
        _ = begin(service, ["message_id": "m1"])
        #expect(await shown.wait(for: 1).count == 1)
        #expect(server.calls.entries.map(\.timeout) == timeouts)
        #expect(uploaded() == [!timeouts.isEmpty])
    }

    @Test("a time that is up ends the wait for the upload, and the app uploads the delivery")
    func expiresWhileUploading() async throws {
        try register()
        let (service, server) = uploading(Journal())
        _ = begin(service, ["message_id": "m1"])
        _ = await server.calls.wait(for: 1)
        service.serviceExtensionTimeWillExpire()
        #expect(shown.entries.count == 1)
        #expect(uploaded() == [false])
    }

    @Test("what another server issued is not sent to this one: the delivery waits for the app")
    func otherServer() async throws {
        try register(at: "https://other.example.com/ app")
        let gate = Journal<Void>()
        gate.add(())
        let (service, server) = uploading(gate)
        _ = begin(service, ["message_id": "m1"])
        #expect(await shown.wait(for: 1).count == 1)
        #expect(server.calls.entries.isEmpty)
        #expect(uploaded() == [false])
    }

    @Test("the extension's own check of a server is asked about the upload of a delivery") func pinned() async throws {
        try register()
        let handlers = Journal<ServerTrustHandler?>()
        let service = PinningService()
        service.environment.transport = { handler in
            handlers.add(handler)
            return ScriptedTransport(.failure(.insecure("pinned")))
        }
        _ = begin(service, ["message_id": "m1"])
        #expect(await shown.wait(for: 1).count == 1)
        let answers = Journal<URLSession.AuthChallengeDisposition>()
        let handler = try #require(handlers.entries.first)
        let transport = try #require(ExtensionEnvironment().transport(handler) as? URLSessionTransport)
        transport.exchanges.urlSession(.shared, didReceive: .ofServer()) { answer, _ in answers.add(answer) }
        #expect(answers.entries == [.cancelAuthenticationChallenge])
    }

    @Test("a push of another vendor's is handed back as it came, and nothing of it is kept, counted or fetched")
    func otherVendors() async throws {
        let info = ["message_id": "", "gcm.message_id": "1", "image_url": "https://cdn.example.com/stalls"]
        let service = begin(CountingService(), info)
        #expect(shown.entries.map(\.category) == [""] && shown.entries.map(\.badge) == [nil])
        #expect(shown.entries.allSatisfy { $0.title == "Hello" && $0.attachments.isEmpty })
        #expect(spooled().events.isEmpty)
        service.serviceExtensionTimeWillExpire()
        #expect(shown.entries.count == 1)
    }

    @Test("a push without an id has its picture, and its delivery is not counted") func withoutID() async throws {
        _ = begin(NotificationService(), ["message_id": "", "image_url": "https://cdn.example.com/image.png"])
        #expect(try #require(await shown.wait(for: 1).first).types == ["public.png"])
        #expect(spooled().events.isEmpty)
    }

    @Test("without an app group the notification is shown all the same") func withoutGroup() async throws {
        _ = begin(PlainService(), ["image_url": "https://cdn.example.com/image.png"])
        #expect(try #require(await shown.wait(for: 1).first).types == ["public.png"])
        #expect(spooled().events.isEmpty)
    }

    @Test(
        "a payload of any shape is shown",
        arguments: [
            ["image_url": 7], ["image_url": ["a", "b"]], ["fcm_options": "x"], ["message_id": [1]], ["image_url": ""],
        ] as [[String: any Sendable]]
    )
    func foreign(info: [String: any Sendable]) async throws {
        _ = begin(NotificationService(), info)
        #expect(await shown.wait(for: 1).count == 1)
    }

    @Test("a value of a wrong type in any field, and 100 levels, are shown once and without a file")
    func wrongTypes() async throws {
        var deep: any Sendable = 7
        for _ in 0..<100 { deep = ["a": deep] }
        let values: [any Sendable] = [7, -1.5, true, [String](), [[1]], ["a": [1]], Data([1]), Date(), deep]
        let fields = [
            "aps", "message_id", "td_campaign_id", "campaign_id", "image_url", "video_url", "audio_url", "fcm_options",
            "title", "body", "link", "deeplink", "action", "device_id", "date",
        ]
        var count = 0
        for field in fields {
            for value in values {
                _ = begin(CountingService(), [field: value])
                count += 1
            }
        }
        let results = await shown.wait(for: count)
        #expect(results.count == count && results.allSatisfy { $0.title == "Hello" && $0.attachments.isEmpty })
        #expect(downloads.isEmpty)
    }
}
