import MartletCore

/// What a page shows of what the doctor found. A pure value.
struct FindingWords: Sendable {
    var level: Finding.Level
    var subject: String
    var message: String
    var advice: String?
    var texts: Texts

    /// - Parameter app: whose name the subject begins with, where it does.
    init(_ finding: Finding, of app: String? = nil, _ texts: Texts) {
        (level, message, advice) = (finding.level, finding.message, finding.advice)
        self.texts = texts
        subject = texts.sentence(finding.subject) ?? finding.subject
        guard let app, finding.subject.hasPrefix("\(app) ") else { return }
        // An app's name has no space.
        let rest = String(finding.subject.dropFirst(app.count + 1))
        if let known = texts.sentence(rest) { subject = "\(app) \(known)" }
    }

    var values: PageValues {
        [
            "finding_tone": tone.rawValue, "finding_word": texts["apps.finding_\(level.rawValue)"],
            "finding_subject": subject, "finding_message": texts.said(message),
            "finding_advice": texts.said(advice ?? ""), "is_advised": advice != nil,
        ]
    }

    private var tone: Tone {
        switch level {
        case .ok: .good
        case .warning: .warn
        case .problem: .bad
        }
    }
}
