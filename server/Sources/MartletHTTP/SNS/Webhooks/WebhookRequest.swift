import MartletCore

/// One call of a webhook URL: where to, with which header fields and which body.
struct WebhookRequest: Hashable, Sendable {
    /// Where to.
    let url: WebhookURL
    /// The header fields but `Host` and `Content-Length`, whose values no line break can be in.
    let fields: [Field]
    /// The envelope, or the message as it is.
    let body: [UInt8]

    /// A header field.
    struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// What SNS calls itself (Amazon SNS, HTTP/HTTPS headers).
    static let userAgent = "Amazon Simple Notification Service Agent"

    /// A call.
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
        self.url = url
        self.fields = fields.filter { HeaderText.isSafe($0.value) }
        self.body = body
    }
}
