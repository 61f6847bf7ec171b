/// Somebody who was found: `GET /api/v1/people/search?q=`.
public struct PersonItem: Sendable, Hashable, Codable {
    /// Whose user or device it is.
    public var appID: PublicID
    /// The customer's own id for the person; absent for an anonymous device.
    public var userID: String?
    /// What matched.
    public var matched: PersonMatch
    /// The device, where one matched.
    public var endpointID: PublicID?
    /// Its provider.
    public var platform: PlatformName?

    public init(
        appID: PublicID,
        userID: String?,
        matched: PersonMatch,
        endpointID: PublicID? = nil,
        platform: PlatformName? = nil
    ) {
        self.appID = appID
        self.userID = userID
        self.matched = matched
        self.endpointID = endpointID
        self.platform = platform
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case appID = "app_id"
        case userID = "user_id"
        case matched
        case endpointID = "endpoint_id"
        case platform
    }
}

/// By what somebody was found.
public enum PersonMatch: String, Sendable, Hashable, Codable, CaseIterable {
    /// Their id begins with the text.
    case userID = "user_id"
    /// A device has the token.
    case token
    /// A device's installation has the id.
    case installation
}
