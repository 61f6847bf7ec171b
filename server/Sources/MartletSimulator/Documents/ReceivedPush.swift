/// The result of a push.
public enum ReceivedOutcome: String, Sendable, Codable, CaseIterable {
    /// It was answered.
    case answered
    /// It was left without an answer.
    case hung
    /// Its stream was reset.
    case reset
    /// Its connection was reset.
    case aborted
    /// It came above the last stream id of a GOAWAY.
    case unprocessed
}

/// A push that the simulator received: an element of the answer of `GET /received`.
public struct ReceivedPush: Sendable, Equatable, Codable {
    /// Number of the push since the start, from 1.
    public var seq: Int
    /// Milliseconds since 1970.
    public var time: Int64
    /// The environment of the port that it came to.
    public var environment: APNsEnvironment
    /// Number of its connection.
    public var connection: Int
    /// Its HTTP/2 stream.
    public var stream: Int
    /// `:method`
    public var method: String
    /// `:path`
    public var path: String
    /// The device token of the path.
    public var token: String?
    /// Its headers; a repeated one's values are joined with a comma. Of `authorization` only the key id is told.
    public var headers: [String: String]
    /// The payload when it is JSON.
    public var payload: JSONValue?
    /// The payload when it is not JSON.
    public var payloadText: String?
    /// Bytes of the payload that were kept, at most 8,192.
    public var payloadBytes: Int
    /// Its result.
    public var outcome: ReceivedOutcome
    /// The answer's status; `nil` without an answer.
    public var status: Int?
    /// The answer's reason.
    public var reason: String?
    /// The `apns-id` of the answer.
    public var apnsID: String?
}

/// A page of received pushes.
public struct ReceivedPage: Sendable, Equatable, Codable {
    /// Oldest first.
    public var received: [ReceivedPush]
    /// Give it as `after` for what follows.
    public var next: Int
}
