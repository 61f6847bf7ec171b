/// The names of the header fields that are this interface's own.
public enum HeaderName {
    /// The secret that the first registration of an installation returned.
    public static let installationSecret = "Martlet-Installation-Secret"
    /// The user token, where `Authorization` carries the app's client key.
    public static let userToken = "Martlet-User-Token"
    /// What makes a repeated request the same request: 1 to 255 printable ASCII characters.
    public static let idempotencyKey = "Idempotency-Key"
    /// `true` on an answer that repeats an earlier one.
    public static let idempotentReplayed = "Idempotent-Replayed"
    /// The `id` of the last event of a stream that the client has (HTML Living Standard, "Server-sent events").
    public static let lastEventID = "Last-Event-ID"
    /// The id under which the server logged the request.
    public static let requestID = "X-Request-Id"
    /// The write key of Treasure Data's postback interface.
    public static let treasureDataKey = "X-TD-Write-Key"
}

extension ErrorCode {
    /// The request's body is of another media type than `application/json`. HTTP 415.
    public static let unsupportedMediaType = ErrorCode(rawValue: "unsupported_media_type")
}
