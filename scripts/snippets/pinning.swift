import Foundation
import PushNotificationSDK

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated private func hasOurCertificate(_ challenge: URLAuthenticationChallenge) -> Bool { false }

private func snippet() {
    // the snippet
}
