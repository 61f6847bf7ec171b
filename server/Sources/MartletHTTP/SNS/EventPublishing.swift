import Logging
import MartletCore
import MartletWire

/// What the server itself publishes: that an endpoint was made or changed, that a delivery failed.
extension SNSService {
    /// Publishes a message to a topic of this server, as an event's topic is named in a platform application's
    /// attributes. What cannot be published is logged and fails nothing: events are told at best effort.
    ///
    /// - Returns: the notifications that came of it.
    @discardableResult
    func publishEvent(
        _ message: String,
        subject: String?,
        to topicARN: String
    ) async -> [PublicID] {
        do {
            let region = try ARN(topicARN, parameter: "TopicArn").region
            let scope = ARNScope(region: region, account: settings.account, action: .publish)
            let arn = try TopicARN(topicARN, in: scope)
            let recipients = try await recipients(of: arn)
            let call = SNSCall(
                form: FormParameters(FormNode()),
                scope: scope,
                caller: nil
            )
            let post = try TopicPost(PublishedMessage(message: message, subject: subject), on: recipients.topic)
            return try await publish([post], to: recipients, call).flatMap { $0.submitted.map(\.id) }
        } catch {
            let reason = (error as? SNSError)?.message ?? "\(error)"
            logger.warning(
                "an event could not be published",
                metadata: ["topic": "\(topicARN.excerpt)", "reason": "\(reason)"]
            )
            return []
        }
    }
}
