import PushNotificationSDK
import UIKit

/// The superclass hands on to the SDK what the system tells the app.
@main
final class AppDelegate: PushNotificationAppDelegate {
    let dashboard = Dashboard()
    let links = Links()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        do {
            let url = URL(string: "https://push.example.com")!
            var configuration = try SDKConfiguration(apiURL: url, apiKey: "your-client-key")
            // Nothing is counted before the person's yes: Consent.swift asks.
            configuration.tracksBeforeConsent = false
            try PushNotificationSDK.configure(configuration.forDashboard)
        } catch {
            // Only a wrong address or key: the text says which.
            print(error.localizedDescription)
        }
        dashboard.listen()
        links.listen { [dashboard] deviceID in dashboard.show(deviceID) }
        PushNotificationSDK.onNotificationActionTapped = { [dashboard] action, payload in
            guard action == "SHOW", let deviceID = payload.customData?["device_id"] as? String else { return }
            dashboard.show(deviceID)
        }
        PushNotificationSDK.onError = { error in
            print(error.localizedDescription, error.recoverySuggestion ?? "")
        }
        return true
    }
}

extension SDKConfiguration {
    /// What the dashboard adds to the lines that start the SDK.
    fileprivate var forDashboard: SDKConfiguration {
        var configuration = self
        // The service extension has the same.
        configuration.appGroup = "group.com.example.dashboard"
        // A push names it in `aps.category`.
        configuration.categories = [
            NotificationCategory(
                "DASHBOARD",
                actions: [.init("SHOW", title: "Show", options: .foreground), .init("LATER", title: "Later")]
            )
        ]
        // In front the news shows by itself: the sound is enough.
        configuration.presentation = [.list, .sound]
        return configuration
    }
}
