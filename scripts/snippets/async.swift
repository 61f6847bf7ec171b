import Foundation
import PushNotificationSDK

private func snippet(token: String) async throws {
    // the snippet
}
