extension PushNotificationSDK {
    /// Sets the number on the app's icon; 0 and less remove it.
    public static func setBadge(_ number: Int) {
        client?.setBadge(number)
    }
}
