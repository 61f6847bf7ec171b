import MartletCore
import MartletWire

extension MissedItem: Documented {
    static let schema = document("Missed") { field in
        switch field {
        case .userID: (.string, "The user, where there is one.")
        case .endpointID: (.uuid, "The device, where it was for one and it is still known.")
        case .platform: (.platform, "The provider, while the device is known.")
        case .state: (.words(of: DeliveryState.self), "The state.")
        case .reason: (.string, "The provider's reason, or ours; where there is none, the state's word.")
        case .detail: (.string, "The same as a sentence.")
        case .heldBy: (.uuid, "For a duplicate: the notification that the user has had instead.")
        case .at: (.time, "When that was recorded.")
        case .reachedOtherwise: (.boolean, "Whether the user has it on another device.")
        case .reasonCode: DeliveryRow.reasonCode
        }
    }
}

extension ResendRequest: Documented {
    static let schema = document("ResendRequest") { field in
        switch field {
        case .reasons:
            (
                .list(of: .string(limit: 256)).of(1...ResendReasons.limit),
                "Reasons or states by their words, 1 to 50; absent is those that can have passed."
            )
        case .isDryRun: (.boolean, "true: nothing is sent, and the answer has only 'count'.")
        }
    }
}

extension ResendResponse: Documented {
    static let schema = document("Resent") { field in
        switch field {
        case .id: (.uuid, "The new notification's id; absent for a dry run.")
        case .status: (.words(of: NotificationStatus.self), "Always 'sending'; absent for a dry run.")
        case .count: (.integer(), "For how many devices it is.")
        }
    }
}

extension ReasonsResponse: Documented {
    static let schema = document("Reasons") { field in
        switch field {
        case .reasons:
            (.list(of: .document(ReasonCount.self)), "The reasons, most first; of state pending is what still waits.")
        case .isExact:
            (
                .boolean,
                "Whether everybody was looked at; otherwise the numbers are of 20,000 deliveries and as many that were not made."
            )
        }
    }
}

extension ReasonsResponse.ReasonCount: Documented {
    static let schema = document("ReasonCount") { field in
        switch field {
        case .state: (.words(of: DeliveryState.self), "The state.")
        case .reason: (.string, "The provider's reason, or ours; where there is none, the state's word.")
        case .reasonCode: DeliveryRow.reasonCode
        case .detail: (.string, "The same as a sentence.")
        case .count: (.integer(), "How many did not get it for it: devices, and people without one.")
        }
    }
}
