import Foundation
import MartletWireBase

/// What a payload asks to be reloaded.
package struct RefreshWish: Sendable, Hashable, Codable {
    /// What is to be done.
    package var action: String
    /// The observed device.
    package var deviceID: String
    /// The day that the sender names.
    package var date: String

    /// The longest action and device id that are read, ours.
    private static let longest = 256

    /// Reads a payload.
    ///
    /// - Parameter needsAction: whether a push without an action asks for nothing; of one that may be without, it is empty.
    /// - Returns: `nil` when it lacks an action, a device or a day, or one of them is not what it should be.
    package init?(_ payload: NotificationPayload, needsAction: Bool = true) {
        let named = payload.custom["action"]?.stringValue
        guard let action = named ?? (needsAction ? nil : ""),
            let deviceID = payload.custom["device_id"]?.stringValue,
            let date = payload.custom["date"]?.stringValue,
            ((needsAction ? 1 : 0)...Self.longest).contains(action.utf8.count),
            (1...Self.longest).contains(deviceID.utf8.count),
            ObservedDay.isDay(date)
        else { return nil }
        self.action = action
        self.deviceID = deviceID
        self.date = date
    }
}
