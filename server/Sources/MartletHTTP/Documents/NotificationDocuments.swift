import MartletCore
import MartletWire

extension NotificationRequest: Documented {
    static let schema = document("NotificationRequest") { field in
        switch field {
        case .app: (.string, "The id or name of the app; absent takes the key's.")
        case .audience: (.document(AudienceRequest.self), "Whom to tell.")
        case .title: (.string, "The first line.")
        case .subtitle: (.string, "The second line.")
        case .body: (.string, "The text.")
        case .image: (.string(limit: 2048), "An image to show, by its https address.")
        case .deepLink: (.string(limit: 2048), "Where a tap leads, such as myapp://alerts/42.")
        case .badge:
            (
                .either(.integer(0...999_999), orOneOf: InboxBadgeName.self, or: BadgeRequest.self),
                "The number on the app's icon, for all or by user, or what of the inbox it counts; 0 removes it."
            )
        case .sound: (.string(limit: 256), "The sound's name; 'default' is the system's.")
        case .category:
            (.categoryKey, "The key of the category that people can switch; absent asks their choice over all.")
        case .actionCategory: (.string(limit: 256), "Apple's category, whose buttons are shown.")
        case .inbox:
            (
                .either(.boolean, or: InboxItemRequest.self),
                "Whether it leaves an inbox item, or what that has of its own; absent is true with a category."
            )
        case .threadID: (.string(limit: 256), "What groups notifications on the phone.")
        case .data: (.map(of: .any), "The app's own values, beside the provider's.")
        case .deliveryID:
            (.boolean, "true: each payload has its delivery's id, which is its apns-id, as delivery_id.")
        case .overrides:
            (
                .map(of: .map(of: .any)),
                "What only one platform gets: {\"apns\": {…}, \"fcm\": {…}, \"webpush\": {…}}."
            )
        case .pushType:
            (.string(limit: 64), "The provider's kind of push, such as alert; absent is chosen from the content.")
        case .topic: (.string(limit: 255), "The provider's topic, where it is not the app's own.")
        case .class:
            (
                .words(of: NotificationClass.self),
                "Transactional goes first, bulk last; absent is bulk for a topic and for all, and default otherwise."
            )
        case .priority: (.priority, "How loud it is on the phone; absent is chosen from the push type.")
        case .collapseID:
            (.string(limit: 64).orNull, "What replaces an older one; absent takes the dedup key, null takes none.")
        case .dedup: (.document(DedupRequest.self), "What keeps a user from getting the same thing twice.")
        case .sendAt: (.time, "When to begin; absent is now, as is up to five seconds in the past.")
        case .expiresAt: (.time, "When it is no longer worth delivering, at most a year after the beginning.")
        case .ttlSeconds: (.integer(0...31_536_000), "In its place, for how long it is; 0 lets the provider try once.")
        case .retry: (.document(RetryRequest.self), "How often and when a delivery is tried again.")
        case .attributes:
            (.map(of: .any), "What a topic's filters look at: text, numbers, true, false, null and lists of these.")
        }
    }
}

extension NotificationBatchRequest: Documented {
    static let schema = document("NotificationBatchRequest") { field in
        switch field {
        case .notifications:
            (.parts(of: NotificationEntry.self).of(1...limit), "1 to \(limit) notifications.")
        }
    }
}

extension NotificationEntry: Documented {
    static let schema = DocumentSchema(
        "NotificationEntry",
        NotificationRequest.schema.fields + [
            DocumentSchema.Field(
                CodingKeys.idempotencyKey.rawValue,
                .string.of(1...255, "^[ -~]+$"),
                "What \(HeaderName.idempotencyKey) is to a request with one: 1 to 255 printable ASCII characters.",
                isRequired: false
            )
        ]
    )
}

extension NotificationBatchResponse: Documented {
    static let schema = document("NotificationReceipts") { field in
        switch field {
        case .receipts: (.list(of: .document(NotificationReceipt.self)), "One for each notification, by position.")
        }
    }
}

extension NotificationReceipt: Documented {
    static let schema = document("NotificationReceipt") { field in
        switch field {
        case .id: (.uuid, "The id of a notification that was accepted.")
        case .status: acceptedStatus
        case .isReplayed: (.boolean, "true: an earlier request was answered the same, and this one changed nothing.")
        case .error: (.document(ErrorBody.Detail.self), "Why it was refused; nothing of it was written.")
        }
    }
}

