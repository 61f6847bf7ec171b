package import MartletCore
import MartletWire
import Synchronization

/// Writes what a webhook URL gets of a message. One signature does for all subscriptions of a message.
package final class WebhookRequestBuilder: Sendable {
    /// Which signature.
    private struct Name: Hashable {
        var message: RowID<WebhookMessage>
        var version: SignatureVersion
        /// Whether it is of the text for `https`, which may be another one.
        var isSecure: Bool
    }

    /// How many signatures are remembered; one more, and it begins anew. Ours: some hundred bytes each, against a
    /// millisecond to make one.
    private static let limit = 256

    private let certificate: SigningCertificate
    private let vault: Vault
    private let address: PublicAddress
    private let signatures = Mutex<[Name: String]>([:])

    /// A builder with the key and the links of an interface.
    package init(_ service: SNSService) {
        certificate = service.certificate
        vault = service.vault
        address = service.address
    }

    /// The call of a webhook URL.
    ///
    /// - Throws: what the store throws where the key has to be read, and `Failure` for a token that does not open.
    package func request(
        for delivery: WebhookDelivery,
        _ document: WebhookDocument,
        to url: WebhookURL,
        _ policy: DeliveryPolicy
    ) async throws -> WebhookRequest {
        let arn = SubscriptionARN(topic: document.arn, id: delivery.subscription.id.description)
        let isRaw = document.confirmation == nil && delivery.subscription.attributes["RawMessageDelivery"] == "true"
        let text = url.isTLS ? document.secureMessage ?? document.message : document.message
        let envelope = try envelope(for: delivery, document, arn, text: text)
        let body: [UInt8]
        if isRaw {
            body = Array(text.utf8)
        } else {
            body = try await envelope.json(sign(envelope, delivery, document, isSecure: url.isTLS))
        }
        return WebhookRequest(
            to: url,
            kind: envelope.kind.name,
            messageID: delivery.message.description,
            topic: document.arn,
            // A confirmation is asked for before there is a subscription.
            subscription: document.confirmation.map { $0.isUnsubscribeConfirmation == true } ?? true ? arn : nil,
            isRaw: isRaw,
            // A confirmation is an envelope whatever messages are.
            contentType: document.confirmation == nil ? policy.contentType : DeliveryPolicy.standardContentType,
            body: body
        )
    }

    private func envelope(
        for delivery: WebhookDelivery,
        _ document: WebhookDocument,
        _ arn: SubscriptionARN,
        text: String
    ) throws -> Envelope {
        let origin = address.url
        let kind: Envelope.Kind
        if let confirmation = document.confirmation {
            let token = try confirmation.token(of: delivery.message, vault)
            let url = "\(origin)/?Action=ConfirmSubscription&TopicArn=\(document.arn)&Token=\(token)"
            kind =
                confirmation.isUnsubscribeConfirmation == true
                ? .unsubscribeConfirmation(token: token, subscribeURL: url)
                : .subscriptionConfirmation(token: token, subscribeURL: url)
        } else {
            kind = .notification(
                subject: document.subject,
                unsubscribeURL: "\(origin)/?Action=Unsubscribe&SubscriptionArn=\(arn)",
                attributes: document.attributes.map { .init(name: $0.name, type: $0.type, value: $0.value) }
            )
        }
        return Envelope(
            kind: kind,
            messageID: delivery.message.description,
            topic: document.arn,
            message: text,
            timestamp: Timestamp(milliseconds: document.publishedAt),
            sequenceNumber: delivery.sequenceText
        )
    }

    private func sign(
        _ envelope: Envelope,
        _ delivery: WebhookDelivery,
        _ document: WebhookDocument,
        isSecure: Bool
    ) async throws -> EnvelopeSignature {
        let signer = try await certificate.signer()
        let version = document.signatureVersion.flatMap(SignatureVersion.init) ?? .sha1
        let url = "\(address.url)/\(signer.certificateName)"
        let name = Name(message: delivery.messageRow, version: version, isSecure: isSecure)
        if let text = signatures.withLock({ $0[name] }) {
            return EnvelopeSignature(version: version, text: text, certificateURL: url)
        }
        let signature = try signer.sign(envelope, version: version, certificateURL: url)
        signatures.withLock { signatures in
            if signatures.count >= Self.limit { signatures.removeAll(keepingCapacity: true) }
            signatures[name] = signature.text
        }
        return signature
    }
}

extension WebhookRequest {
    /// What SNS calls itself (Amazon SNS, HTTP/HTTPS headers).
    static let userAgent = "Amazon Simple Notification Service Agent"

    /// A call as Amazon SNS makes it.
    ///
    /// - Parameters:
    ///   - rawSubscription: of a published message the subscription it goes to; a confirmation names none.
    ///   - isRaw: whether the message goes as it is, without an envelope.
    init(
        to url: WebhookURL,
        kind: String,
        messageID: String,
        topic: TopicARN,
        subscription: SubscriptionARN?,
        isRaw: Bool,
        contentType: String,
        body: [UInt8]
    ) {
        var fields = [
            Field(name: "Content-Type", value: contentType), Field(name: "User-Agent", value: Self.userAgent),
            // As Amazon's calls have them; of an answer nothing but its status is looked at.
            Field(name: "Connection", value: "Keep-Alive"), Field(name: "Accept-Encoding", value: "gzip,deflate"),
            Field(name: "x-amz-sns-message-type", value: kind), Field(name: "x-amz-sns-message-id", value: messageID),
            Field(name: "x-amz-sns-topic-arn", value: topic.description),
        ]
        if let subscription {
            fields.append(Field(name: "x-amz-sns-subscription-arn", value: subscription.description))
        }
        if isRaw { fields.append(Field(name: "x-amz-sns-rawdelivery", value: "true")) }
        if let authorization = url.authorization { fields.append(Field(name: "Authorization", value: authorization)) }
        self.init(url: url, fields: fields, body: body)
    }
}
