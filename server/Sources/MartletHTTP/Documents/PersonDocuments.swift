import MartletWire

extension WhyResponse: Documented {
    static let schema = document("Why") { field in
        switch field {
        case .notificationID: (.uuid, "The notification.")
        case .userID: (.string, "The user.")
        case .isInAudience: (.boolean, "Whether it was for them; absent where that is not known.")
        case .steps: (.list(of: .document(WhyStep.self)), "What was asked about them, up to what stopped it.")
        case .devices: (.list(of: .document(DeliveryItem.self)), "What became of it on each of their devices.")
        case .inbox: (.document(InboxItemResponse.self), "The item in their inbox, where there is one.")
        case .summary: (.string, "The answer in one sentence.")
        }
    }
}

extension WhyStep: Documented {
    static let schema = document("WhyStep") { field in
        switch field {
        case .step: (.string, "What was asked: 'audience', 'category', 'dedup', 'inbox', 'quiet_hours', 'devices'.")
        case .passed: (.boolean, "Whether it went on from there.")
        case .reason: (.string, "The reason, as a suppression has it, where it stopped.")
        case .source: (.words(of: PreferenceSource.self), "What says so, where a preference does.")
        case .detail: (.string, "The facts, in one sentence.")
        }
    }
}

extension PersonItem: Documented {
    static let schema = document("Person") { field in
        switch field {
        case .appID: (.uuid, "Whose user or device it is.")
        case .userID: (.string, "The user; absent for an anonymous device.")
        case .matched:
            (
                .words(of: PersonMatch.self),
                "What matched: the beginning of the user's id, or a device's token or installation."
            )
        case .endpointID: (.uuid, "The device, where one matched.")
        case .platform: (.platform, "Its provider.")
        }
    }
}

extension TimelineItem: Documented {
    static let schema = document("TimelineItem") { field in
        switch field {
        case .at: (.time, "When.")
        case .kind: (.words(of: TimelineKind.self), "What it is.")
        case .what: (.string, "What happened: a delivery's state, a suppression's reason, an event's type.")
        case .notificationID: (.uuid, "The notification, where there is one.")
        case .endpointID: (.uuid, "The endpoint, where there is one.")
        case .detail: (.string, "The facts, in one sentence.")
        }
    }
}
