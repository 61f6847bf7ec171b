import Foundation
import PushNotificationSDK

private func snippet(configuration: inout SDKConfiguration) throws {
    // the snippet
}
