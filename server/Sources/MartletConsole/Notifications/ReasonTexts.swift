import MartletCore

extension Texts {
    /// What became of a delivery and why, for people: a sentence.
    func sentence(_ state: DeliveryReport.State, _ reason: String?) -> String {
        if state == .suppressed, let reason, let known = optional("notifications.reason.\(reason)") { return known }
        let word = reason ?? state.rawValue
        let key = "notifications.became.\(state.rawValue)"
        return reason == nil ? self[key] : self["\(key)_why", ["reason": word]]
    }

    /// A duration in its largest unit.
    func duration(seconds: Int) -> String {
        if seconds < 90 { return counted("notifications.seconds", seconds) }
        if seconds < 5_400 { return counted("notifications.minutes", (seconds + 30) / 60) }
        return counted("notifications.hours", (seconds + 1_800) / 3_600)
    }

    /// Whom a notification is for.
    func audience(_ audience: Audience) -> String {
        switch audience {
        case .all: self["notifications.audience.all"]
        case .users(let users): counted("notifications.audience.users", users.count)
        case .endpoints(let devices): counted("notifications.audience.devices", devices.count)
        case .tokens(let devices, _): counted("notifications.audience.devices", devices.count)
        case .topic(let topic): self["notifications.audience.topic", ["name": topic.name]]
        }
    }
}

extension MartletCore.Notification.State {
    /// The colour of its word.
    var tone: String {
        switch self {
        case .scheduled, .cancelled: "plain"
        case .sending: "warn"
        case .done: "good"
        }
    }
}
