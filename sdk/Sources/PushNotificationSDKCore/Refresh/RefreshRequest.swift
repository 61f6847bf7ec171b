import Foundation
import MartletWire

/// Data of the app that a push says has changed.
public struct RefreshRequest: Sendable, Equatable {
    /// The payload's `action`, such as `refresh_dashboard`; empty where a tapped push has none, see
    /// ``PushNotificationSDK/refreshesWithoutAction``.
    public let action: String
    /// The device whose data changed, from the payload's `device_id`: not this phone.
    public let deviceID: String
    /// The day that the sender names, from the payload's `date`: `yyyy-MM-dd`.
    public let date: String
    /// The day that it is where that device is: `yyyy-MM-dd`.
    public let today: String

    /// The key of the cached day to drop before the data is loaded again: `<device id>_<yyyy-MM-dd>`, with the day
    /// that it is where the device is.
    public var cacheKey: String { "\(deviceID)_\(today)" }

    package init(_ wish: RefreshWish, today: String) {
        action = wish.action
        deviceID = wish.deviceID
        date = wish.date
        self.today = today
    }
}
