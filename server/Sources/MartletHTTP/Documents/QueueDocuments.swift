import MartletWire

extension QuarantineItem: Documented {
    static let schema = document("QuarantinedWork") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .notificationID: (.uuid, "The notification.")
        case .kind: (.words(of: Kind.self), "A batch of deliveries, or the reading of the audience.")
        case .platform: (.platform, "The provider; for a batch.")
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment; for a batch.")
        case .deliveries: (.integer(), "How many deliveries wait in it.")
        case .reason: (.words(of: QuarantineReason.self), "Whether it crashed or failed, or cannot be read.")
        case .tries: (.integer(), "How often it was taken up and never recorded.")
        case .since: (.time, "Since when.")
        }
    }
}

extension BreakerResponse: Documented {
    static let schema = document("Breaker") { field in
        switch field {
        case .platform: (.platform, "The provider.")
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment.")
        case .state: (.words(of: State.self), "Whether nothing is sent, one batch tries, or more follow.")
        case .reason: (.string, "Why the last attempt failed.")
        case .reasonCode: DeliveryRow.reasonCode
        case .since: (.time, "Since when.")
        case .probeAt: (.time, "When the provider is tried next.")
        }
    }
}
