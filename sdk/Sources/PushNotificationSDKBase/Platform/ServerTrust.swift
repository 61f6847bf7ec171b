#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Decides whether a server is who it should be, as `urlSession(_:didReceive:completionHandler:)` does. It is called on any
/// thread, once for a connection, and answers once.
public typealias ServerTrustHandler =
    @Sendable (
        URLAuthenticationChallenge,
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Void
