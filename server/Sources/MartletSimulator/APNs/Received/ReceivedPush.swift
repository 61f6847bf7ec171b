/// A push that the simulator received: an element of the answer of `GET /received`.
package struct ReceivedPush: Sendable, Equatable, Codable {
    /// Number of the push since the start, from 1.
    package var seq: Int
    /// Milliseconds since 1970.
    package var time: Int64
    /// The environment of the port that it came to.
    package var environment: APNsEnvironment
    /// Number of its connection.
    package var connection: Int
    /// Its HTTP/2 stream.
    package var stream: Int
    /// `:method`
    package var method: String
    /// `:path`
    package var path: String
    /// The device token of the path.
    package var token: String?
    /// Its headers; a repeated one's values are joined with a comma. Of `authorization` only the key id is told.
    package var headers: [String: String]
    /// The payload when it is JSON.
    package var payload: JSONValue?
    /// The payload when it is not JSON.
    package var payloadText: String?
    /// Bytes of the payload that were kept, at most 8,192.
    package var payloadBytes: Int
    /// Its result.
    package var outcome: ReceivedOutcome
    /// The answer's status; `nil` without an answer.
    package var status: Int?
    /// The answer's reason.
    package var reason: String?
    /// The `apns-id` of the answer.
    package var apnsID: String?
}

/// A page of received pushes.
package typealias ReceivedPage = RecordPage<ReceivedPush>
