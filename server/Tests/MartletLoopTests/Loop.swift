import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

/// The whole loop on this machine: a backend's requests, the server, a simulated APNs, and phones with the real SDK.
@MainActor
final class Loop {
    static let topic = "com.example.game"
    static let api = "api.example.test"
    static let cdn = "cdn.example.test"

    let stage: DeliveryStage
    let server: ServerProcess
    let images: ImageHost
    let network: PhoneNetwork
    private let clientKey: String
    private let disk: TemporaryFolder
    private var phones: [Phone] = []

    init() async throws {
        stage = try await DeliveryStage(app: Self.topic)
        server = try await stage.startServer()
        try await stage.connect(server)
        let request = #"{"scope": "client", "app": "\#(Self.topic)", "name": "app"}"#
        let key = try await server.call("POST", "/keys", request)
        clientKey = try #require(key?.objectValue?["key"]?.stringValue)
        images = try await ImageHost()
        disk = try TemporaryFolder()
        network = PhoneNetwork(hosts: [
            Self.api: try #require(URL(string: server.address)), Self.cdn: images.address,
        ])
    }

    /// An app of the customer's, and a phone with it.
    func phone(of user: String?, hasScenes: Bool = true, network own: PhoneNetwork? = nil) throws -> (SDKApp, Phone) {
        let configuration = try SDKConfiguration(
            apiURL: try #require(URL(string: "https://\(Self.api)")),
            apiKey: clientKey,
            playerAccountId: user
        )
        var setup = SDKApp.Setup(bundleID: Self.topic, configuration: configuration)
        setup.hasScenes = hasScenes
        setup.links = LinkPolicy([.web("shop.example.com"), .deepLink("game")])
        let app = SDKApp(setup)
        let phone = Phone(
            PhoneSettings(name: user ?? "phone", folder: URL(fileURLWithPath: disk.file("phone-\(phones.count)"))),
            app: app.installed,
            link: SimulatedAPNsLink(control: try #require(URL(string: stage.simulator.control))),
            network: own ?? network
        )
        phones.append(phone)
        return (app, phone)
    }

    /// Ends everything. The phones' faults are the SDK's.
    func end() async throws {
        for phone in phones {
            #expect(phone.journal.faults.isEmpty, "\(phone.settings.name): \(phone.journal.faults)")
            await phone.shutDown()
        }
        #expect(try await server.stop().status == 0)
    }

    // MARK: What the customer's backend does

    /// Sends to a user.
    func send(to user: String, _ members: String = "") async throws -> PublicID {
        let audience = #"{"users":["\#(user)"]}"#
        let body = #"{"app":"\#(Self.topic)","audience":\#(audience),"title":"Sale","body":"Today"\#(members)}"#
        let answer = try await server.call("POST", "/notifications", body)
        return try #require((answer?.objectValue?["id"]?.stringValue).flatMap { PublicID($0) })
    }

    /// What the server keeps of what phones reported, in the order of receipt.
    func events() async throws -> [EventItem] {
        let answer = try await LocalCall.send(
            "GET",
            "\(server.address)/api/v1/events?app=\(Self.topic)&limit=500",
            key: try server.key()
        )
        return try JSONDecoder().decode(List<EventItem>.self, from: answer.body).data
    }

    /// Waits until the server has an event.
    func event(_ type: EventType, _ message: PublicID? = nil, of app: SDKApp) async throws -> EventItem {
        var found: EventItem?
        try await Eventually.is("\(type.rawValue) was reported") {
            await app.flush()
            found = try await events().first {
                $0.type == type && (message == nil || $0.messageID == message?.description)
            }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until the server has a phone's token.
    func registered(_ phone: Phone, _ app: SDKApp) async throws -> EventItem {
        try await Eventually.is("\(phone.settings.name) has a token") { phone.token != nil }
        let token = phone.token?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var found: EventItem?
        try await Eventually.is("\(phone.settings.name) is registered") {
            await app.flush()
            found = try await events().first { $0.type == .tokenRegister && $0.apnsToken == token }
            return found != nil
        }
        return try #require(found)
    }

    /// Waits until a notification shows on a phone.
    func shown(_ phone: Phone, after count: Int = 0) async throws -> ShownNotification {
        try await Eventually.is("\(phone.settings.name) shows it") { phone.notifications.count > count }
        return try #require(phone.notifications.last)
    }
}
