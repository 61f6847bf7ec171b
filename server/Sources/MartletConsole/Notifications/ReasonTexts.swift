import MartletCore

extension Texts {
    /// What became of a delivery and why, for people: a sentence.
    func sentence(_ state: DeliveryReport.State, _ reason: String?) -> String {
        if state == .suppressed, let reason, let known = optional("notifications.reason.\(reason)") { return known }
        let key = "notifications.became.\(state.rawValue)"
        return reason.map { self["\(key)_why", ["reason": self.reason($0)]] } ?? self[key]
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

extension MartletCore.Notification {
    /// The colour of its state's word.
    var tone: String {
        switch state {
        case .done where recalledAt != nil: "plain"
        case .scheduled, .cancelled: "plain"
        case .sending: "warn"
        case .done: "good"
        }
    }

    /// What it is, in a word: one that was taken back is that, however far it had come.
    func stateWord(_ texts: Texts) -> String {
        texts["notifications.state.\(recalledAt == nil ? state.rawValue : "recalled")"]
    }

    /// Which heading what it says has.
    var askedKey: String {
        switch state {
        case .scheduled: "asked_later"
        case .cancelled where counts.accepted == 0: "asked_never"
        case .sending, .done, .cancelled: "asked"
        }
    }

    /// Whether there is something that has not been sent.
    var mayBeCancelled: Bool { recalledAt == nil && (state == .scheduled || state == .sending) }

    /// Whether somebody may have it: on a phone, or in the inbox once sending is over.
    var mayBeRecalled: Bool {
        guard recalledAt == nil, state != .scheduled else { return false }
        return counts.accepted > 0 || (state == .done && inbox != nil)
    }

    /// Whether an operator sent it to see whether it arrives.
    var isTest: Bool { dedup?.key.hasPrefix(Self.testMark) ?? false }

    /// What the dedup key of a test begins with. The rest is random, so that it keeps nothing from being sent.
    static let testMark = "martlet.console.test."
}

extension Dedup {
    /// What marks a test, and is no other's.
    static func test() -> Dedup {
        Dedup(key: MartletCore.Notification.testMark + Secret(prefix: "", bits: 128).text, cooldown: .zero)
    }
}

extension Priority {
    /// Its word among the texts.
    var key: String {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }
}
