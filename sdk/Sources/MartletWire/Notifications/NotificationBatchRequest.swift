/// Many notifications in one request: `POST /api/v1/notifications/batch`.
public struct NotificationBatchRequest: Sendable, Hashable, Codable {
    /// The notifications; each is accepted or refused on its own.
    public var notifications: [NotificationEntry]

    /// The most notifications of one request.
    public static let limit = 500

    public init(notifications: [NotificationEntry]) { self.notifications = notifications }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case notifications }
}

/// One notification among many: the fields of a ``NotificationRequest``, and an idempotency key of its own.
public struct NotificationEntry: Sendable, Hashable {
    /// The notification.
    public var notification: NotificationRequest
    /// What makes it the same when it is sent again, in this way or as a request of its own with that key.
    public var idempotencyKey: String?

    public init(_ notification: NotificationRequest, idempotencyKey: String? = nil) {
        self.notification = notification
        self.idempotencyKey = idempotencyKey
    }
}

extension NotificationEntry: Codable {
    /// The fields on the wire beside those of the notification.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case idempotencyKey = "idempotency_key"
    }

    /// Decodes the fields of both from one object.
    public init(from decoder: any Decoder) throws {
        notification = try NotificationRequest(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        idempotencyKey = try fields.decodeIfPresent(String.self, forKey: .idempotencyKey)
    }

    /// Encodes the fields of both into one object.
    public func encode(to encoder: any Encoder) throws {
        try notification.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(idempotencyKey, forKey: .idempotencyKey)
    }
}

/// What became of many notifications.
public struct NotificationBatchResponse: Sendable, Hashable, Codable {
    /// One receipt for each notification, by position.
    public var receipts: [NotificationReceipt]

    public init(receipts: [NotificationReceipt]) { self.receipts = receipts }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case receipts }
}

/// What became of one of many notifications: it is durable, or nothing of it was written.
public struct NotificationReceipt: Sendable, Hashable, Codable {
    /// The id of one that was accepted.
    public var id: PublicID?
    /// How far one that was accepted has come.
    public var status: NotificationStatus?
    /// Whether an earlier request was answered the same, and this one changed nothing.
    public var isReplayed: Bool?
    /// Why it was refused.
    public var error: ErrorBody.Detail?

    /// The receipt of one that was accepted.
    public init(id: PublicID, status: NotificationStatus, isReplayed: Bool) {
        self.id = id
        self.status = status
        self.isReplayed = isReplayed ? true : nil
    }

    /// The receipt of one that was refused.
    public init(error: ErrorBody.Detail) { self.error = error }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, status
        case isReplayed = "replayed"
        case error
    }
}
