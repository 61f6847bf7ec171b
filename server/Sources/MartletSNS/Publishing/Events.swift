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
            let apps = try await apps(of: recipients, for: [post])
            return try await publish([post], to: recipients, apps, call).flatMap { $0.submitted.map(\.id) }
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

/// What happens to an endpoint and is told to the topic that its application names for it.
enum EndpointEvent: Sendable {
    /// It is new.
    case created(Endpoint)
    /// These attributes of it were set.
    case updated(Endpoint, [String])
    /// It is gone.
    case deleted(Endpoint)

    /// The application's attribute that names the topic.
    var attribute: String {
        switch self {
        case .created: "EventEndpointCreated"
        case .updated: "EventEndpointUpdated"
        case .deleted: "EventEndpointDeleted"
        }
    }

    /// Whose event it is.
    var endpoint: Endpoint {
        switch self {
        case .created(let endpoint), .updated(let endpoint, _), .deleted(let endpoint): endpoint
        }
    }

    /// The word of the message.
    fileprivate var type: String {
        switch self {
        case .created: "EndpointCreated"
        case .updated: "EndpointUpdated"
        case .deleted: "EndpointDeleted"
        }
    }

    /// The message, as JSON. Tokens and user data stand in none.
    ///
    /// - Parameters:
    ///   - arn: the endpoint's name.
    ///   - now: when it happened.
    func message(_ arn: EndpointARN, at now: Timestamp) -> String {
        var members: [String: JSONValue] = [
            "EventType": .string(type), "EndpointArn": .string(arn.description),
            "Resource": .string(arn.application.description), "Service": "SNS",
            "Time": .string(UTCTime(now).description),
        ]
        if case .updated(_, let names) = self { members["Attributes"] = .array(names.sorted().map(JSONValue.string)) }
        return JSONValue.object(members).compact
    }
}

extension SNSService {
    /// Tells the topic that the application names for such an event, if it names one. What goes wrong with that changes
    /// nothing about the event.
    func announce(_ event: EndpointEvent, of application: PlatformApplication) async {
        guard let topic = application.attributes[event.attribute] else { return }
        let arn = arn(of: event.endpoint, in: application)
        _ = await publishEvent(
            event.message(arn, at: clock.now()),
            subject: "\(event.type) event",
            to: topic
        )
    }
}
