import MartletWire

extension StatisticsResponse: Documented {
    static let schema = document("Statistics") { field in
        switch field {
        case .appID: (.uuid, "The app; absent where it is all together.")
        case .platform: (.platform, "The provider; absent where it is all together.")
        case .from: (.time, "Where the first point begins: what was asked for, down to a whole step.")
        case .to: (.time, "Where the last point ends: up to a whole step.")
        case .step: (.words(of: StatisticsStep.self), "How long a point is; days are those of UTC.")
        case .points:
            (
                .list(of: .document(StatisticsPoint.self)),
                "One for each step, oldest first, also where nothing happened."
            )
        }
    }
}

extension StatisticsPoint: Documented {
    static let schema = document("StatisticsPoint") { field in
        switch field {
        case .at: (.time, "When the step begins.")
        case .accepted: (.integer(), "Deliveries that a provider took; that is not yet on a phone.")
        case .rejected: (.integer(), "Deliveries that the provider refused for good.")
        case .dead: (.integer(), "Deliveries whose attempts were used up.")
        case .suppressed: (.integer(), "Deliveries that were not made.")
        case .expired: (.integer(), "Deliveries whose time ran out.")
        case .cancelled: (.integer(), "Deliveries that were cancelled.")
        case .deliveries: (.integer(), "Events: a push reached the phone and the app saw it.")
        case .opens: (.integer(), "Events: a push was tapped.")
        case .dismissals: (.integer(), "Events: a push was dismissed.")
        }
    }
}

extension AcceptedResponse: Documented {
    static let schema = document("Accepted") { field in
        switch field {
        case .stepSeconds: (.integer(), "How long a point is, in seconds.")
        case .points:
            (
                .list(of: .document(AcceptedPoint.self)),
                "At most 60, oldest first, also where nothing happened; absent where it was sent in too many batches to look at."
            )
        }
    }
}

extension AcceptedPoint: Documented {
    static let schema = document("AcceptedPoint") { field in
        switch field {
        case .at: (.time, "When the step begins.")
        case .accepted: (.integer(), "Deliveries that a provider took; that is not yet on a phone.")
        }
    }
}
