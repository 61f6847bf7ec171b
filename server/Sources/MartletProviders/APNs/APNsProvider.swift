package import MartletCore
package import MartletWire

/// Apple Push Notification service behind the provider seam.
///
/// Rendering and checking are pure; sending uses long-lived HTTP/2 connections that credentials with the same key share.
package final class APNsProvider: RoutedService {
    package static let (platform, name) = (Platform.apns, "APNs")
    package let settings: APNsSettings
    package let context: ProviderContext
    package let routes: Routes<APNsRoute>

    package init(settings: APNsSettings, context: ProviderContext) {
        (self.settings, self.context) = (settings, context)
        routes = Routes(limit: settings.routes, address: ServerAddress.apns) { (opened, address) throws(Failure) in
            try APNsRoute(opened, address: address, settings: settings, context)
        }
    }

    /// Production first, because most devices run store builds.
    package var environments: [MartletCore.Environment] { [.production, .sandbox] }

    /// Hexadecimal digits, in lower case.
    package func normalize(_ token: String, field: String) throws(Failure) -> String {
        try APNsToken.normalize(token, field: field)
    }

    /// Renders a submission: see ``APNsPushType`` for what each push type asks for.
    ///
    /// The header fields go to APNs as they stand, but for `topic-suffix`: what stands there follows the topic of the
    /// credential that the message is sent with, unless the message has an `apns-topic` of its own.
    package func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try APNsRenderer.render(submission, context: context)
    }

    /// The payload, against the push type's limit.
    package func size(of message: Message) -> MessageSize {
        let type = message.headers[APNsHeader.pushType].flatMap(APNsPushType.init) ?? .alert
        return MessageSize(bytes: message.payload.largestCount, limit: type.rules.payloadLimit)
    }

    /// What `payload` or `text` of the override is.
    package func payload(of override: JSONValue) -> [String: JSONValue]? { APNsOverride.payload(of: override) }

    /// The credential's topic with the push type's suffix; `nil` where the message names another one.
    package func topic(of message: Message, with credential: CredentialSummary) -> String? {
        APNsRequest.ownTopic(of: message, with: credential)
    }

    /// Checks a `.p8` key, a `.p12` file or a PEM pair.
    package func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        try APNsCredentialCheck.check(draft, now: clock.now())
    }
}
