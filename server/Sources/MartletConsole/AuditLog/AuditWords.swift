import MartletCore
import MartletWire

/// What the audit log's own words are to people. A pure value.
struct AuditWords: Sendable {
    private let texts: Texts

    init(_ texts: Texts) { self.texts = texts }

    /// The actions that there are, to choose among; a test reads them from the code.
    static let actions = [
        "app.create", "app.update", "app.delete", "credential.store", "credential.delete", "key.create", "key.revoke",
        "access_key.create", "access_key.revoke", "queue.resume", "dead_letter.retry", "dead_letter.retry_many",
        "quarantine.retry", "quarantine.retry_many", "webhook_dead_letter.retry", "webhook_dead_letter.retry_many",
        "notification.send", "notification.send_batch", "notification.test", "notification.cancel",
        "notification.recall", "topic.create", "topic.update", "topic.delete", "subscription.create",
        "subscription.update", "subscription.delete", "subscription.import", "subscription.update_many",
        "platform_application.create", "platform_application.update",
        "platform_application.delete", "category.create", "category.update", "category.archive", "device.update",
        "device.import", "device.delete", "preferences.update", "preferences.update_many", "user.erase",
        "operator.invite", "operator.reset_password", "operator.create", "operator.update",
        "operator.wrong_password", "session.start", "session.end", "phone.open", "phone.dismiss",
    ]
    /// The kinds of subject that there are, to choose among.
    static let kinds = [
        "app", "credential", "key", "access_key", "queue", "dead_letter", "quarantine", "webhook_dead_letter",
        "notification", "topic", "subscription", "platform_application", "category", "device", "user", "operator",
        "session",
    ]

    /// A kind such as `app`, or an action such as `app.update`, in words; as it is where there are none.
    func words(of code: String) -> String {
        let parts = code.split(separator: ".", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap({ texts.optional("audit.kinds.\($0)") }) else { return code }
        guard parts.count > 1 else { return kind }
        guard let verb = texts.optional("audit.verbs.\(parts[1])") else { return code }
        return texts["audit.act", ["kind": kind, "verb": verb]]
    }

    /// The options of a field, with the one that is asked for, whatever it is.
    func choices(of codes: [String], chosen: String?) -> [PageValues] {
        let missing = chosen.flatMap { codes.contains($0) ? nil : $0 }
        return (codes + missing.asList).map { code in
            ["choice_code": code, "choice_name": words(of: code), "choice_selected": code == chosen] as PageValues
        }
    }

    /// What a subject is called where the entry has its name, else its id.
    static func name(of entry: AuditEntry) -> String {
        let names = [entry.after, entry.before].compactMap { $0?.objectValue?["name"]?.stringValue }
        return names.first { !$0.isEmpty } ?? entry.subject.id
    }
}
