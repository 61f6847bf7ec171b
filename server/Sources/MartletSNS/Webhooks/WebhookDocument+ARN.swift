import Foundation
import MartletCore
import MartletWire

extension WebhookDocument {
    /// The topic's name.
    var arn: TopicARN { TopicARN(region: region, account: account, name: topic) }

    /// A published message.
    ///
    /// - Parameters:
    ///   - message: of a message in several forms the one for `http`.
    ///   - secureMessage: the one for `https`.
    init(
        topic: Topic,
        arn: TopicARN,
        message: String,
        secureMessage: String? = nil,
        subject: String?,
        attributes: [Attribute],
        publishedAt: Timestamp
    ) {
        self.init(
            region: arn.region,
            account: arn.account,
            topic: arn.name,
            message: message,
            publishedAt: publishedAt.rawValue
        )
        self.secureMessage = secureMessage == message ? nil : secureMessage
        self.subject = subject
        self.attributes = attributes
        signatureVersion = topic.attributes["SignatureVersion"]
        deliveryPolicy = topic.attributes["DeliveryPolicy"]
    }
}

extension WebhookMessage {
    /// A published message for a topic's webhook URLs.
    ///
    /// - Parameters:
    ///   - id: the message id that the publisher is told.
    ///   - message: of a message in several forms the one for `http`.
    ///   - secureMessage: the one for `https`; `nil` where it is the same.
    ///   - filtered: what filters look at.
    ///   - group: the message group id of a FIFO topic.
    /// - Throws: what the encoder throws, for which there is no reason.
    init(
        id: PublicID,
        topic: Topic,
        message: String,
        secureMessage: String? = nil,
        subject: String?,
        attributes: [WebhookDocument.Attribute],
        filtered: TopicMessage,
        group: String?,
        publishedAt: Timestamp,
        _ call: SNSCall
    ) throws {
        let arn = TopicARN(region: topic.region, account: call.account, name: topic.name)
        let document = WebhookDocument(
            topic: topic,
            arn: arn,
            message: message,
            secureMessage: secureMessage,
            subject: subject,
            attributes: attributes,
            publishedAt: publishedAt
        )
        self.init(
            id: id,
            topic: topic.row,
            topicName: arn.description,
            recipients: .subscribers(filtered),
            document: try document.encoded(),
            group: topic.isFIFO ? group : nil
        )
    }
}
