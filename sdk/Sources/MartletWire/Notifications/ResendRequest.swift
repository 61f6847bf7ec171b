/// Asks to send a notification again to those who missed it: `POST /api/v1/notifications/{id}/resend`.
public struct ResendRequest: Sendable, Hashable, Codable {
    /// Reasons or states by their words; absent is those that can have passed.
    public var reasons: [String]?
    /// Whether nothing is sent, and the answer only says for how many devices it would be; absent is no.
    public var isDryRun: Bool?

    public init(reasons: [String]? = nil, isDryRun: Bool? = nil) {
        self.reasons = reasons
        self.isDryRun = isDryRun
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case reasons
        case isDryRun = "dry_run"
    }
}

/// The answer: a notification of its own, durable from this moment; or only how many it would be for.
public struct ResendResponse: Sendable, Hashable, Codable {
    /// The new notification's id; absent for a dry run.
    public var id: PublicID?
    /// How far it has come; absent for a dry run.
    public var status: NotificationStatus?
    /// For how many devices it is.
    public var count: Int

    public init(id: PublicID?, status: NotificationStatus?, count: Int) {
        self.id = id
        self.status = status
        self.count = count
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case id, status, count }
}
