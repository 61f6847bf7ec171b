import MartletCore
import MartletWire

extension Texts {
    /// What became of a delivery and why, for people: a sentence, or two.
    ///
    /// - Parameter isWordBeside: whether the page has the provider's own word beside it, so that it need not say it too.
    func sentence(_ state: DeliveryState, _ reason: String?, isWordBeside: Bool = true) -> String {
        if state == .suppressed, let reason, let known = optional("notifications.reason.\(reason)") { return known }
        let key = "notifications.became.\(state.rawValue)"
        guard let reason else { return self[key] }
        if let why = meaning(ofReason: reason) {
            return state == .rejected ? why : pieces(of: [self[key], why]).map(\.text).joined()
        }
        return reason.contains(" ") || !isWordBeside ? self["\(key)_why", ["reason": self.reason(reason)]] : self[key]
    }

    /// What a provider's word for a refusal means: a sentence; `nil` for a word without a plain meaning.
    func meaning(ofReason word: String) -> String? {
        let key: String? =
            switch ReasonCode(rawValue: ReasonCode.text(of: word)) {
            case .payloadTooLarge: "too_long"
            case .invalidToken: "unknown_token"
            case .unregistered: "app_removed"
            case .wrongApp: "other_app"
            case .topicNotAllowed: "bundle"
            case .credential: "credential"
            case .rateLimited: "too_many"
            case .invalidRequest: "malformed"
            case .unavailable: "provider_down"
            case .noAnswer where word.hasPrefix("ProxyPage"): "proxy_page"
            // A sentence about a connection says more than its code.
            case .noAnswer: word.contains(" ") ? nil : "no_answer"
            case .other, nil: nil
            }
        return key.map { self["notifications.meaning.\($0)"] }
    }

    /// What the platforms are called whose queues are paused.
    func platforms(of pauses: [Pause]) -> String {
        let platforms = Platform.allCases.filter { platform in pauses.contains { $0.queue.platform == platform } }
        return platforms.map { self["compose.platform.\($0.rawValue)"] }.joined(separator: ", ")
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
    /// When it began or begins.
    var beginsAt: Timestamp { max(sendAt, createdAt) }

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
    ///
    /// - Parameter pauses: those that its deliveries wait for.
    func stateWord(_ texts: Texts, _ pauses: [Pause]) -> String {
        if recalledAt == nil, state == .sending, !pauses.isEmpty {
            let isOne = Set(pauses.map(\.queue.platform)).count == 1
            return texts[
                isOne ? "notifications.state_waiting" : "notifications.state_waiting_all",
                ["platform": texts.platforms(of: pauses)]
            ]
        }
        return texts["notifications.state.\(recalledAt == nil ? state.rawValue : "recalled")"]
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
