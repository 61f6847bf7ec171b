import Foundation
import MartletCore
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
    let images: LoopbackSite
    /// What phones reach the server through.
    let box: Middlebox
    let network: PhoneNetwork
    private let disk: TemporaryFolder
    /// One for all phones, so that they share its connections.
    private let link: SimulatedAPNsLink
    private var clientKey = ""
    private var phones: [Phone] = []

    /// - Parameter connects: whether the app is made, with its credential; otherwise somebody else makes it, and
    ///   ``admit(app:)`` its key.
    init(settings: (DeliveryStage) throws -> [String: String] = { _ in [:] }, connects: Bool = true) async throws {
        stage = try await DeliveryStage(app: Self.topic)
        server = try await ServerProcess(data: stage.data, environment: try settings(stage))
        images = try await ImageHost.open()
        box = try await Middlebox(before: server.address)
        disk = try TemporaryFolder()
        link = SimulatedAPNsLink(control: try #require(URL(string: stage.simulator.control)))
        network = PhoneNetwork(hosts: [Self.api: box.address, Self.cdn: images.address])
        guard connects else { return }
        try await stage.connect(server)
        try await admit(app: Self.topic)
    }

    /// Makes the key that apps are built with.
    func admit(app: String) async throws {
        let key = try await server.call("POST", "/keys", #"{"scope": "client", "app": "\#(app)", "name": "app"}"#)
        clientKey = try #require(key?.objectValue?["key"]?.stringValue)
    }

    /// An app of the customer's, and a phone with it.
    ///
    /// - Parameters:
    ///   - network: the phone's own, where it has another than ``network``.
    ///   - setUp: changes what the app's developer wrote.
    func phone(
        of user: String?,
        hasScenes: Bool = true,
        clock: ManualClock? = nil,
        timeZone: String = "Asia/Tokyo",
        network: PhoneNetwork? = nil,
        setUp: (inout SDKApp.Setup) -> Void = { _ in }
    ) throws -> (SDKApp, Phone) {
        let configuration = try SDKConfiguration(
            apiURL: try #require(URL(string: "https://\(Self.api)")),
            apiKey: clientKey,
            playerAccountId: user
        )
        var setup = SDKApp.Setup(bundleID: Self.topic, configuration: configuration)
        setup.hasScenes = hasScenes
        setup.log = { _ in }
        setup.links = LinkPolicy([.web("shop.example.com"), .deepLink("game")])
        setUp(&setup)
        if let clock {
            setup.set(AppClock(clock))
            setup.random = { 0.5 }
        }
        let app = SDKApp(setup)
        var settings = PhoneSettings(
            name: user ?? "phone",
            folder: URL(fileURLWithPath: disk.file("phone-\(phones.count)"))
        )
        settings.timeZone = timeZone
        let phone = Phone(
            settings,
            app: app.installed,
            link: link,
            network: network ?? self.network
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
}

extension AppClock {
    /// The time of an app is a test's clock.
    init(_ clock: ManualClock) {
        self.init(
            now: { clock.now().rawValue },
            sleep: { try await clock.sleep(until: Timestamp(milliseconds: $0)) }
        )
    }
}
