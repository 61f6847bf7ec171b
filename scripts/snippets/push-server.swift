import Foundation
import PushNotificationSDK

nonisolated enum PushServer {
    static let url = URL(string: "https://push.example.com")!
    static let clientKey = "your-client-key"
    static let appGroup = "group.com.example.game"
}

private func snippet() throws -> SDKConfiguration {
    // the snippet
    return configuration
}
