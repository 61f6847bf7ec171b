import Foundation
import PushNotificationSDK

private func newToken(for user: String) async -> String? { nil }
private func show(_ items: [InboxItem]) {}

private func snippet(token: String) async throws {
    // the snippet
}
