public import MartletWire

/// The seam to a push provider: it renders, checks credentials, and sends; it decides nothing about retries.
public protocol Provider: Sendable {
    /// The platform that it reaches.
    var platform: Platform { get }

    /// The provider's environments. Where it is not known of which of them a token is, they are tried in this order.
    var environments: [Environment] { get }

    /// Brings a token into the form in which it is stored and sent. A pure function; a token in that form stays as it is.
    ///
    /// - Throws: `Failure` naming the field, for what cannot be a token of this provider.
    func normalize(_ token: String, field: String) throws(Failure) -> String

    /// The environment that a normalized token is in, where its form says it; `nil` where only the provider knows.
    func environment(of token: String) -> Environment?

    /// Renders a submission for this platform. A pure function: the same submission gives the same bytes.
    ///
    /// - Throws: `Failure` naming the field, when the provider would refuse it: unknown push type, a priority that the
    ///   type does not allow, a payload over the limit, a topic that the app's credentials cannot be good for.
    func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message

    /// The payload that a submission's override for this platform puts in place of the rendered one; `nil` where it leaves
    /// the rendered one.
    func payload(of override: JSONValue) -> [String: JSONValue]?

    /// The topic that a message goes to with a credential, by which it is remembered what the provider says of it; `nil`
    /// where the message names one that is not the credential's own.
    func topic(of message: Message, with credential: CredentialSummary) -> String?

    /// How many bytes of a message count against the provider's limit, whatever fills its holes.
    func size(of message: Message) -> MessageSize

    /// Checks what an operator hands over, before it is stored.
    ///
    /// - Returns: what may be shown, and the bytes to seal.
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential`` and what to do.
    func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential

    /// Sends one message to many targets and says for each what the provider answered.
    ///
    /// It never throws and never retries. It returns when every target has its outcome or, after the task was
    /// cancelled, when those in flight have theirs; what was not sent then gets none.
    ///
    /// - Parameter outcome: called once for each target that has an outcome, with its index, from any thread.
    func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async

    /// Begins to send where nothing has to be waited for first, such as a token; with `nil` nothing was sent and no
    /// outcome counts that came, and ``send(_:outcome:)`` does it all. Neither a task nor a continuation is made.
    ///
    /// - Parameters:
    ///   - outcome: as there.
    ///   - ended: called when `send` would return: once, from any thread, and maybe before this does.
    /// - Returns: what cancels it.
    func begin(
        _ push: Push,
        outcome: @escaping @Sendable (Int, Outcome) -> Void,
        ended: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)?

    /// Tries a credential without a push to anybody: connects, authenticates where that can be seen, compares clocks.
    func diagnose(_ credential: OpenedCredential) async -> [Finding]

    /// What is under way in each queue that was sent to; it is asked for whenever an operator looks.
    func traffic() -> [QueueTraffic]
}

extension Provider {
    /// The credential's, where a provider knows no other.
    public func topic(of message: Message, with credential: CredentialSummary) -> String? { credential.topic }

    /// Not without waiting, where a provider knows no other way.
    public func begin(
        _ push: Push,
        outcome: @escaping @Sendable (Int, Outcome) -> Void,
        ended: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? { nil }

    /// Not known, where a token does not say it.
    public func environment(of token: String) -> Environment? { nil }

    /// All of the payload, and what APNs takes of most.
    public func size(of message: Message) -> MessageSize {
        MessageSize(bytes: message.payload.largestCount, limit: 4_096)
    }

    /// Nothing, where a provider does not say.
    public func traffic() -> [QueueTraffic] { [] }
}

extension [Platform: any Provider] {
    /// A token in the form in which its provider wants it stored; where this server has no provider for the platform, a
    /// token as ``DeviceToken/check(_:field:)`` wants it.
    package func normalize(
        _ token: String,
        platform: Platform,
        field: String = "token"
    ) throws(Failure) -> String {
        guard let provider = self[platform] else { return try DeviceToken.check(token, field: field) }
        return try provider.normalize(token, field: field)
    }
}

/// What rendering needs to know beside the submission.
public struct RenderContext: Sendable {
    /// The notification's id: it goes into the payload as `message_id`.
    public var notification: PublicID
    /// The app's credentials at this platform, for the topics that they allow.
    public var credentials: [CredentialSummary]

