extension PushNotificationSDK {
    /// Pins certificates: asked about each connection to the server, beside the system's own checks where it answers
    /// `.performDefaultHandling`. Set it before `configure`. `nil` leaves it to the system. The service extension is
    /// another process and has a handler of its own. Pictures of notifications come from other hosts and are not asked about.
    public static var serverTrustHandler: ServerTrustHandler? {
        get { trust.with { $0 } }
        set { trust.with { $0 = newValue } }
    }

    private static let trust = Locked<ServerTrustHandler?>(nil)
}
