public import Foundation

extension PushNotificationSDK {
    /// Reloads what a push says has changed: drop the cached day ``RefreshRequest/cacheKey`` and load it again.
    ///
    /// Called at once while the app is in front, else when it next comes to the front; never in the background.
    ///
    ///     PushNotificationSDK.timeZoneOfDevice = { deviceID in devices[deviceID]?.timeZone }
    ///     PushNotificationSDK.onRefresh = { request in
    ///         dataCache.removeValue(forKey: request.cacheKey)
    ///         loadAllData()
    ///     }
    public static var onRefresh: ((RefreshRequest) -> Void)? {
        get { handlers.refresh.handler }
        set { handlers.refresh.handler = newValue }
    }

    /// Whether a tapped push that has a `device_id` and a `date` and no `action` is one to reload; not so where nothing is
    /// said.
    public static var refreshesWithoutAction: Bool {
        get { handlers.refresh.isActionOptional }
        set { handlers.refresh.isActionOptional = newValue }
    }

    /// The time zone of an observed device, by its id, in which its days begin and end. Called on the main thread;
    /// without an answer it is the phone's zone.
    public static var timeZoneOfDevice: ((String) -> TimeZone?)? {
        get { handlers.refresh.zone }
        set { handlers.refresh.zone = newValue }
    }
}
