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
        }
    }
}

extension ResendRequest: Documented {
    static let schema = document("ResendRequest") { field in
        switch field {
        case .reasons:
            (
                .list(of: .string(limit: 256)),
                "Reasons or states by their words, 1 to 50; absent is those that can have passed."
            )
        }
    }
}

extension ResendResponse: Documented {
    static let schema = document("Resent") { field in
        switch field {
        case .id: (.uuid, "The new notification's id.")
        case .status: (.words(of: NotificationStatus.self), "Always 'sending'.")
        case .count: (.integer(), "For how many devices it is.")
        }
    }
}
