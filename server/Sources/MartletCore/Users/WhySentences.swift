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
        let name = "category '\(category.key)'"
        return switch (decision.source, decision.isOn) {
        case (.required, _): "Nobody can switch \(things) of \(name) off."
        case (.master, _) where choice.master.enabled == false: "The user switched all notifications off."
        case (.master, _): "The user switched all \(things) off."
        case (.user, true): "The user switched \(name) on."
        case (.user, false) where choice.category.enabled == false: "The user switched \(name) off."
        case (.user, false): "The user switched \(things) of \(name) off."
        case (.category, true): "C\(name.dropFirst()) is on by default."
        case (.category, false) where category.defaults.enabled == false: "C\(name.dropFirst()) is off by default."
        case (.category, false): "The default of \(name) has no \(things)."
        case (.system, _): "Nobody switched \(name) off."
        }
    }

    /// The answer in a sentence, and another one for what did not go the same way.
    func summary(of steps: [WhyStep]) -> String {
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
        let stop = steps.first { !$0.passed && $0.step != "inbox" }
        if let stop, accepted + pending == 0 {
            sentences.append(notSent(stop.detail))
        } else if lines.isEmpty {
            sentences.append(nothingRecorded)
        } else {
            sentences += reasons(of: devices)
        }
        // What switched both off is said once.
        if let inbox = steps.first(where: { $0.step == "inbox" }), inbox.detail != stop?.detail {
            sentences.append(inbox.detail)
        }
        return sentences.joined(separator: " ")
    }

    private func notSent(_ why: String?) -> String {
        ["No push was sent.", why].compactMap(\.self).joined(separator: " ")
    }

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
        let text = isLate ? Self.late : sentence
        return "\(text.prefix(1).uppercased())\(text.dropFirst())."
    }

    private static let late = "the user switched it off after it was published and before it was sent"

    /// What became of it, for people: a part of a sentence.
    var sentence: String {
        let why = reason.map { " (\($0))" } ?? ""
        return switch state {
        case .pending: "it waits to be sent"
        case .accepted: "the provider took it"
        case .rejected: "the provider refused it\(why)"
        case .expired: "its time ran out\(why)"
        case .cancelled: "it was cancelled\(why)"
        case .dead: "all attempts failed\(why)"
        case .suppressed: reason.flatMap(Suppression.Reason.init)?.sentence ?? "it was not sent\(why)"
        }
    }
}

extension Suppression.Reason {
    /// Why it was not sent, for people: a sentence.
    package var statement: String { "\(sentence.prefix(1).uppercased())\(sentence.dropFirst())." }

    /// Why it was not sent, for people: a part of a sentence.
    package var sentence: String {
        switch self {
        case .duplicate: "another notification with the same dedup key came first"
        case .noEndpoint: "the user has no device"
        case .unknownEndpoint: "there is no such device"
        case .endpointDisabled: "the device is disabled"
        case .endpointRemoved: "the device was removed"
        case .noCredential: "the app has no credential for its provider"
        case .readInInbox: "the user read it in the inbox before it was sent"
        case .superseded: "a newer version of its inbox item took its place before it was sent"
        case .quietHours: "the user wanted quiet"
        case .preferenceOff: "the user does not want it"
        case .deviceOff: "pushes are switched off on the device"
        case .permissionOff: "the device's system does not let the app show it"
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
