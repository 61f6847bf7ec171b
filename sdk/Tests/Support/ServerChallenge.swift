#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLAuthenticationChallenge {
    /// What the system asks about the certificate of `api.example.com`; Linux never asks.
    package static func ofServer() -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "api.example.com",
            port: 443,
            protocol: "https",
            realm: nil,
            authenticationMethod: "NSURLAuthenticationMethodServerTrust"
        )
        return URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: NoSender()
        )
    }
}

/// What a challenge has to have, and nothing asks.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
