import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

/// The static interface, of which a process has one: these tests run one after the other.
@Suite("What an app calls, from end to end", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct FacadeLoopTests {
    @Test("configured in three lines: a token, a push in front, a tap that starts the app, and its rows at the server")
    func interface() async throws {
        let loop = try await Loop()
        let (app, phone) = try loop.phone(of: "player-5") { $0.isStatic = true }
        await phone.launch()
        let token = try await loop.registered(phone, app)
        #expect(token.userID == "player-5" && token.apnsToken == phone.token?.hexadecimalText)
        #expect(app.answers.map { try? $0.get() } == [true])

        let news = try await loop.send(to: "player-5")
        _ = try await loop.shown(phone)
        _ = try await loop.event(.delivery, news, of: app)
        #expect(app.received.map(\.messageID) == [news.description])

        await phone.goHome()
        await phone.kill()
        let mission = #","action":"refresh_dashboard","device_id":"camera","date":"2026-03-01""#
        let sale = try await loop.send(to: "player-5", #","data":{"deeplink":"game://mission/7"\#(mission)}"#)
        try await phone.tap(try await loop.shown(phone, after: 1).id)
        #expect(try await loop.event(.deeplinkOpen, sale, of: app).value == "game://mission/7")
        #expect(app.received.map(\.messageID) == [news.description, sale.description])
        #expect(app.deepLinks.map(\.absoluteString) == ["game://mission/7"])
        try await Eventually.is("the camera is reloaded") { app.refreshes.map(\.deviceID) == ["camera"] }

        _ = try await loop.event(.delivery, sale, of: app)
        let rows = try await loop.events().filter { $0.messageID != nil }
        #expect(
            Set(rows.map { "\($0.type.rawValue) \($0.messageID ?? "")" }) == [
                "delivery \(news)", "delivery \(sale)", "open \(sale)", "deeplink_open \(sale)",
            ]
        )
        #expect(rows.count == 4)
        #expect(rows.allSatisfy { $0.userID == "player-5" && $0.installationID == token.installationID })
        #expect(app.errors.isEmpty)
        #expect(app.callsOffMain == 0)
        #expect(PushNotificationSDK.onRefresh != nil)
        try await loop.end()
        #expect(PushNotificationSDK.onRefresh == nil)
    }
}
