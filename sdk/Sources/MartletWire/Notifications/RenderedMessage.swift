/// What one platform gets of a notification: `POST /api/v1/notifications/preview` says what it would be,
/// `GET /api/v1/notifications/{id}/messages` what it was.
public struct RenderedMessage: Sendable, Hashable, Codable {
    /// The provider.
    public var platform: PlatformName
    /// The payload, without what is each device's own.
    public var payload: [String: JSONValue]?
    /// What is the same for every device beside the payload, by lower-case name: the provider's request headers, and marks
    /// that the server reads when it sends, such as `topic-suffix`.
    public var headers: [String: String]?
    /// How many bytes count against the provider's limit.
    public var bytes: Int?
    /// The most bytes that the provider takes.
    public var limit: Int?
    /// The word of the reason why nothing was sent to the platform.
    public var refusal: String?
    /// Why a preview would not be sent to the platform.
    public var error: ErrorBody.Detail?

    public init(
        platform: PlatformName,
        payload: [String: JSONValue]? = nil,
        headers: [String: String]? = nil,
        bytes: Int? = nil,
        limit: Int? = nil,
        refusal: String? = nil,
        error: ErrorBody.Detail? = nil
    ) {
        self.platform = platform
        self.payload = payload
        self.headers = headers
        self.bytes = bytes
        self.limit = limit
        self.refusal = refusal
        self.error = error
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, payload, headers, bytes, limit, refusal, error
    }
}
