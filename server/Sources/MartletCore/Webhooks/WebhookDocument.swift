import Foundation
package import MartletWire

/// What the queue keeps of a message for webhook URLs: enough to write the envelope when topic and publisher are gone.
package struct WebhookDocument: Codable, Hashable, Sendable {
    /// A message attribute, as subscribers see it.
    package struct Attribute: Codable, Hashable, Sendable {
        package var name: String
        /// `String`, `Number`, `Binary`, `String.Array`, with what stands behind a dot.
        package var type: String
        /// The text; bytes are in base64.
        package var value: String

        package init(name: String, type: String, value: String) {
            self.name = name
            self.type = type
            self.value = value
        }
    }

    /// The confirmation that an address is asked for, or the unsubscribe confirmation that it gets.
    package struct Confirmation: Codable, Hashable, Sendable {
        /// The token, sealed for ``WebhookDocument/purpose(of:)`` and in base64: it confirms, so the database alone must
        /// not.
        package var sealedToken: String
        /// Whether the subscription has ended; absent is not. The token then takes that back.
        package var isUnsubscribeConfirmation: Bool?

        package init(sealedToken: String, isUnsubscribeConfirmation: Bool? = nil) {
            self.sealedToken = sealedToken
            self.isUnsubscribeConfirmation = isUnsubscribeConfirmation
        }
    }

    /// The topic's region, account and name.
    package var region: String
    package var account: String
    package var topic: String
    /// What the message says; of a message in several forms the one for `http`.
    package var message: String
    /// What it says to `https` addresses, where that is something else.
    package var secureMessage: String?
    package var subject: String?
    package var attributes: [Attribute] = []
    /// When it was published, in milliseconds since 1970.
    package var publishedAt: Int64
    /// The topic's `SignatureVersion`; absent is 1.
    package var signatureVersion: String?
    /// The topic's `DeliveryPolicy`.
    package var deliveryPolicy: String?
    /// `nil` is a published message.
    package var confirmation: Confirmation?

    /// The document as the store keeps it.
    ///
    /// - Throws: what the encoder throws, for which there is no reason.
    package func encoded() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads a document from the store.
    package init(stored text: String) throws {
        self = try JSONDecoder().decode(WebhookDocument.self, from: Data(text.utf8))
    }

    package init(region: String, account: String, topic: String, message: String, publishedAt: Int64) {
        self.region = region
        self.account = account
        self.topic = topic
        self.message = message
        self.publishedAt = publishedAt
    }

    /// What a message's token is sealed for.
    package static func purpose(of message: PublicID) -> String { "webhook-confirmation/\(message)" }
}
