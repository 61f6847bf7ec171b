import MartletCore
import MartletWire

/// What a page shows of what the doctor found. A pure value.
struct FindingWords: Sendable {
    var level: Finding.Level
    var subject: String
    var message: String
    var advice: String?
    /// The queue or the provider that it is of, and what was looked at there; `nil` where it is of the whole app.
    var place: FindingPlace?
    var texts: Texts

    /// - Parameter app: whose name the subject begins with, where it does.
    init(_ finding: Finding, of app: String? = nil, _ texts: Texts) {
        (level, message, advice) = (finding.level, finding.message, finding.advice)
        self.texts = texts
        // An app's name has no space.
        let own = app.map { "\($0) " }.flatMap { finding.subject.hasPrefix($0) ? $0 : nil } ?? ""
        let rest = String(finding.subject.dropFirst(own.count))
        place = FindingPlace(rest)
        subject = texts.sentence(rest).map { own + $0 } ?? texts.sentence(finding.subject) ?? finding.subject
    }

    /// What a list shows of it.
    ///
    /// - Parameter isAdviceAbove: whether its advice stands above already.
    func values(isAdviceAbove: Bool) -> PageValues {
        [
            "finding_tone": tone.rawValue, "finding_word": texts["apps.finding_\(level.rawValue)"],
            "finding_subjects": [noun].filter { !$0.isEmpty },
            "finding_message": texts.said(message), "finding_advice": texts.said(advice ?? ""),
            "is_advised": advice != nil && !isAdviceAbove, "is_advised_above": isAdviceAbove,
        ]
    }

    /// What was looked at, without the queue that it stands below.
    private var noun: String {
        guard let place, !place.noun.isEmpty else { return place == nil ? subject : "" }
        return texts.sentence(place.noun) ?? subject
    }

    private var tone: Tone {
        switch level {
        case .ok: .good
        case .warning: .warn
        case .problem: .bad
        }
    }
}

/// The queue or the provider that a finding's subject begins with, and its noun. A pure value.
struct FindingPlace: Sendable, Hashable {
    var platform: Platform
    var environment: Environment?
    /// Such as `clock`; empty where the queue itself was looked at.
    var noun: String

    /// - Parameter subject: such as `apns/production clock`, without its app.
    init?(_ subject: String) {
        let parts = subject.split(separator: " ", maxSplits: 1)
        let queue = (parts.first ?? "").split(separator: "/", maxSplits: 1)
        guard let platform = queue.first.flatMap({ Platform(rawValue: String($0)) }) else { return nil }
        let environment = queue.count > 1 ? Environment(rawValue: String(queue[1])) : nil
        guard queue.count == 1 || environment != nil else { return nil }
        (self.platform, self.environment) = (platform, environment)
        noun = parts.count > 1 ? String(parts[1]) : ""
    }

    /// As the code writes it.
    var word: String { environment.map { "\(platform.rawValue)/\($0.rawValue)" } ?? platform.rawValue }
}

/// What the doctor found, by queue; each piece of advice is said once. A pure value.
struct FindingGroups: Sendable {
    private var groups: [(title: String?, word: String, findings: [PageValues])] = []

    init(_ findings: [Finding], of app: String? = nil, _ texts: Texts) {
        var said: Set<String> = []
        for finding in findings {
            let words = FindingWords(finding, of: app, texts)
            let isSaid = words.advice.map { !said.insert($0).inserted } ?? false
            let values = words.values(isAdviceAbove: isSaid)
            let word = words.place?.word ?? ""
            if let index = groups.firstIndex(where: { $0.word == word }) {
                groups[index].findings.append(values)
            } else {
                groups.append((words.place.map { texts.name(of: $0.platform, $0.environment) }, word, [values]))
            }
        }
    }

    var values: [PageValues] {
        groups.map { group in
            let head = group.title.map { ["group_title": $0, "group_word": group.word] as PageValues }
            return ["group_heads": head.asList, "findings": group.findings]
        }
    }
}
