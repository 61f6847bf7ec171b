import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

@Suite("From the backend to the phone and back", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct LoopTests {
    @Test("permission, token, picture, delivery, tap, link: one row each, for the right user")
    func inBackground() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "player-1")
        await phone.launch()
        let token = try await loop.registered(phone, app)
        #expect(token.userID == "player-1")
        #expect(token.deviceModel == phone.settings.model)
        await phone.goHome()

        let sale = try await loop.send(
            to: "player-1",
            #","image":"https://\#(Loop.cdn)/banner.png","data":{"link":"https://shop.example.com/sale","td_campaign_id":"spring"}"#
        )
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
        #expect(app.received.map(\.messageID) == [sale.description])
        #expect(app.callsOffMain == 0)
        #expect(app.errors.isEmpty)
        try await loop.end()
    }

    @Test("a killed app is started by the tap and reports the same", arguments: [true, false])
    func killed(hasScenes: Bool) async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "player-2", hasScenes: hasScenes)
        await phone.launch()
        _ = try await loop.registered(phone, app)
        await phone.goHome()
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
        #expect(app.deepLinks.map(\.absoluteString) == ["game://mission/7"])
        #expect(app.received.count == 1)
        try await loop.end()
    }

    @Test("another user on the same phone gets the pushes, and the first one none")
    func anotherUser() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: nil)
        await phone.launch()
        let unknown = try await loop.registered(phone, app)
        app.login("anna")
        try await owns("anna", loop)
        await phone.goHome()
        let first = try await loop.send(to: "anna")
        _ = try await loop.shown(phone)
        await phone.launch()
        // Found in the list when the app came to the front.
        _ = try await loop.event(.delivery, first, of: app)
        app.logout()
        app.login("ben")
        try await owns("ben", loop)
        await phone.goHome()
        await phone.clear()
        let second = try await loop.send(to: "ben")
        try await phone.tap(try await loop.shown(phone).id)
        let open = try await loop.event(.open, second, of: app)
        #expect(open.userID == "ben")
        #expect(open.installationID == unknown.installationID)
        #expect(try await loop.events().allSatisfy { $0.messageID != first.description || $0.userID == "anna" })
        try await loop.end()
    }

    @Test("an old token is refused when it was given up, and the installation goes on under its new one")
    func rotation() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "player-3")
        await phone.launch()
        let first = try await loop.registered(phone, app)
        await phone.kill()
        await phone.rotateToken()
        await phone.launch()
        let second = try await loop.registered(phone, app)
        #expect(first.apnsToken != second.apnsToken)
        #expect(first.installationID == second.installationID)
        await phone.goHome()
        _ = try await loop.send(to: "player-3")
        _ = try await loop.shown(phone)
        #expect(phone.notifications.count == 1)

        await phone.reinstall()
        await phone.launch()
        let third = try await loop.registered(phone, app)
        #expect(third.installationID != second.installationID)
        try await loop.end()
    }

    /// Waits until a user has a device.
    private func owns(_ user: String, _ loop: Loop) async throws {
        try await Eventually.is("\(user) has the phone") {
            let answer = try await loop.server.call("GET", "/users/\(user)/endpoints?app=\(Loop.topic)")
            guard case .array(let devices)? = answer else { return false }
            return !devices.isEmpty
        }
    }
}
