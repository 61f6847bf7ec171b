import Foundation
import MartletCore
import MartletWire

/// What the queue keeps of a message for webhook URLs: enough to write the envelope when topic and publisher are gone.
struct WebhookDocument: Codable, Hashable, Sendable {
    /// A message attribute, as subscribers see it.
    struct Attribute: Codable, Hashable, Sendable {
        var name: String
        /// `String`, `Number`, `Binary`, `String.Array`, with what stands behind a dot.
        var type: String
        /// The text; bytes are in base64.
        var value: String
    }

    /// The question whether an address wants a topic's messages, or the word that it gets no more of them.
    struct Confirmation: Codable, Hashable, Sendable {
        /// The token, sealed for ``WebhookDocument/purpose(of:)`` and in base64: it confirms, so the database alone must
        /// not.
        var sealedToken: String
        /// Whether the subscription has ended; absent is not. The token then takes that back.
        var isUnsubscribeConfirmation: Bool?
    }

    /// The topic's region, account and name.
    var region: String
    var account: String
    var topic: String
    /// What the message says; of a message in several forms the one for `http`.
    var message: String
    /// What it says to `https` addresses, where that is something else.
    var secureMessage: String?
    var subject: String?
    var attributes: [Attribute] = []
    /// When it was published, in milliseconds since 1970.
    var publishedAt: Int64
    /// The topic's `SignatureVersion`; absent is 1.
    var signatureVersion: String?
    /// The topic's `DeliveryPolicy`.
    var deliveryPolicy: String?
    /// `nil` is a published message.
    var confirmation: Confirmation?

    /// The topic's name.
    var arn: TopicARN { TopicARN(region: region, account: account, name: topic) }

    /// The document as the store keeps it.
    ///
    /// - Throws: what the encoder throws, for which there is no reason.
    func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads a document from the store.
    init(stored text: String) throws {
        self = try JSONDecoder().decode(WebhookDocument.self, from: Data(text.utf8))
    }

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
        region = arn.region
        account = arn.account
        self.topic = arn.name
        self.message = message
        self.secureMessage = secureMessage == message ? nil : secureMessage
        self.subject = subject
        self.attributes = attributes
        self.publishedAt = publishedAt.rawValue
        signatureVersion = topic.attributes["SignatureVersion"]
        deliveryPolicy = topic.attributes["DeliveryPolicy"]
    }

    /// What a message's token is sealed for.
    static func purpose(of message: PublicID) -> String { "webhook-confirmation/\(message)" }
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
