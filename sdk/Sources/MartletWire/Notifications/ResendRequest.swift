/// Asks to send a notification again to those who missed it: `POST /api/v1/notifications/{id}/resend`.
public struct ResendRequest: Sendable, Hashable, Codable {
    /// Reasons or states by their words; absent is those that can have passed.
    public var reasons: [String]?

    public init(reasons: [String]? = nil) { self.reasons = reasons }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case reasons }
}

/// The answer: a notification of its own, durable from this moment.
public struct ResendResponse: Sendable, Hashable, Codable {
    /// The new notification's id.
    public var id: PublicID
    /// How far it has come.
    public var status: NotificationStatus
    /// For how many devices it is.
    public var count: Int

    public init(id: PublicID, status: NotificationStatus, count: Int) {
        self.id = id
        self.status = status
        self.count = count
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case id, status, count }
}
