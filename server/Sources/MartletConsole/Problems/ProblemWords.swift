import MartletCore
import MartletWire

extension Problem.Kind {
    /// Whether the page of problems has a section of it, with what can be done there.
    var hasOwnSection: Bool {
        switch self {
        case .paused, .quarantine, .deadLetters, .webhookDeadLetters: true
        case .notAnswering, .noCredential, .wrongTopic, .backlog, .credentialEnds: false
        }
    }
}

extension Problem {
    /// Where to look at it.
    var address: String {
        guard let app else { return "/console/problems#webhooks" }
        return switch kind {
        case .noCredential, .wrongTopic, .credentialEnds: "/console/apps/\(app.id)"
        case .paused: "/console/problems#paused"
        case .quarantine: "/console/problems#quarantined"
        case .deadLetters: "/console/problems#letters"
        case .webhookDeadLetters: "/console/problems#webhooks"
        case .notAnswering, .backlog: "/console/problems#problems"
        }
    }

    /// What it is in a few words, with its number.
    func title(_ texts: Texts) -> String {
        switch kind {
        case .quarantine: texts.counted("overview.open_quarantined", waiting)
        case .deadLetters: texts.counted("overview.open_letters", waiting)
        case .webhookDeadLetters: texts.counted("overview.open_webhooks", waiting)
        default: texts["problems.kind.\(kind.rawValue)"]
        }
    }

    /// Whose it is: the app, and the queue in words.
    func place(_ texts: Texts) -> String {
        [app?.name, queue.map(texts.name(of:))].compactMap(\.self).joined(separator: ": ")
    }

    /// What all pages show of it: in a word, its reason, since when, how many wait, what to do, and the way there.
    func values(_ texts: Texts) -> PageValues {
        // The titles of others have their number, and an audience that is not read has no deliveries.
        let isCounted = waiting > 0 && queue != nil
        return [
            "problem_title": title(texts), "problem_place": place(texts), "problem_app": app?.name ?? "",
            "problem_queue": (queue?.word).asList, "problem_tone": level == .problem ? "bad" : "warn",
            "problem_reason": (reason.map { texts.reason($0) }).asList, "problem_message": texts.said(message),
            "problem_advice": texts.said(advice), "problem_address": address,
            "problem_of_app": app.map { "/console/apps/\($0.id)" }.asList,
            "problem_since": since.map(PageValues.time).asList,
            "problem_since_word": texts["problems.\(kind == .credentialEnds ? "ends" : "problem_since")"],
            "problem_waiting":
                (isCounted
                ? texts.counted("overview.waiting", waiting) : nil).asList,
        ]
    }
}
