import Foundation
import PushNotificationSDK

/// Where notifications may lead: pages of one host, and places in the app.
@MainActor
struct Links {
    /// - Parameter device: what to do with a link to a device, such as `dashboard://device/device-cabin`.
    func listen(device: @escaping (String) -> Void) {
        // The app's scheme stands in its Info.plist too, under CFBundleURLTypes.
        PushNotificationSDK.linkPolicy = LinkPolicy([
            .web("www.example.com", path: "/news"), .deepLink("dashboard", host: "device"),
        ])
        // Only what the policy allows comes here.
        PushNotificationSDK.onDeepLink = { url, _ in device(url.lastPathComponent) }
    }
}
