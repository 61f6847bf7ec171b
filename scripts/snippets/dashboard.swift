import Foundation
import PushNotificationSDK

extension SDKConfiguration {
    fileprivate var forDashboard: SDKConfiguration { self }
}

private func snippet() throws {
    // the snippet
}
