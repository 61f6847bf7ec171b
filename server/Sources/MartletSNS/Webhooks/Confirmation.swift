import Foundation
import MartletCore
import MartletStore
import MartletWire

/// How a webhook URL agrees to get a topic's messages.
extension SNSService {
    /// For how long a token confirms: three days (Amazon SNS, Subscribe).
    static let confirmationLifetime: Duration = .seconds(3 * 86_400)

    /// Confirms a subscription by the token that its address was sent. It needs no signature, unless ending the
    /// subscription is to need one.
    ///
    /// - Throws: `InvalidParameter` in AWS's words: `Topic` for a name that is none or of another region, `Invalid token`
    ///   for what cannot be a token, `Token` for one that is not known or too old.
    func confirmSubscription(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("TopicArn", "Token", in: call.form)
        try missing.check()
        let named = try topic(confirming: try call.form.required("TopicArn"), call)
        let token = try call.form.required("Token")
        try ConfirmationToken.check(token)
        let isGuarded = try call.form.bool("AuthenticateOnUnsubscribe") ?? false
        // Before anything is changed by the token.
        if isGuarded, call.caller == nil { throw SNSError.unsigned }
        guard let subscription = try await subscription(confirmedBy: token, in: named.region),
            let topic = try await store.topic(.row(subscription.topic))
        else { throw SNSError.invalidParameter("Token") }
        // With a good token the name is not compared, only the region.
        guard topic.region == named.region else { throw SNSError.invalidParameter("Topic") }
        if let confirmed = try await confirm(subscription, isGuarded: isGuarded, call) {
            await recordUpdate(of: subscription, to: confirmed, on: topic, by: call)
        }
        let topicARN = TopicARN(region: topic.region, account: call.account, name: topic.name)
        let arn = SubscriptionARN(topic: topicARN, id: subscription.id.description).description
        return { $0.element("SubscriptionArn", arn) }
    }

    /// Asks a webhook URL whether it wants a topic's messages. The confirmation waits in the queue like a message, and is
    /// repeated like one. What it was asked before stays good for as long as it was.
    func enqueueConfirmation(of subscription: Subscription, topic: Topic, _ call: SNSCall) async throws {
        let (message, _) = try confirmation(of: subscription, topic, .subscription(subscription.row), call) { arn in
            Envelope.confirmationMessage(for: arn)
        }
        if try await store.enqueue(message) { wakeUps.notify(.webhooks) }
    }

    /// The topic's name: without a signature nobody names a region but the name itself.
    private func topic(confirming text: String, _ call: SNSCall) throws(SNSError) -> TopicARN {
        guard call.caller == nil else { return try TopicARN(confirming: text, in: call.scope) }
        let region = (try? ARN(text, parameter: "TopicArn").region) ?? call.region
        let scope = ARNScope(region: region, account: call.account, action: call.action)
        return try TopicARN(confirming: text, in: scope)
    }

    /// - Returns: the subscription, where something about it changes.
    private func confirm(
        _ subscription: Subscription,
        isGuarded: Bool,
        _ call: SNSCall
    ) async throws -> Subscription? {
        var attributes: [String: String?] = [:]
        if !subscription.isConfirmed {
            attributes["ConfirmationWasAuthenticated"] = call.caller == nil ? "false" : "true"
        }
        if isGuarded { attributes["AuthenticateOnUnsubscribe"] = "true" }
        guard !attributes.isEmpty else { return nil }
        let update = SubscriptionUpdate(attributes: attributes, isConfirming: true)
        return try await store.updateSubscription(subscription.row, update)
    }
}

extension WebhookDocument.Confirmation {
    /// The confirmation with its token sealed.
    ///
    /// - Throws: what the vault throws.
    init(token: String, of message: PublicID, _ vault: Vault) throws {
        let sealed = try vault.seal(Array(token.utf8), for: WebhookDocument.purpose(of: message))
        self.init(sealedToken: Data(sealed).base64EncodedString())
    }

    /// The token.
    ///
    /// - Throws: `Failure` when it was sealed with another encryption key.
    func token(of message: PublicID, _ vault: Vault) throws(Failure) -> String {
        let sealed = Data(base64Encoded: sealedToken) ?? Data()
        return String(decoding: try vault.open(Array(sealed), for: WebhookDocument.purpose(of: message)), as: UTF8.self)
    }
}