    package init(notification: PublicID, credentials: [CredentialSummary]) {
        self.notification = notification
        self.credentials = credentials
    }
}

/// A notification as one provider gets it, rendered once for every device.
public struct Message: Sendable, Hashable {
    /// The provider.
    public var platform: Platform
    /// The provider's request headers that are the same for every device, by lower-case name.
    public var headers: [String: String]
    /// The body.
    public var payload: Payload
    /// Whether a person sees it; what works unseen also reaches a device whose system shows nothing.
    public var isAlert: Bool
    /// The urgency that it was rendered with; `nil` for one that is not sent, and for one that was stored: from then on it
    /// is the notification's.
    public var priority: Priority?

    package init(
        platform: Platform,
        headers: [String: String],
        payload: Payload,
        isAlert: Bool = true,
        priority: Priority? = nil
    ) {
        self.platform = platform
        self.headers = headers
        self.payload = payload
        self.isAlert = isAlert
        self.priority = priority
    }
}

/// How large a message is, as its provider counts.
public struct MessageSize: Sendable, Hashable {
    package var bytes: Int
    /// The most that the provider takes.
    package var limit: Int

    package init(bytes: Int, limit: Int) { (self.bytes, self.limit) = (bytes, limit) }
}

extension Message {
    /// Under this name, which no provider has, stands why a message is not sent.
    private static let refusalHeader = "refused"

    /// What takes a message's place that the provider would refuse: each of its deliveries ends as rejected.
    package static func refused(_ platform: Platform, _ failure: Failure) -> Message {
        Message(platform: platform, headers: [refusalHeader: failure.code.rawValue], payload: Payload([]))
    }

    /// What takes a message's place that would be of no use there: each of its deliveries ends as rejected.
    package static func unsent(_ platform: Platform, reason: String) -> Message {
        Message(platform: platform, headers: [refusalHeader: reason], payload: Payload([]))
    }

    /// Why it is not sent; `nil` for a message that is.
    package var refusal: String? { headers[Message.refusalHeader] }
}

extension [Message] {
    /// The platforms whose messages a person sees.
    package var alerts: Set<Platform> { Set(filter(\.isAlert).map(\.platform)) }
}

/// A credential that passed the provider's check.
public struct CheckedCredential: Sendable {
    /// What may be shown.
    public var summary: CredentialSummary
    /// The bytes to seal, in the provider's own form.
    public var secret: [UInt8]
    /// The provider's environments that it is for, where it says so itself; else empty.
    public var environments: Set<Environment> = []

    package init(summary: CredentialSummary, secret: [UInt8]) {
        self.summary = summary
        self.secret = secret
    }
}

/// A credential with its secret in the clear; it exists only while it is used.
public struct OpenedCredential: Sendable {
    /// The stored credential.
    public var credential: Credential
    /// The secret, as ``Provider/check(_:)`` returned it.
    public var secret: [UInt8] { didSet { secretHash = SecretHash(hashing: secret) } }
    /// Its SHA-256, so that it need not be made for each push.
    package private(set) var secretHash: SecretHash

    package init(credential: Credential, secret: [UInt8]) {
        self.credential = credential
        self.secret = secret
        secretHash = SecretHash(hashing: secret)
    }
}

/// One message to many targets of one queue.
public struct Push: Sendable {
    /// What authenticates it.
    public var credential: OpenedCredential
    /// The message.
    public var message: Message
    /// The devices.
    public var targets: [Target]
    /// Whether it goes before pushes that wait for a connection: a person waits for it.
    public var isUrgent: Bool
    /// Whether the next request may begin. With the first no, what is not sent yet gets no outcome, as after a
    /// cancellation. It is called on event loops.
    package var mayBegin: @Sendable () -> Bool = { true }

    /// One device.
    public struct Target: Sendable, Hashable {
        /// The provider's token.
        public var token: String
        /// The delivery's id, the same at every attempt.
        public var id: PublicID
        /// What fills the payload's place for a badge; `nil` where its user has none, or the payload no such place.
        public var badge: Int32?
        /// What a message to a browser is sealed with; `nil` at every other provider.
        public var subscription: PushSubscription?

        package init(token: String, id: PublicID, badge: Int32? = nil, subscription: PushSubscription? = nil) {
            self.token = token
            self.id = id
            self.badge = badge
            self.subscription = subscription
        }
    }

    /// The body that a target gets.
    package func body(of target: Target) -> [UInt8] {
        message.payload.filled(badge: target.badge, deliveryID: target.id)
    }

    package init(credential: OpenedCredential, message: Message, targets: [Target], isUrgent: Bool = false) {
        self.credential = credential
        self.message = message
        self.targets = targets
        self.isUrgent = isUrgent
    }
}
