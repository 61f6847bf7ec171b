import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

@Suite("Users, tokens and installs, from end to end", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct IdentityLoopTests {
    @Test("another user on the same phone gets the pushes, and the first one none")
    func anotherUser() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: nil)
        await phone.launch()
        let unknown = try await loop.registered(phone, app)
        app.login("anna")
        try await loop.owns("anna")
        await phone.goHome()
        let first = try await loop.send(to: "anna")
        _ = try await loop.shown(phone)
        await phone.launch()
        // Found in the list when the app came to the front.
        _ = try await loop.event(.delivery, first, of: app)
        app.logout()
        try await Eventually.is("anna has no phone") { try await loop.devices(of: "anna").allSatisfy { !$0.isActive } }
        let between = try await loop.settled(try await loop.send(to: "anna"))
        #expect(between.counts.accepted == 0)
        app.login("ben")
        try await loop.owns("ben")
        await phone.goHome()
        await phone.clear()
        let anonymous = try await loop.settled(try await loop.send(to: "anna"))
        #expect(anonymous.counts.accepted == 0)
        let second = try await loop.send(to: "ben", Loop.sale)
        try await loop.tap(second, on: phone, app, user: "ben", unknown)
        #expect(app.received.map(\.messageID) == [second.description])
        #expect(try await loop.events().allSatisfy { $0.messageID != first.description || $0.userID == "anna" })
        try await loop.end()
    }

    @Test("what happened before anybody logged in is the next user's")
    func beforeLogin() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: nil)
        await phone.launch()
        #expect(try await loop.registered(phone, app).userID == nil)
        app.login("anna")
        try await loop.owns("anna")
        #expect(try await loop.registered(phone, app).userID == "anna")
        try await loop.end()
    }

    @Test("a new token takes the place of the old one, and the installation stays the same")
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
        let sale = try await loop.settled(try await loop.send(to: "player-3", Loop.sale))
        // Nothing was sent to the old one.
        #expect(sale.counts.accepted == 1 && sale.counts.rejected == 0)
        try await loop.tap(sale.id, on: phone, app, user: "player-3", second)
        #expect(phone.notifications.isEmpty)
        try await loop.end()
    }

    @Test("a device that is forgotten offline is deleted at the server later, and comes back as another one of nobody")
    func forgotten() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: nil)
        await phone.launch()
        let first = try await loop.registered(phone, app)
        app.login("anna")
        try await loop.owns("anna")
        loop.network.turn(on: false)
        app.forgetDevice()
        await phone.journal.first {
            if case .called(let path, nil) = $0 { path.contains("/installations/") } else { false }
        }
        #expect(try await loop.devices(of: "anna").map(\.installationID) == [first.installationID])
        loop.network.turn(on: true)
        await phone.goHome()
        await phone.launch()
        try await Eventually.is("anna has no phone") { try await loop.devices(of: "anna").isEmpty }
        app.login("ben")
        try await loop.owns("ben")
        let second = try await loop.devices(of: "ben").map(\.installationID)
        #expect(second.count == 1 && second != [first.installationID])
        #expect(try await loop.devices(of: "anna").isEmpty)
        try await loop.end()
    }

    @Test("a test that a device sends itself comes to it alone, and its diagnostics know of no problem")
    func testsItself() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "anna")
        let (otherApp, other) = try loop.phone(of: "anna")
        for (app, phone) in [(app, phone), (otherApp, other)] {
            await phone.launch()
            _ = try await loop.registered(phone, app)
        }
        await other.goHome()
        let sent = try await app.sendTest().get()
        let settled = try await loop.settled(try #require(PublicID(sent)))
        #expect(settled.counts.accepted == 1 && settled.audience.count == 1)
        try await Eventually.is("the test has arrived") { app.received.contains { $0.messageID == sent } }
        #expect(app.received.map(\.title) == ["テスト通知"])
        #expect(other.notifications.isEmpty && otherApp.received.isEmpty)
        let known = try #require(await app.diagnostics())
        #expect(known.problems == [], "\(known.text)")
        #expect(known.user == "anna" && known.owners == ["anna"])
        let arrived = PushNotificationDiagnostics.Arrival.inFront
        #expect(
            known.history.contains {
                if case .push(let push) = $0.event { push.messageID == sent && push.arrival == arrived } else { false }
            }
        )
        try await loop.end()
    }

    @Test(
        "the operator's settings say how many tests devices may send themselves",
        arguments: ["MARTLET_QUOTAS_TESTS", "MARTLET_QUOTAS_TESTS_OF_APP"]
    )
    func testsAreBounded(by setting: String) async throws {
        let loop = try await Loop(settings: { _ in [setting: "1"] })
        let (app, phone) = try loop.phone(of: "anna")
        await phone.launch()
        _ = try await loop.registered(phone, app)
        _ = try await app.sendTest().get()
        let second = await app.sendTest()
        let isRefused = if case .failure(.serverError(statusCode: 429, _)) = second { true } else { false }
        #expect(isRefused, "\(second)")
        try await loop.end()
    }

    @Test("an app that is installed anew is another installation of the same user; the old one's token ends")
    func reinstall() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "player-4")
        await phone.launch()
        let first = try await loop.registered(phone, app)
        await phone.reinstall()
        await phone.launch()
        let second = try await loop.registered(phone, app)
        #expect(second.installationID != first.installationID)
        #expect(second.apnsToken != first.apnsToken)
        #expect(second.userID == "player-4")
        await phone.goHome()
        let sale = try await loop.settled(try await loop.send(to: "player-4", Loop.sale))
        #expect(sale.counts.accepted == 1)
        try await loop.tap(sale.id, on: phone, app, user: "player-4", second)
        let devices = try await loop.devices(of: "player-4")
        #expect(devices.filter(\.isActive).map(\.installationID) == [second.installationID])
        try await loop.end()
    }
}
