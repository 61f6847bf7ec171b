import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import IntegrationExample5
@testable import IntegrationExample6

extension FacadeSuites {
    /// The specification's complete integration example, compiled unchanged as Swift 5 and as Swift 6, on a phone.
    @MainActor @Suite struct IntegrationExampleTests {
        @Test("the example starts, asks, receives and tells of taps, as Swift 5")
        func swift5() async throws {
            try await run(IntegrationExample5.AppDelegate())
        }

        @Test("the example starts, asks, receives and tells of taps, as Swift 6")
        func swift6() async throws {
            try await run(IntegrationExample6.AppDelegate())
        }

        private func run(_ delegate: some UIApplicationDelegate) async throws {
            let phone = FacadePhone()
            phone.start()
            #expect(delegate.application(phone.application, didFinishLaunchingWithOptions: nil))
            #expect(PushNotificationSDK.client?.context.configuration.playerAccountId == "player-12345")
            // The launch asks for a token, and so does a permission that was given.
            _ = await phone.registrations.wait(for: 2)
            #expect(phone.device.promptCount == 1)
            let push = #"{"aps":{"alert":{"title":"T","body":"B"}},"message_id":"m1","action":"open_shop"}"#
            #expect(await phone.center.arrive(push) == [.banner, .sound])
            await phone.center.respond("CONFIRM", push)
            #expect(
                phone.events.recorded.entries == [
                    .init(.delivery, "m1"), .init(.open, "m1", value: "CONFIRM"),
                ]
            )
            PushNotificationSDK.reset()
        }
    }
}
