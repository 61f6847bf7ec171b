import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing
import UserNotifications

@Suite("The real SDK on a phone", .timeLimit(.minutes(1)))
@MainActor
struct SDKAppTests {
    let disk = Disk()
    let backend = Backend()
    let network: PhoneNetwork

    init() throws {
        network = PhoneNetwork(hosts: ["api.example.test": try #require(URL(string: "http://127.0.0.1:9"))])
    }

    private func app(
        hasScenes: Bool = true,
        forwardsTaps: Bool = true,
        categories: [NotificationCategory] = []
    ) throws -> SDKApp {
        var configuration = try SDKConfiguration(
            apiURL: try #require(URL(string: "https://api.example.test")),
            apiKey: "client-key-1234",
            playerAccountId: "player-1"
        )
        configuration.categories = categories
        configuration.automaticForwarding = forwardsTaps
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: configuration)
        setup.hasScenes = hasScenes
        setup.forwardsTaps = forwardsTaps
        setup.links = LinkPolicy([.web("example.com"), .deepLink("myapp")])
        setup.transport = backend
        return SDKApp(setup)
    }

    private func phone(_ app: SDKApp) -> Phone {
        Phone(PhoneSettings(folder: disk.folder), app: app.installed, network: network)
    }

    private func push(_ id: String, more: String = "", mutable: Bool = false, category: String? = nil) -> Push {
        let category = category.map { #","category":"\#($0)""# } ?? ""
        let change = mutable ? #","mutable-content":1"# : ""
        let aps = #"{"alert":{"title":"Title \#(id)","body":"Body"}\#(change)\#(category)}"#
        return Push(#"{"aps":\#(aps),"message_id":"\#(id)"\#(more)}"#, collapseID: id)
    }

    /// Uploads what there is, until the server has so many events of a type and the app has heard of it: a process that is
    /// killed before sends them again.
    private func upload(_ app: SDKApp, _ type: EventType, _ count: Int = 1) async {
        while backend.count(type) < count {
            await app.flush()
            await Task.yield()
        }
        await app.flush()
    }

    @Test("the user allows, a token comes, and the server knows it")
    func registers() async throws {
        let app = try app()
        let phone = phone(app)
        await phone.launch()
        let registration = try #require(await backend.registrations.wait(for: 1).first)
        #expect(registration.token == phone.token?.hexadecimalText)
        #expect(registration.userID.value == "player-1")
        await upload(app, .tokenRegister)
        #expect(backend.events.entries.first?.apnsToken == phone.token?.hexadecimalText)
        #expect(backend.events.entries.first?.deviceModel == phone.settings.model)
        #expect(app.answers.map { try? $0.get() } == [true])
        #expect(phone.journal.events.filter { $0 == .asked }.count == 1)
        #expect(app.callsOffMain == 0)
    }

    @Test("who says no is told to the app, and sees nothing; the server knows the token and what was said")
    func denies() async throws {
        let app = try app()
        let phone = phone(app)
        phone.answerPrompt(allowing: false)
        await phone.launch()
        await phone.journal.first { $0 == .answered(allows: false) }
        await phone.goHome()
        await phone.receive(push("m"))
        #expect(phone.notifications.isEmpty)
        let told = await backend.registrations.wait { $0.permission == .denied }
        #expect(told?.token == phone.token?.hexadecimalText)
    }

    @Test("in front: shown, told and counted once; tapped: opened once, and its link with it")
    func inFront() async throws {
        let app = try app()
        let phone = phone(app)
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.receive(push("m1", more: #","link":"https://example.com/promo""#))
        #expect(phone.notifications.map(\.title) == ["Title m1"])
        #expect(app.received.map(\.messageID) == ["m1"])
        try await phone.tap("m1")
        await upload(app, .linkOpen)
        #expect(backend.count(.delivery, "m1") == 1)
        #expect(backend.count(.open, "m1") == 1)
        #expect(backend.events.entries.first { $0.type == .linkOpen }?.value == "https://example.com/promo")
        #expect(phone.page?.absoluteString == "https://example.com/promo")
        #expect(backend.hasNoneTwice)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test(
        "killed: the extension counts the delivery, the tap starts the app and is counted once",
        arguments: [true, false]
    )
    func coldStart(hasScenes: Bool) async throws {
        let app = try app(hasScenes: hasScenes)
        let phone = phone(app)
        await phone.launch()
        await upload(app, .tokenRegister)
        await phone.goHome()
        await phone.kill()
        await phone.receive(push("m2", more: #","deeplink":"myapp://mission/7""#, mutable: true))
        #expect(phone.journal.events.contains(.extensionRan(id: "m2", expired: false)))
        #expect(app.received.isEmpty)
        try await phone.tap("m2")
        await upload(app, .open)
        await upload(app, .delivery)
        await upload(app, .deeplinkOpen)
        #expect(backend.count(.open, "m2") == 1)
        #expect(backend.count(.delivery, "m2") == 1)
        #expect(app.received.map(\.messageID) == ["m2"])
        #expect(app.deepLinks.map(\.absoluteString) == ["myapp://mission/7"])
        #expect(backend.hasNoneTwice)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("killed: a tap that only the scene's options tell of is counted and handled as any other")
    func coldStartByScene() async throws {
        let app = try app(forwardsTaps: false)
        let phone = phone(app)
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await phone.goHome()
        await phone.kill()
        await phone.receive(push("m2", more: #","deeplink":"myapp://mission/7""#, mutable: true))
        try await phone.tap("m2")
        await upload(app, .deeplinkOpen)
        #expect(backend.count(.open, "m2") == 1)
        #expect(app.received.map(\.messageID) == ["m2"])
        #expect(app.deepLinks.map(\.absoluteString) == ["myapp://mission/7"])
        // In a scene that is there already nothing tells of a tap but the center.
        await phone.goHome()
        await phone.receive(push("m3", more: #","deeplink":"myapp://mission/8""#))
        try await phone.tap("m3")
        await app.flush()
        #expect(backend.count(.open, "m3") == 0)
        #expect(app.deepLinks.count == 1)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("a link of the system's reaches the app, whether it starts it or not", arguments: [true, false])
    func links(hasScenes: Bool) async throws {
        let app = try app(hasScenes: hasScenes)
        let phone = phone(app)
        let links = ["myapp://mission/1", "https://example.com/2", "myapp://mission/3", "https://example.com/4"]
        for link in links {
            await phone.open(try #require(URL(string: link)))
            await phone.journal.first { $0 == .handled(.deepLink(URL(string: link)!)) }
            if link == links[1] { await phone.goHome() }
        }
        #expect(app.deepLinks.map(\.absoluteString) == links)
        #expect(app.callsOffMain == 0)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("a dismissal is counted, and a tap after all is none of it")
    func dismissed() async throws {
        let app = try app(categories: [NotificationCategory("MISSION", actions: [.init("LATER", title: "Later")])])
        let phone = phone(app)
        phone.setNotifications(allowed: true)
        await phone.launch()
        // The system has the app's categories when it shows the button of one: before that no dismissal is told.
        await phone.receive(push("m2", category: "MISSION"))
        while phone.notifications.first?.buttons.isEmpty != false { await Task.yield() }
        await phone.goHome()
        // The extension gives the default category, which asks for dismissals.
        await phone.receive(push("m3", mutable: true))
        try await phone.dismiss("m3")
        await upload(app, .dismiss)
        #expect(backend.count(.dismiss, "m3") == 1)
        #expect(backend.count(.open) == 0)
        #expect(phone.state == .background)
    }

    @Test("a restarted app is the same installation; one installed anew is another, with another token")
    func identities() async throws {
        let app = try app()
        let phone = phone(app)
        await phone.launch()
        let first = try #require(await backend.registrations.wait(for: 1).first)
        await phone.kill()
        await phone.rotateToken()
        await phone.launch()
        let second = try #require(await backend.registrations.wait(for: 2).last)
        #expect(second.installationID == first.installationID)
        #expect(second.token != first.token)
        await phone.reinstall()
        await phone.launch()
        let third = try #require(await backend.registrations.wait(for: 3).last)
        #expect(third.installationID != first.installationID)
        #expect(third.token != second.token)
    }

    @Test("what happened offline is kept through a kill and uploaded once, with its own ids")
    func offline() async throws {
        let app = try app()
        let phone = phone(app)
        await phone.launch()
        _ = await backend.registrations.wait(for: 1)
        await upload(app, .tokenRegister)
        network.turn(on: false)
        for number in 1...3 {
            await phone.receive(push("o\(number)"))
            try await phone.tap("o\(number)")
        }
        await app.flush()
        #expect(backend.count(.open) == 0)
        await phone.kill()
        network.turn(on: true)
        await phone.launch()
        await upload(app, .open, 3)
        for number in 1...3 {
            #expect(backend.count(.open, "o\(number)") == 1)
            #expect(backend.count(.delivery, "o\(number)") == 1)
        }
        #expect(backend.hasNoneTwice)
    }
}