/// How a webhook URL learns that it gets no more of a topic's messages.
extension SNSService {
    /// Ends a subscription. A confirmed webhook URL is told so, whoever ended it, with a link that takes it back
    /// (Amazon SNS, HTTP/HTTPS unsubscribe confirmation).
    func end(_ subscription: Subscription, of topic: Topic, _ call: SNSCall) async throws {
        guard case .webhook = subscription.subject, subscription.isConfirmed else {
            _ = try await store.unsubscribe(subscription.row)
            return
        }
        let (message, token) = try confirmation(of: subscription, topic, .ended(subscription.row), call) { arn in
            Envelope.unsubscribeMessage(for: SubscriptionARN(topic: arn, id: subscription.id.description))
        }
        let confirmation = UnsubscribeConfirmation(token: SecretHash(of: token), message: message)
        let isEnded = try await store.unsubscribe(subscription.row, confirmation: confirmation)
        if isEnded { wakeUps.notify(.webhooks) }
    }

    /// The message that carries a new token to a webhook URL, and the token.
    private func confirmation(
        of subscription: Subscription,
        _ topic: Topic,
        _ recipients: WebhookMessage.Recipients,
        _ call: SNSCall,
        text: (TopicARN) -> String
    ) throws -> (WebhookMessage, String) {
        let now = clock.now()
        let token = try ConfirmationToken(of: subscription.id, at: now).text(vault)
        var random = SystemRandomNumberGenerator()
        let id = PublicID(milliseconds: now.rawValue, using: &random)
        let arn = TopicARN(region: topic.region, account: call.account, name: topic.name)
        var document = WebhookDocument(
            topic: topic,
            arn: arn,
            message: text(arn),
            subject: nil,
            attributes: [],
            publishedAt: now
        )
        document.confirmation = try WebhookDocument.Confirmation(token: token, of: id, vault)
        if case .ended = recipients { document.confirmation?.isUnsubscribeConfirmation = true }
        let message = WebhookMessage(
            id: id,
            topic: topic.row,
            topicName: arn.description,
            recipients: recipients,
            document: try document.encoded()
        )
        return (message, token)
    }

    /// The subscription that a token confirms: one that waits for that and whose token is not too old, or one that has it;
    /// or one that ended, whose end the token takes back.
    func subscription(confirmedBy text: String, in region: String) async throws -> Subscription? {
        guard let token = ConfirmationToken(text, vault) else { return nil }
        let isFresh = clock.now() < token.madeAt + Self.confirmationLifetime
        if let known = try await store.subscription(.id(token.subscription)) {
            return known.isConfirmed || isFresh ? known : nil
        }
        guard isFresh else { return nil }
        return try await store.restore(SecretHash(of: text), region: region)
    }
}

/// What confirms a subscription, or takes its end back: it says of which, and when it was made, sealed with the server's
/// key. Nobody else can make one, and nothing has to be kept of it: each of several confirmations has its own, and all of them
/// are good.
struct ConfirmationToken: Hashable, Sendable {
    /// What it confirms.
    let subscription: PublicID
    /// When it was made.
    let madeAt: Timestamp

    private static let purpose = "subscription-token"

    /// A token of this moment.
    init(of subscription: PublicID, at madeAt: Timestamp) {
        self.subscription = subscription
        self.madeAt = madeAt
    }

    /// Reads a token; `nil` for what this server did not make, or made with another encryption key.
    init?(_ text: String, _ vault: Vault) {
        guard let sealed = Hex.bytes(text), let bytes = try? vault.open(sealed, for: Self.purpose), bytes.count == 24,
            let subscription = PublicID(bytes: bytes.prefix(16))
        else { return nil }
        let time = bytes.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.init(of: subscription, at: Timestamp(milliseconds: Int64(bitPattern: time)))
    }

    /// What the subscriber gets: 104 hexadecimal digits, others each time.
    ///
    /// - Throws: what the vault throws.
    func text(_ vault: Vault) throws -> String {
        let time = UInt64(bitPattern: madeAt.rawValue)
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> $0) }
        return Hex.text(try vault.seal(subscription.bytes + bytes, for: Self.purpose))
    }

    /// Looks whether a text has the form of a token: hexadecimal digits, which `abc123` is to AWS and `randomtoken` is not.
    ///
    /// - Throws: `InvalidParameter` with AWS's `Invalid token`; a token that has the form and is not known is
    ///   `Invalid parameter: Token`.
    static func check(_ text: String) throws(SNSError) {
        guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ Hex.value($0) != nil }) else {
            throw SNSError(.invalidParameter, "Invalid token")
        }
    }
}
