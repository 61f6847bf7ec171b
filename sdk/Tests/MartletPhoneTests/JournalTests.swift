import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("What a phone's journal says", .timeLimit(.minutes(1)))
@MainActor
struct JournalTests {
    let disk = Disk()
    let backend = Backend()

    private func phone() throws -> (Phone, SDKApp) {
        let configuration = try SDKConfiguration(
            apiURL: try #require(URL(string: "https://api.example.test")),
            apiKey: "client-key-1234"
        )
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: configuration)
        setup.links = LinkPolicy([.web("example.com")])
        setup.transport = backend
        let local = try #require(URL(string: "http://127.0.0.1:9"))
        let app = SDKApp(setup)
        let network = PhoneNetwork(hosts: ["api.example.test": local])
        return (Phone(PhoneSettings(folder: disk.folder), app: app.installed, network: network), app)
    }

    @Test("the app's calls, what its handlers were told and the pages that it shows, in one order for all who follow")
    func followsTheSDK() async throws {
        let (phone, _) = try phone()
        let followers = [phone.journal.follow(), phone.journal.follow()]
        await phone.launch()
        await phone.journal.first { $0 == .called(path: "/api/v1/tokens", status: 201) }
        let push = #"{"aps":{"alert":{"title":"Sale"}},"message_id":"m1","link":"https://example.com/sale"}"#
        await phone.receive(Push(push, collapseID: "m1"))
        try await phone.tap("m1")
        let page = try #require(URL(string: "https://example.com/sale"))
        #expect(await phone.journal.first { $0 == .browsed(page) } != nil)
        let told = await phone.journal.first { event in
            if case .handled(.received(let payload)) = event { payload.messageID == "m1" } else { false }
        }
        #expect(told != nil)
        for follower in followers {
            var seen: [PhoneEvent] = []
            for await event in follower {
                seen.append(event)
                if event == .browsed(page) { break }
            }
            #expect(seen == Array(phone.journal.events.prefix(seen.count)))
        }
    }

    @Test("a call that the network lets nowhere has no status")
    func unreachable() async throws {
        let (phone, app) = try phone()
        await phone.launch()
        // The server's answer is on the phone before the app has read it, and nothing is uploaded without its secret.
        while app.installationSecret == nil, !Task.isCancelled { await Task.yield() }
        phone.network.turn(on: false)
        await phone.receive(Push(#"{"aps":{"alert":{"title":"Sale"}},"message_id":"m1"}"#))
        await phone.journal.first { if case .handled(.received) = $0 { true } else { false } }
        await phone.goHome()
        #expect(
            await phone.journal.first(within: 10) { $0 == .called(path: "/api/v1/events", status: nil) } != nil,
            "\(phone.journal.events)"
        )
    }

    @Test("a call whose answer is lost on its way is done, and has no status")
    func lostAnswer() async throws {
        let (phone, _) = try phone()
        phone.network.losesAnswers = true
        await phone.launch()
        #expect(
            await phone.journal.first(within: 10) { $0 == .called(path: "/api/v1/tokens", status: nil) } != nil,
            "\(phone.journal.events)"
        )
        #expect(!backend.registrations.entries.isEmpty)
        phone.network.losesAnswers = false
        #expect(await phone.journal.first { $0 == .called(path: "/api/v1/tokens", status: 201) } != nil)
    }
}
