import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

@Suite("From the backend to the phone and back", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct LoopTests {
    /// A phone whose app was opened once and is in the background, with what the server has of its token.
    private func openedOnce(
        _ loop: Loop,
        of user: String,
        hasScenes: Bool = true
    ) async throws -> (SDKApp, Phone, EventItem) {
        let (app, phone) = try loop.phone(of: user, hasScenes: hasScenes)
        await phone.launch()
        let token = try await loop.registered(phone, app)
        await phone.goHome()
        return (app, phone, token)
    }

    @Test("permission, token, picture, delivery, tap, link: one row each, for the right user, and counted in the API")
    func inBackground() async throws {
        let loop = try await Loop()
        let (app, phone, token) = try await openedOnce(loop, of: "player-1")
        #expect(app.answers.map { try? $0.get() } == [true])
        let asked = phone.journal.events.firstIndex(of: .answered(allows: true))
        let given = phone.journal.events.firstIndex { if case .token = $0 { true } else { false } }
        #expect(try #require(asked) < #require(given))
        #expect(token.userID == "player-1")
        #expect(token.deviceModel == phone.settings.model)

        let sale = try await loop.send(to: "player-1", Loop.sale)
        let shown = try await loop.shown(phone)
        #expect(shown.title == "Sale" && shown.body == "Today")
        let picture = try #require(shown.attachments.first)
        #expect(try Data(contentsOf: picture) == ImageHost.png)
        try await phone.tap(shown.id)

        let link = try await loop.event(.linkOpen, sale, of: app)
        #expect(link.value == "https://shop.example.com/sale")
        #expect(phone.page?.absoluteString == "https://shop.example.com/sale")
        _ = try await loop.event(.delivery, sale, of: app)
        let rows = try await loop.events().filter { $0.messageID == sale.description }
        #expect(rows.map(\.type.rawValue).sorted() == ["delivery", "link_open", "open"])
        #expect(rows.allSatisfy { $0.userID == "player-1" && $0.campaignID == "spring" })
        #expect(rows.allSatisfy { $0.installationID == token.installationID })
        #expect(try await loop.notification(sale).events == EventCountsResponse(deliveries: 1, opens: 1, links: 1))
        #expect(app.received.map(\.messageID) == [sale.description])
        #expect(app.callsOffMain == 0)
        #expect(app.errors.isEmpty)
        try await loop.end()
    }

    @Test("the specified query finds what the phone reported")
    func query() async throws {
        let loop = try await Loop()
        let (app, phone, _) = try await openedOnce(loop, of: "player-1")
        let sale = try await loop.send(to: "player-1", Loop.sale)
        try await phone.tap(try await loop.shown(phone).id)
        for type in [EventType.delivery, .open, .linkOpen] { _ = try await loop.event(type, sale, of: app) }
        let rows = try await loop.ask(SpecifiedQueries.lastHour)
        #expect(
            Set(rows.map { Array($0.dropFirst()) }) == [
                ["token_register", .null, .null, "ios", "player-1"],
                ["delivery", "spring", .string(sale.description), "ios", "player-1"],
                ["open", "spring", .string(sale.description), "ios", "player-1"],
                ["link_open", "spring", .string(sale.description), "ios", "player-1"],
            ]
        )
        try await loop.end()
    }

    @Test("a killed app is started by the tap and reports the same", arguments: [true, false])
    func killed(hasScenes: Bool) async throws {
        let loop = try await Loop()
        let (app, phone, _) = try await openedOnce(loop, of: "player-2", hasScenes: hasScenes)
        await phone.kill()

        let sale = try await loop.send(
            to: "player-2",
            #","image":"https://\#(Loop.cdn)/banner.png","deep_link":"game://mission/7""#
        )
        let shown = try await loop.shown(phone)
        #expect(shown.attachments.count == 1)
        #expect(app.received.isEmpty)
        try await phone.tap(shown.id)

        #expect(try await loop.event(.deeplinkOpen, sale, of: app).value == "game://mission/7")
        _ = try await loop.event(.delivery, sale, of: app)
        let rows = try await loop.events().filter { $0.messageID == sale.description }
        #expect(rows.map(\.type.rawValue).sorted() == ["deeplink_open", "delivery", "open"])
        #expect(rows.allSatisfy { $0.userID == "player-2" })
        #expect(try await loop.notification(sale).events == EventCountsResponse(deliveries: 1, opens: 1, deeplinks: 1))
        #expect(app.deepLinks.map(\.absoluteString) == ["game://mission/7"])
        #expect(app.received.count == 1)
        try await loop.end()
    }

    @Test("a dismissal is reported and counted, and is no open")
    func dismissed() async throws {
        let loop = try await Loop()
        let (app, phone, _) = try await openedOnce(loop, of: "player-1")
        // The extension, which runs for the picture, gives the category that asks for dismissals.
        let sale = try await loop.send(to: "player-1", Loop.sale)
        try await phone.dismiss(try await loop.shown(phone).id)
        #expect(try await loop.event(.dismiss, sale, of: app).userID == "player-1")
        _ = try await loop.event(.delivery, sale, of: app)
        #expect(try await loop.notification(sale).events == EventCountsResponse(deliveries: 1, dismissals: 1))
        try await loop.end()
    }
}
