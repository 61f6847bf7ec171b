public import MartletWire

/// Why a notification reached a person, or did not: each question that was asked about them, and the answer in a sentence.
/// A pure value. What was recorded takes precedence over what the rules say now, because
/// preferences, claims and devices go on changing.
public struct WhyReport: Sendable, Hashable {
    /// Whether the notification was for them; `nil` where that is not recorded.
    public let isInAudience: Bool?
    /// What was asked about the person, up to what stopped it.
    public private(set) var steps: [WhyStep] = []
    /// The answer, sentence by sentence.
    public private(set) var sentences: [String] = []
    /// The answer in one text.
    public var summary: String { sentences.joined(separator: " ") }
    /// What it was made from.
    public let facts: WhyFacts

    /// Goes through the questions in the order of the gate.
    public init(_ facts: WhyFacts, now: Timestamp) {
        self.facts = facts
        isInAudience = facts.isInAudience
        let audience = facts.audienceStep
        steps = [audience]
        if audience.passed {
            let category = facts.categoryStep
            steps.append(category)
            if category.passed, let dedup = facts.dedupStep { steps.append(dedup) }
            if let inbox = facts.inboxStep(now: now) { steps.append(inbox) }
            if facts.line(.quietHours) != nil { steps.append(.quietHours) }
            if facts.line(.noEndpoint) != nil { steps.append(.noDevice) }
        }
        sentences = facts.sentences(of: steps)
    }
}

extension WhyFacts {
    /// What is recorded of a person says that they were in the audience; else only what the audience itself says.
    fileprivate var isInAudience: Bool? {
        if !lines.isEmpty || found != nil { return true }
        return switch notification.audience {
        case .users(let ids): ids.contains { User.isSame($0, user) }
        case _ where !isKnown: false
        case .endpoints, .tokens: hasNamedDevice
        case .all: item?.isForUser
        // Of each subscriber something is recorded by the time that the audience is read to its end.
        case .topic: notification.state == .done ? false : nil
        }
    }

    fileprivate var audienceStep: WhyStep {
        let isIn = isInAudience
        let detail =
            switch (notification.audience, isIn) {
            case (.users, true?): "The notification names the user."
            case _ where !isKnown: "Nothing is stored of the user: they were erased, or never known."
            case (.users, _): "The notification does not name the user."
            case (.endpoints, true?), (.tokens, true?): "The notification names a device of the user."
            case (.endpoints, _), (.tokens, _): "The notification names no device that is the user's now."
            case (.all, true?): "The notification is for everybody."
            case (.all, false?): "The notification is for everybody, and the user came later."
            case (.all, nil):
                "The notification is for everybody, and nothing is recorded of the user: they had no device, or came later."
            case (.topic(let topic), true?): "The user was subscribed to topic '\(topic.name)'."
            case (.topic(let topic), false?):
                "The user was no subscriber of topic '\(topic.name)', or their filter did not let it through."
            case (.topic(let topic), nil) where notification.state == .cancelled:
                """
                Nothing is recorded of the user. Whether they are among the subscribers of topic '\(topic.name)' is not \
                known: the notification was cancelled.
                """
            case (.topic(let topic), nil):
                """
                Nothing is recorded of the user. Whether they are among the subscribers of topic '\(topic.name)' is not \
                decided yet.
                """
            }
        return WhyStep(
            step: "audience",
            passed: isIn == true,
            reason: isIn == false ? "not_in_audience" : nil,
            detail: detail
        )
    }

    fileprivate var categoryStep: WhyStep {
        let now = PreferenceDecision(.push, category: category, choice: choice)
        if let off = line(.preferenceOff) {
            let detail =
                off.detail == .late
                ? Self.switchedOffLate
                : now.isOn ? "It was off for the user, who changed that since." : sentence(now, .push)
            return WhyStep(
                step: "category",
                passed: false,
                reason: Suppression.Reason.preferenceOff.rawValue,
                source: now.isOn ? nil : now.source,
                detail: detail
            )
        }
        guard lines.isEmpty else {
            let detail = now.isOn ? sentence(now, .push) : "It was on for the user, who changed that since."
            return WhyStep(step: "category", passed: true, source: now.isOn ? now.source : nil, detail: detail)
        }
        var sentences = [sentence(now, .push)]
        if isChoiceOfToday { sentences.append("That holds now; what held then is not kept.") }
        return WhyStep(
            step: "category",
            passed: now.isOn,
            reason: now.isOn ? nil : Suppression.Reason.preferenceOff.rawValue,
            source: now.source,
            detail: sentences.joined(separator: " ")
        )
    }

    fileprivate var dedupStep: WhyStep? {
        guard let key = notification.dedup?.key else { return nil }
        if let duplicate = line(.duplicate) {
            let detail =
                if let other = duplicate.heldBy {
                    "Notification \(other) came first with the same dedup key, '\(key)'."
                } else {
                    "A notification that is forgotten by now came first with the same dedup key, '\(key)'."
                }
            return WhyStep(
                step: "dedup",
                passed: false,
                reason: Suppression.Reason.duplicate.rawValue,
                detail: detail
            )
        }
        let detail =
            switch holder {
            case notification.id?: "The notification holds dedup key '\(key)' for the user."
            case let other?: "Dedup key '\(key)' was free for the user. Notification \(other) holds it now."
            case nil: "Dedup key '\(key)' was free for the user."
            }
        return WhyStep(step: "dedup", passed: true, detail: detail)
    }

    fileprivate func inboxStep(now: Timestamp) -> WhyStep? {
        guard leavesItem else { return nil }
        if let found {
            return WhyStep(step: "inbox", passed: true, detail: "The item is in the inbox, \(found.status.word).")
        }
        let decision = PreferenceDecision(.inbox, category: category, choice: choice)
        func step(_ detail: String, _ reason: Suppression.Reason? = nil, _ source: PreferenceSource? = nil) -> WhyStep {
            WhyStep(step: "inbox", passed: false, reason: reason?.rawValue, source: source, detail: detail)
        }
        if let recalled = item?.recalledAt { return step("The item was recalled at \(UTCTime(recalled)).") }
        if let end = item?.expiresAt, end <= now { return step("The item left the inbox at \(UTCTime(end)).") }
        if !decision.isOn { return step(sentence(decision, .inbox), .preferenceOff, decision.source) }
        if line(.duplicate) != nil { return step("A duplicate leaves no item.", .duplicate) }
        guard item != nil else {
            let isOpen = notification.state == .scheduled || notification.state == .sending
            return step(isOpen ? "The item is not written yet." : "There is no item of it any more.")
        }
        return step("The inbox has no item of it: a newer one took its place, or the inbox was full.")
    }
}

extension WhyStep {
    fileprivate static let quietHours = WhyStep(
        step: "quiet_hours",
        passed: false,
        reason: Suppression.Reason.quietHours.rawValue,
        detail: "The user wanted quiet, and it could not wait for the end of that."
    )

    fileprivate static let noDevice = WhyStep(
        step: "devices",
        passed: false,
        reason: Suppression.Reason.noEndpoint.rawValue,
        detail: "The user had no device."
    )
}
