/// A person or a device that did not get a notification, and why: `GET /api/v1/notifications/{id}/missed`.
public struct MissedItem: Sendable, Hashable, Codable {
    /// The user, where there is one.
    public var userID: String?
    /// The device, where it was for one and it is still known.
    public var endpointID: PublicID?
    /// The provider, while the device is known.
    public var platform: PlatformName?
    /// The state.
    public var state: DeliveryState
    /// The provider's reason, or ours; where there is none, the state's word.
    public var reason: String
    /// The same in a word of ours, whatever the provider calls it.
    public var reasonCode: String?
    /// The same as a sentence.
    public var detail: String
    /// For a duplicate: the notification that the user has had instead.
    public var heldBy: PublicID?
    /// When that was recorded.
    public var at: UTCTime?
    /// Whether the user has it on another device.
    public var reachedOtherwise: Bool

    public init(
        userID: String?,
        endpointID: PublicID?,
        platform: PlatformName?,
        state: DeliveryState,
        reason: String,
        detail: String,
        heldBy: PublicID?,
        at: UTCTime?,
        reachedOtherwise: Bool
    ) {
        self.userID = userID
        self.endpointID = endpointID
        self.platform = platform
        self.state = state
        self.reason = reason
        self.detail = detail
        self.heldBy = heldBy
        self.at = at
        self.reachedOtherwise = reachedOtherwise
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case userID = "user_id"
        case endpointID = "endpoint_id"
        case platform, state, reason, detail
        case heldBy = "held_by"
        case at
        case reachedOtherwise = "reached_otherwise"
        case reasonCode = "reason_code"
    }
}
