import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

/// Who hears the system's calls, as diagnostics say it, on phones of their own.
@MainActor @Suite("Diagnostics of an app's delegates", .timeLimit(.minutes(1))) struct DelegateDiagnosticsTests {
    let phone = FacadePhone()
    let app = GameDelegate()
    let alerts = AlertDelegate()

    private func client(_ change: (inout SDKConfiguration) -> Void = { _ in }) async throws -> PushClient {
        var configuration = try SDKConfiguration.valid()
        change(&configuration)
        let client = PushClient(configuration, in: phone.environment)
        // The launch is over.
        await MainQueue.drain()
        return client
    }

    @Test("methods that another SDK takes from the app's delegate are missed with the token, until the app is in front")
    func takenAway() async throws {
        phone.application.delegate = app
        phone.center.delegate = alerts
        let client = try await client()
        var known = await client.diagnostics()
        #expect(known.applicationDelegate == .automatic && known.centerDelegate == .automatic)
        phone.application.removeAddedMethods()
        phone.application.receiveToken(Data([1, 2]))
        #expect(app.calls.entries == ["token 2"])
        known = await client.diagnostics()
        #expect(known.applicationDelegate == .removed && known.centerDelegate == .automatic)
        #expect(known.problems.contains(.delegateReplaced) && known.problems.contains(.deviceTokenMissing))
        #expect(phone.transport.calls.entries.isEmpty)
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: phone.application)
        known = await client.diagnostics()
        #expect(known.applicationDelegate == .automatic && !known.problems.contains(.delegateReplaced))
        phone.application.receiveToken(Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        #expect(await !client.diagnostics().problems.contains(.deviceTokenMissing))
    }

    @Test("a delegate that the app sets in the place of one with the methods is seen")
    func anotherDelegate() async throws {
        phone.center.delegate = alerts
        let client = try await client()
        #expect(await client.diagnostics().centerDelegate == .automatic)
        let other = AlertDelegate()
        phone.center.delegate = other
        let known = await client.diagnostics()
        #expect(known.centerDelegate == .removed && known.problems.contains(.delegateReplaced))
        withExtendedLifetime(other) {}
    }

    @Test("the SDK's own class is told from the app's, and from a delegate that is not there")
    func ownClass() async throws {
        let client = try await client()
        var known = await client.diagnostics()
        // The center without a delegate has got the SDK's.
        #expect(known.applicationDelegate == .noDelegate && known.centerDelegate == .sdk)
        #expect(known.problems.contains(.notForwarded))
        let delegate = PushNotificationAppDelegate(client: { [weak client] in client })
        phone.application.delegate = delegate
        phone.center.delegate = delegate
        known = await client.diagnostics()
        #expect(known.applicationDelegate == .sdk && known.centerDelegate == .sdk)
        #expect(!known.problems.contains(.notForwarded) && !known.problems.contains(.delegateReplaced))
        withExtendedLifetime(delegate) {}
    }

    @Test("an app that forwards by hand has no problem once its token came")
    func byHand() async throws {
        phone.application.delegate = app
        let client = try await client { $0.automaticForwarding = false }
        var known = await client.diagnostics()
        #expect(known.applicationDelegate == .app && !known.automaticForwarding)
        #expect(known.problems.contains(.notForwarded))
        client.didRegister(token: Data([1, 2]))
        _ = await phone.transport.calls.wait(for: 1)
        known = await client.diagnostics()
        #expect(!known.problems.contains(.notForwarded) && !known.problems.contains(.deviceTokenMissing))
    }
}
