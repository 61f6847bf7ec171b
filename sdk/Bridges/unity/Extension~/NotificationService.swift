import Foundation
import PushNotificationServiceExtension

/// Attaches the picture, movie or sound of a notification and reports that it arrived, with the game's settings.
///
/// It is not the main actor's, of which new projects make what does not say otherwise: the system calls it on any thread.
nonisolated final class NotificationService: PushNotificationServiceExtension {
    override var appGroup: String? { PushSettings.appGroup }
    override var countsBadge: Bool { PushSettings.countsBadge }
    override var configuration: SDKConfiguration? {
        guard let url = PushSettings.apiURL.flatMap(URL.init(string:)), let key = PushSettings.clientKey else {
            return nil
        }
        var configuration = try? SDKConfiguration(apiURL: url, apiKey: key)
        configuration?.app = PushSettings.app
        return configuration
    }
}
