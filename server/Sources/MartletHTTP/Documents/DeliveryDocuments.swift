import MartletCore
import MartletWire

/// What several documents say of a delivery that was not accepted.
enum DeliveryRow {
    static let reasonCode: DocumentSchema.Row = (
        .string, "The same in a word of ours: of a provider's reason \(words); ours is its own."
    )

    private static let words = ReasonCode.allCases.map(\.rawValue).joined(separator: ", ")
}

extension DeliveryItem: Documented {
    static let schema = document("Delivery") { field in
        switch field {
        case .id: (.uuid, "The delivery's id, at Apple the apns-id; the same at every attempt.")
        case .endpointID: (.uuid, "The endpoint, while it is known.")
        case .userID: (.string, "The user, where there is one.")
        case .platform: (.platform, "The provider, while the endpoint is known.")
        case .state: (.words(of: DeliveryState.self), "The state.")
        case .reason:
            (.string, "The provider's reason, or ours; while pending, that of what it waits for, if anything.")
        case .reasonCode: DeliveryRow.reasonCode
        case .attempts: (.integer(), "How many attempts were made.")
        case .at: (.time, "When the state was recorded; while pending, when it is tried next.")
        }
    }
}

extension SuppressionItem: Documented {
    static let schema = document("Suppression") { field in
        switch field {
        case .endpointID: (.uuid, "The endpoint, where there is one.")
        case .userID: (.string, "The user, where there is one.")
        case .platform: (.platform, "The provider, while the endpoint is known.")
        case .reason: (.string, "Why it was not made, such as duplicate or no_endpoint.")
        case .heldBy: (.uuid, "For a duplicate: the notification that the user has had instead.")
        case .at: (.time, "When that was decided.")
        }
    }
}

extension DeadLetterItem: Documented {
    static let schema = document("DeadLetter") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .notificationID: (.uuid, "The notification.")
        case .endpointID: (.uuid, "The endpoint.")
        case .userID: (.string, "The user, where there is one.")
        case .reason: (.string, "The last reason.")
        case .reasonCode: DeliveryRow.reasonCode
        case .attempts: (.integer(), "How many attempts were made.")
        case .diedAt: (.time, "When the last one was.")
        }
    }
}
