import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("What breaks apps on real phones", .timeLimit(.minutes(1)))
@MainActor
struct RealPhoneTests {
    // MARK: Identity

    @Test("a launch before the first unlock loses neither the identity nor the queue")
    func beforeUnlock() async throws {
        let one = try SDKPhone(user: "player-1")
        let first = try await one.launch()
        await one.app.flush()
        one.network.turn(on: false)
        await one.phone.receive(.message("m1"))
        try await one.phone.tap("m1")
        await one.phone.restart()
        await one.phone.receive(.silent("s1"))
        #expect(one.phone.state == .background)
        await one.phone.unlock()
        one.network.turn(on: true)
        await one.phone.launch()
        await one.upload(.open, "m1")
        await one.upload(.delivery, "s1")
        let installations = Set(one.backend.registrations.entries.map(\.installationID))
        #expect(installations == [first.installationID])
        #expect(one.app.installationSecret == "mi_secret")
        #expect(one.backend.events.entries.allSatisfy { $0.installationID == first.installationID })
    }

    @Test("a backup on another phone is a new installation, and takes nothing from the first phone")
    func restoredBackup() async throws {
        let one = try SDKPhone()
        let first = try await one.launch()
        one.app.login("player-1")
        _ = await one.backend.registrations.wait(for: 2)
        await one.app.flush()
        one.network.turn(on: false)
        await one.phone.receive(.message("m1"))
        try await one.phone.tap("m1")

        let backup = one.phone.backUp()
        let next = try SDKPhone()
        await next.phone.restore(backup)
        let second = try await next.launch()
        #expect(second.installationID != first.installationID)
        #expect(second.token != first.token)
        #expect(second.userID.value == nil)
        #expect(next.backend.secrets.entries.first == .some(nil))
        await next.app.flush()
        #expect(next.backend.count(.open) == 0)
        #expect(next.backend.events.entries.allSatisfy { $0.apnsToken == second.token })
    }

    @Test("the queue in UserDefaults travels with a backup, and is thrown away on the other phone")
    func restoredDefaults() async throws {
        let one = try SDKPhone { $0.configuration.eventStorage = .userDefaults }
        _ = try await one.launch()
        await one.app.flush()
        one.network.turn(on: false)
        await one.phone.receive(.message("m1"))
        try await one.phone.tap("m1")
        let next = try SDKPhone { $0.configuration.eventStorage = .userDefaults }
        await next.phone.restore(one.phone.backUp())
        _ = try await next.launch()
        await next.app.flush()
        #expect(next.backend.count(.open) == 0)
    }

