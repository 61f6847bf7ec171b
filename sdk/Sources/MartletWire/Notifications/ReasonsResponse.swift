/// How many did not get a notification, by reason: `GET /api/v1/notifications/{id}/reasons`.
public struct ReasonsResponse: Sendable, Hashable, Codable {
    /// The reasons, most first.
    public var reasons: [ReasonCount]
    /// Whether everybody was looked at; otherwise the numbers are of a part.
    public var isExact: Bool

    public init(reasons: [ReasonCount], isExact: Bool) {
        self.reasons = reasons
        self.isExact = isExact
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reasons
        case isExact = "is_exact"
    }

    /// How many did not get it for one reason.
    public struct ReasonCount: Sendable, Hashable, Codable {
        /// The state.
        public var state: DeliveryState
        /// The provider's reason, or ours; where there is none, the state's word.
        public var reason: String
        /// The same in a word of ours, whatever the provider calls it.
        public var reasonCode: String?
        /// The same as a sentence.
        public var detail: String
        /// How many.
        public var count: Int

        public init(state: DeliveryState, reason: String, detail: String, count: Int) {
            self.state = state
            self.reason = reason
            self.detail = detail
            self.count = count
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable {
            case state, reason
            case reasonCode = "reason_code"
            case detail, count
        }
    }
}
