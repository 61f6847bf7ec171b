import PushNotificationSDK

@MainActor
private func snippet() {
    // the snippet
}