extension BadgeRequest: Documented {
    static let schema = document("BadgeRequest") { field in
        switch field {
        case .byUser:
            (
                .map(of: .integer(0...Int64(Int32.max))).of(0...Submission.badgeLimit),
                "The number by user id; who is not named keeps the number that is there. At most 1,000 users."
            )
        }
    }
}

extension AudienceRequest: Documented {
    static let schema = document("AudienceRequest") { field in
        switch field {
        case .users:
            (.list(of: .userID).of(0...Audience.limit), "These users, on all of their devices; at most 10,000.")
        case .endpoints: (.list(of: .uuid).of(0...Audience.limit), "These endpoints; at most 10,000.")
        case .tokens: (.list(of: .string).of(0...Audience.limit), "These tokens, registered or not; at most 10,000.")
        case .platform: (.platform, "The provider of the tokens; absent is 'apns'.")
        case .topic: (.string, "The subscribers of a topic, by its id or name.")
        case .all: (.boolean, "true: everybody the app can reach.")
        }
    }
}

extension DedupRequest: Documented {
    static let schema = document("DedupRequest") { field in
        switch field {
        case .key: (.string.of(1...256), "What counts as the same thing, such as an alert's id: 1 to 256 bytes.")
        case .cooldownSeconds: (.integer().orNull, "For how long a user is spared: absent is 1,800, null is for ever.")
        }
    }
}

extension RetryRequest: Documented {
    static let schema = document("RetryRequest") { field in
        switch field {
        case .maxAttempts: (.integer(1...50), "The first attempt and all that follow it: 1 to 50; absent is 50.")
        case .minimumDelaySeconds: (.integer(), "The shortest delay; absent is 10.")
        case .maximumDelaySeconds: (.integer(), "The longest delay; absent is 600.")
        case .rateLimitedDelaySeconds:
            (.integer(), "The shortest delay after a 429, also where Retry-After is shorter; absent is 60.")
        }
    }
}

private let acceptedStatus: DocumentSchema.Row = (
    .words(of: NotificationStatus.self), "'scheduled' when the request named a time, otherwise 'sending'."
)

extension NotificationAccepted: Documented {
    static let schema = document("NotificationAccepted") { field in
        switch field {
        case .id: (.uuid, "The notification's id.")
        case .status: acceptedStatus
        }
    }
}

extension NotificationResponse: Documented {
    static let schema = document("Notification") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .appID: (.uuid, "Whose it is.")
        case .status: (.words(of: NotificationStatus.self), "How far it has come.")
        case .audience: (.document(AudienceResponse.self), "Whom it is for.")
        case .title: (.string, "The first line.")
        case .body: (.string, "The text.")
        case .class: (.words(of: NotificationClass.self), "What it waits behind.")
        case .priority: (.priority, "How loud it is on the phone.")
        case .dedupKey: (.string, "What keeps a user from getting it twice.")
        case .collapseID: (.string, "What replaces an older one on the phone.")
        case .counts: (.document(DeliveryCounts.self), "How many deliveries are in which state.")
        case .events: (.document(EventCountsResponse.self), "What phones reported of it.")
        case .createdAt: (.time, "When it was accepted.")
        case .sendAt: (.time, "When it begins.")
        case .expiresAt: (.time, "When no delivery of it is tried any more.")
        case .pauses: (.list(of: .document(PauseResponse.self)), "The pauses that it waits for; not in lists.")
        }
    }
}

extension AudienceResponse: Documented {
    static let schema = document("Audience") { field in
        switch field {
        case .kind: (.words(of: Kind.self), "How people were named.")
        case .count: (.integer(), "How many were named; absent for everybody and for a topic.")
        case .topic: (.string, "The topic's name.")
        }
    }
}

extension DeliveryCounts: Documented {
    static let schema = document("Counts") { _ in (.integer(), "Deliveries in this state.") }
}

extension Schema {
    /// Apple's numbers, or words.
    static let priority = Schema(
        kind: .choice(Priority.allCases.flatMap { [.integer(Int64($0.rawValue)), .string($0.word)] })
    )
}
