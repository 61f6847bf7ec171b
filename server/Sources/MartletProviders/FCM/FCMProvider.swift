import Foundation
package import MartletCore
package import MartletWire

/// Firebase Cloud Messaging behind the provider seam: its HTTP v1 interface, one message a request.
///
/// Rendering and checking are pure; sending uses long-lived HTTP/2 connections that credentials with the same account
/// share, at the pace that Google allows a project.
package final class FCMProvider: RoutedService {
    package static let (platform, name) = (Platform.fcm, "FCM")
    package let settings: FCMSettings
    package let context: ProviderContext
    package let routes: Routes<FCMRoute>

    package init(settings: FCMSettings, context: ProviderContext) {
        (self.settings, self.context) = (settings, context)
        let paces = PaceTable(rate: settings.rate, limit: 4 * settings.routes)
        routes = Routes(limit: settings.routes) { (credential) throws(Failure) in
            try ServerAddress.fcm(credential, settings)
        } open: { (opened, address) throws(Failure) in
            try FCMRoute(opened, address: address, settings: settings, pacing: paces.pacing, context)
        }
    }

    /// One: FCM has no other.
    package var environments: [MartletCore.Environment] { [.production] }

    /// As it came.
    package func normalize(_ token: String, field: String) throws(Failure) -> String {
        try FCMToken.normalize(token, field: field)
    }

    /// Renders a submission. What is Apple's own (push type and topic) says nothing here.
    package func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try FCMRenderer.render(submission, context: context)
    }

    /// Names and values of data and notification.
    package func size(of message: Message) -> MessageSize {
        let body = message.payload.filled(badge: .max, deliveryID: PublicID(high: 0, low: 0))
        let request = (try? JSONValue(json: Data(body)))?.objectValue
        let bytes = FCMMessage.countedBytes(of: request?["message"]?.objectValue ?? [:])
        return MessageSize(bytes: bytes, limit: FCMRenderer.limit)
    }

    /// The data of the override's `message`.
    package func payload(of override: JSONValue) -> [String: JSONValue]? { FCMOverride.payload(of: override) }

    /// Checks a service account.
    package func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        try FCMCredentialCheck.check(draft, settings)
    }
}