    @Test("a consent that was taken back travels with a backup")
    func restoredConsent() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        one.app.client?.isTrackingEnabled = false
        let next = try SDKPhone()
        await next.phone.restore(one.phone.backUp())
        _ = try await next.launch()
        #expect(next.app.client?.isTrackingEnabled == false)
        await next.app.flush()
        #expect(next.backend.events.entries.isEmpty)
    }

    @Test("what happens before the first unlock is thrown away where the consent was taken back")
    func consentBeforeUnlock() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        await one.app.flush()
        let before = one.backend.events.entries.count
        one.app.client?.isTrackingEnabled = false
        await one.phone.restart()
        await one.phone.receive(.silent("s1"))
        await one.phone.unlock()
        await one.phone.launch()
        await one.app.flush()
        #expect(one.app.waitingEvents == 0)
        #expect(one.backend.events.entries.count == before)
    }

    // MARK: Taps

    @Test("a tap reaches the handler although the same message was told before in this launch")
    func tapAfterArrival() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        await one.phone.receive(.message("m1"))
        try await one.phone.tap("m1")
        #expect(one.app.received.map(\.messageID) == ["m1", "m1"])
    }

    @Test("two notifications of the same message id are two taps")
    func sameMessageTwice() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        for identifier in ["a", "b", "a"] {
            await one.phone.goHome()
            await one.phone.receive(.message("m1", identifier: identifier, mutable: true))
            try await one.phone.tap(identifier)
        }
        #expect(one.app.received.count == 3)
        await one.upload(.open, "m1", 3)
        // The extension ran for each, and each time it was the same delivery.
        let deliveries = one.backend.events.entries.filter { $0.type == .delivery }
        #expect(Set(deliveries.map(\.eventID)).count == 1)
        let opens = one.backend.events.entries.filter { $0.type == .open }
        #expect(opens.count == 3 && Set(opens.map(\.eventID)).count == 3)
    }

    @Test("a push without an id is told in front and by a tap, its link is followed, and nothing of it is counted")
    func withoutID() async throws {
        let one = try SDKPhone { $0.links = LinkPolicy([.deepLink("transit")]) }
        _ = try await one.launch()
        let link = try #require(URL(string: "transit://alerts/7"))
        let aps = #"{"alert":{"title":"Service Alert","body":"T4 is late"},"badge":1,"mutable-content":1}"#
        await one.phone.receive(Push(#"{"aps":\#(aps),"alert_id":"7","deep_link":"\#(link)"}"#, collapseID: "7"))
        try await one.phone.tap("7")
        await one.phone.journal.first { $0 == .handled(.deepLink(link)) }
        #expect(one.app.received.map(\.title) == ["Service Alert", "Service Alert"])
        await one.app.flush()
        #expect(one.backend.events.entries.allSatisfy { $0.type == .tokenRegister })
    }

    // MARK: Registration

    @Test("a token is registered without permission, and the server is told", arguments: [true, false])
    func withoutPermission(isAsked: Bool) async throws {
        let one = try SDKPhone { $0.asksAtLaunch = isAsked }
        one.phone.answerPrompt(allowing: false)
        let registration = try await one.launch()
        #expect(registration.token == one.phone.token?.hexadecimalText)
        let expected: PermissionName = isAsked ? .denied : .notDetermined
        #expect(await one.backend.registrations.wait { $0.permission == expected } != nil)
    }

    // MARK: Confirmed delivery

    @Test("a silent push reports its delivery although the app is suspended right after")
    func silentDelivery() async throws {
        let one = try SDKPhone(suspends: true)
        _ = try await one.launch()
        await one.phone.goHome()
        await one.phone.kill()
        await one.phone.receive(.silent("s1"))
        _ = await one.backend.events.wait { $0.messageID == "s1" }
        #expect(one.backend.count(.delivery, "s1") == 1)
        #expect(one.phone.state == .background)
    }

    @Test("an app that left the screen uploads in the background time that it took, and ends it when it is over")
    func leavesTheScreen() async throws {
        let one = try SDKPhone(suspends: true)
        _ = try await one.launch()
        await one.phone.receive(.message("m1"))
        try await one.phone.tap("m1")
        await one.phone.goHome()
        _ = await one.backend.events.wait { $0.type == .open }
        #expect(one.backend.count(.open, "m1") == 1)
        await one.phone.endBackgroundTime()
        #expect(one.phone.journal.faults.isEmpty)
    }

    @Test("the extension reports the delivery although the app never runs again")
    func extensionAlone() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        await one.phone.swipeAway()
        await one.phone.receive(.message("m1", mutable: true))
        #expect(one.backend.count(.delivery, "m1") == 1)
        let delivery = one.backend.events.entries.first { $0.type == .delivery }
        #expect(delivery?.apnsToken == one.phone.token?.hexadecimalText)
        // The app finds it counted, and sends it no more.
        await one.phone.launch()
        await one.app.flush()
        await one.app.flush()
        #expect(one.backend.events.entries.filter { $0.type == .delivery }.count == 1)
        #expect(one.app.waitingEvents == 0)
    }

    @Test("what the extension could not upload waits for the app, with the same id")
    func extensionOffline() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        await one.app.flush()
        await one.phone.goHome()
        await one.phone.kill()
        one.network.turn(on: false)
        await one.phone.receive(.message("m1", mutable: true))
        one.network.turn(on: true)
        #expect(one.backend.count(.delivery) == 0)
        await one.phone.launch()
        await one.upload(.delivery, "m1")
        await one.app.flush()
        #expect(one.backend.count(.delivery, "m1") == 1)
    }

    @Test("without consent the extension uploads nothing")
    func extensionWithoutConsent() async throws {
        let one = try SDKPhone()
        _ = try await one.launch()
        await one.app.flush()
        one.app.client?.isTrackingEnabled = false
        await one.phone.goHome()
        await one.phone.kill()
        await one.phone.receive(.message("m1", mutable: true))
        #expect(one.backend.count(.delivery) == 0)
    }
}
