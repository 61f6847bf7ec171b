/// What a provider said to one attempt: data, never an error that is thrown.
public enum Outcome: Sendable, Hashable {
    /// It took the push.
    case accepted
    /// It refused for good.
    case rejected(Rejection)
    /// It may take it later.
    case retry(Retry)
    /// It was not processed, which is no attempt, and goes out under the same id: at once, on another connection, or when
    /// the time is over for which nothing may be sent.
    case reroute(reason: String, after: Duration = .zero)
    /// The app's credential or topic cannot work: nothing of this queue can, until an operator acts.
    case misconfigured(Misconfiguration)

    /// A refusal for good.
    public struct Rejection: Sendable, Hashable {
        /// The provider's reason as it came.
        public var reason: String
        /// What it means for the endpoint.
        public var meaning: Meaning

        package init(reason: String, meaning: Meaning = .nothing) {
            self.reason = reason
            self.meaning = meaning
        }
    }

    /// What a refusal says about the endpoint.
    public enum Meaning: Sendable, Hashable {
        /// Nothing: the request was at fault.
        case nothing
        /// The token is not one, in this environment.
        case badToken
        /// The token belongs to another app, or the topic is wrong: the latter cannot be once it has had an acceptance.
        case wrongTopic
        /// The app is gone from the device since then; a later registration takes precedence over it.
        case unregistered(since: Timestamp?)
        /// The token is worn out.
        case expiredToken
    }

    /// A refusal for now.
    public struct Retry: Sendable, Hashable {
        /// Whose trouble it is.
        public enum Kind: Sendable, Hashable {
            /// The provider's, as a whole.
            case provider
            /// This device has had too many.
            case rateLimited
            /// The provider has had too many, as a whole.
            case overloaded
            /// That of this device's own push service, which says nothing of the others in its queue.
            case host
            /// The connection was lost or the deadline passed: the outcome is unknown.
            case connection
        }

        /// The provider's reason, or ours.
        public var reason: String
        /// Whose trouble it is.
        public var kind: Kind
        /// How long the provider asked us to wait; `nil` leaves it to the policy.
        public var after: Duration?

        package init(reason: String, kind: Kind, after: Duration? = nil) {
            self.reason = reason
            self.kind = kind
            self.after = after
        }
    }

    /// What an operator has to mend.
    public struct Misconfiguration: Sendable, Hashable {
        /// The provider's reason as it came.
        public var reason: String
        /// What to change.
        public var advice: String

        package init(reason: String, advice: String) {
            self.reason = reason
            self.advice = advice
        }
    }
}
