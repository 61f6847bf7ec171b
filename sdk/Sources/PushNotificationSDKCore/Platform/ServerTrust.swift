public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Decides whether a server is who it should be, as `urlSession(_:didReceive:completionHandler:)` does. It is called on any
/// thread, once for a connection, and answers once.
public typealias ServerTrustHandler =
    @Sendable (
        URLAuthenticationChallenge,
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Void

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
