import Foundation

/// The notifications that this device still shows.
struct ShownNotifications: Sendable {
    let platform: any Platform

    /// Takes those out of the notification center that are of these messages.
    func remove(_ messageIDs: Set<String>) async {
        guard !messageIDs.isEmpty else { return }
        let identifiers = await platform.deliveredNotifications().filter { notification in
            notification.isRemote && notification.payload.messageID.map(messageIDs.contains) ?? false
        }.map(\.identifier)
        if !identifiers.isEmpty { await platform.removeDelivered(identifiers) }
    }
}
