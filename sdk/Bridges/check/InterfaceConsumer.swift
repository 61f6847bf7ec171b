import Foundation
import PushNotificationSDK
import PushNotificationServiceExtension
import UserNotifications

// An app that has only the textual interfaces, as of an XCFramework (`scripts/build-xcframework --check`). A class that
// has the name of its module is what such interfaces get wrong.

/// What an app does with the specified interface.
public func useTheInterface() throws {
    PushNotificationSDK.onNotificationReceived = { (payload: NotificationPayload) in print(payload.title) }
    PushNotificationSDK.onNotificationActionTapped = { action, payload in print(action, payload.customData ?? [:]) }
    PushNotificationSDK.onError = { (error: PushNotificationError) in print(error.recoverySuggestion ?? "") }
    let address = URL(string: "https://api.example.com")!
    let configuration = try SDKConfiguration(apiURL: address, apiKey: "validkey123", playerAccountId: "player-12345")
    try PushNotificationSDK.configure(configuration)
    PushNotificationSDK.requestNotificationPermission(options: [.alert]) { result in
        if case .failure(.permissionDenied) = result { print("no") }
    }
}

/// The extension of an app.
public final class Service: PushNotificationServiceExtension {}
