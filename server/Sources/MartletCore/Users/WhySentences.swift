import MartletWire

extension WhyFacts {
    /// What says that a channel is on or off, for people.
    func sentence(_ decision: PreferenceDecision, _ channel: ChannelName) -> String {
        let things = channel == .push ? "pushes" : "inbox items"
        guard let category else {
            guard !decision.isOn else {
                return "The notification has no category, and the user did not switch all off."
            }
            return choice.master.enabled == false
                ? "The user switched all notifications off." : "The user switched all \(things) off."
        }
        let key = category.key
        return switch (decision.source, decision.isOn) {
        case (.required, _): "Nobody can switch \(things) of category '\(key)' off."
        case (.master, _) where choice.master.enabled == false: "The user switched all notifications off."
        case (.master, _): "The user switched all \(things) off."
        case (.user, true): "The user switched category '\(key)' on."
        case (.user, false) where choice.category.enabled == false: "The user switched category '\(key)' off."
        case (.user, false): "The user switched \(things) of category '\(key)' off."
        case (.category, true): "Category '\(key)' is on by default."
        case (.category, false) where category.defaults.enabled == false: "Category '\(key)' is off by default."
        case (.category, false): "The default of category '\(key)' has no \(things)."
        case (.system, _): "The user did not switch category '\(key)' off."
        }
    }

    /// The answer in a sentence or two, and another one for what did not go the same way.
    func sentences(of steps: [WhyStep]) -> [String] {
        guard let audience = steps.first, audience.passed else { return notSent(steps.first?.detail) }
        var sentences: [String] = []
        let devices = devices
        let accepted = devices.count { $0.state == .accepted }
        let pending = devices.count { $0.state == .pending }
        if accepted > 0 {
            let all = devices.count
            sentences.append("A provider took the push for \(accepted) of \(all) device\(all == 1 ? "" : "s").")
        } else if pending > 0 {
            sentences.append("The push waits to be sent to \(pending) device\(pending == 1 ? "" : "s").")
        }
        for said in devices.map(\.waitingSentences) where !sentences.contains(said.first ?? "") { sentences += said }
        let stop = steps.first { !$0.passed && $0.step != "inbox" }
        if let stop, accepted + pending == 0 {
            sentences += notSent(stop.detail)
        } else if lines.isEmpty {
            sentences.append(nothingRecorded)
        } else {
            sentences += reasons(of: devices)
        }
        // What switched both off is said once.
        if let inbox = steps.first(where: { $0.step == "inbox" }), inbox.detail != stop?.detail {
            sentences.append(inbox.detail)
        }
        return sentences
    }

    private func notSent(_ why: String?) -> [String] { ["No push was sent.", why].compactMap(\.self) }

    private var nothingRecorded: String {
        switch notification.state {
        case .scheduled: "Nothing was sent yet: the notification is scheduled for \(UTCTime(notification.sendAt))."
        case .sending: "Nothing is decided yet: the audience is being read."
        case .cancelled: "The notification was cancelled before it came to the user."
        case .done: "Nothing is recorded of a push to the user."
        }
    }

    /// What became of the devices that the provider took no push for, by how many.
    private func reasons(of devices: [DeliveryReport]) -> [String] {
        var counts: [(text: String, count: Int)] = []
        for device in devices where device.state != .accepted && device.state != .pending {
            let text = device.sentence
            if let index = counts.firstIndex(where: { $0.text == text }) {
                counts[index].count += 1
            } else {
                counts.append((text, 1))
            }
        }
        return counts.map { "On \($0.count) device\($0.count == 1 ? "" : "s"): \($0.text)." }
    }
}

extension DeliveryReport {
    /// Why, in a word: the provider's or ours, and where there is none that of the state.
    package var word: String { reason ?? state.rawValue }

    /// What became of it, for people: a sentence.
    package var statement: String {
        let isLate = detail == .late && reason == Suppression.Reason.preferenceOff.rawValue
        return isLate ? WhyFacts.switchedOffLate : plainStatement
    }

    /// What became of it, for people: a part of a sentence.
    var sentence: String { plainStatement.asPartOfSentence }

    private var plainStatement: String {
        let why = reason.map { " (\($0))" } ?? ""
        return switch state {
        case .pending: "It waits to be sent\(why)."
        case .accepted: "The provider took it."
        case .rejected: "The provider refused it\(why)."
        case .expired: "Its time ran out\(why)."
        case .cancelled: "It was cancelled\(why)."
        case .dead: "All attempts failed\(why)."
        case .suppressed: reason.flatMap(Suppression.Reason.init)?.statement ?? "It was not sent\(why)."
        }
    }
}

extension DeliveryReport {
    /// What a pending one waits for, for people: sentences; none where it only waits for its turn.
    package var waitingSentences: [String] {
        guard state == .pending, let waiting else { return [] }
        let provider = waiting.queue.provider
        let next = at.map { "The next try is at \(UTCTime($0))." }
        switch waiting.cause {
        case .turn: return []
        case .quarantine: return ["It is quarantined and waits for somebody who has it tried again."]
        case .pause(let reason, let since):
            return ["\(provider)'s queue is paused since \(UTCTime(since)): \(reason)."]
        case .silence(let reason, let since):
            let silence = "\(provider) has not answered since \(UTCTime(since)) (\(reason))."
            return [silence, next].compactMap(\.self)
        case .attempt(let reason, let moment):
            guard let moment else { return [next].compactMap(\.self) }
            let last =
                ReasonCode.isSilence(reason) || reason == ReasonWords.connection
                ? "\(provider) gave no answer at \(UTCTime(moment)) (\(reason))."
                : "\(provider) answered \(reason) at \(UTCTime(moment))."
            return [last, next ?? "The next try is due now."]
        }
    }
}

extension DeliveryQueue {
    /// Who takes its pushes, for people.
    fileprivate var provider: String {
        switch environment {
        case .otherService: "The push service"
        case .google: "Google"
        case .mozilla: "Mozilla"
        case .microsoft: "Microsoft"
        case .apple: "Apple"
        case .sandbox, .production:
            switch platform {
            case .apns: "Apple"
            case .fcm: "Google"
            case .webpush: "The push service"
            }
        }
    }
}

extension WhyFacts {
    static let switchedOffLate = "The user switched it off after it was published and before it was sent."
}

extension String {
    /// A sentence as it stands within another one: it begins small and has no full stop.
    fileprivate var asPartOfSentence: String { "\(prefix(1).lowercased())\(dropFirst().dropLast())" }
}

extension Suppression.Reason {
    /// Why it was not sent, for people: a part of a sentence.
    package var sentence: String { statement.asPartOfSentence }

    /// Why it was not sent, for people: a sentence.
    package var statement: String {
        switch self {
        case .duplicate: "Another notification with the same dedup key came first."
        case .noEndpoint: "The user has no device."
        case .unknownEndpoint: "There is no such device."
        case .endpointDisabled: "The device is disabled."
        case .endpointRemoved: "The device was removed."
        case .noCredential: "The app has no credential for its provider."
        case .readInInbox: "The user read it in the inbox before it was sent."
        case .superseded: "A newer version of its inbox item took its place before it was sent."
        case .quietHours: "The user wanted quiet."
        case .preferenceOff: "The user does not want it."
        case .deviceOff: "Pushes are switched off on the device."
        case .permissionOff: "The device's system does not let the app show it."
        }
    }
}

extension InboxStatus {
    /// The status in a word.
    var word: String {
        if isArchived { return "archived" }
        if isRead { return "read" }
        return isSeen ? "seen" : "unseen"
    }
}
