import MartletCore
import MartletWire

// What pages show of credentials: never a secret.

extension ConsoleService {
    static func values(_ summary: CredentialSummary, of platform: Platform, _ call: ConsoleCall) -> PageValues {
        var values: PageValues = [
            "cred_platform": platform.rawValue, "cred_platform_name": call.texts["apps.platform_\(platform.rawValue)"],
            "cred_kind": call.texts["apps.kind_\(summary.kind.rawValue)"],
            "cred_topic_name": call.texts["apps.topic_\(platform.rawValue)"], "cred_topic": summary.topic,
            "cred_team_name": call.texts["apps.team_\(platform.rawValue)"],
            "cred_key_ids": summary.keyID.asList, "cred_teams": summary.teamID.asList,
            "cred_ends": summary.expiresAt.map(PageValues.time).asList,
        ]
        values["cred_is_webpush"] = platform == .webpush
        return values
    }

    static func values(_ credential: Credential, _ call: ConsoleCall) -> PageValues {
        let own: PageValues = [
            "cred_known": credential.known,
            "cred_environment": credential.environment.rawValue,
            "cred_name": call.texts.name(of: credential.queue), "cred_word": credential.queue.word,
            "cred_urls": credential.url.asList, "cred_stored": PageValues.time(credential.createdAt),
            "cred_disabled": !credential.isEnabled,
        ]
        return values(credential.summary, of: credential.platform, call).merging(own) { $1 }
    }

    /// What the fields for a credential show: what was typed, without what is secret. Where it is known whose credential it
    /// is, they are that provider's alone.
    static func credentialFields(_ form: FormValues, _ call: ConsoleCall) -> PageValues {
        let platform = form["platform"].flatMap { Platform(rawValue: $0) }
        let suffix = platform.map { "_\($0.rawValue)" } ?? ""
        var values: PageValues = [
            "form_vapid": form.isOn("vapid"), "form_platforms": (platform?.rawValue).asList,
            "asks_file": platform != .webpush, "asks_apple": platform == nil || platform == .apns,
            "asks_browsers": platform == nil, "is_browsers": platform == .webpush,
            "file_legend": call.texts["apps.file_legend\(suffix)"], "file_note": call.texts["apps.file_note\(suffix)"],
        ]
        for name in CredentialForm.shown { values["form_\(name)"] = form[name] ?? "" }
        values["replaced_environments"] = form["replaces"].asList
        values["has_address"] = form["url"] != nil || form["trust"] != nil
        let chosen = form["environment"]
        values["environments"] = [Environment.production, .sandbox].map { one in
            [
                "environment_word": one.rawValue, "environment_name": call.texts["apps.environment_\(one.rawValue)"],
                "environment_selected": one.rawValue == chosen,
            ] as PageValues
        }
        return values
    }
}

extension Credential {
    /// What a form that replaces it knows of it: neither its secret, nor the key's id, which the new file says.
    var known: String {
        Link.query([
            "platform": platform.rawValue, "environment": environment.rawValue,
            "bundle_id": platform == .apns ? summary.topic : nil,
            "team_id": platform == .apns ? summary.teamID : nil,
            "subject": platform == .webpush ? summary.teamID : nil, "url": url,
        ])
    }
}

extension Link {
    /// Where the credential of a queue is replaced, with what is known of the stored one.
    static func replacement(for queue: DeliveryQueue, of app: App, among stored: [Credential]) -> String {
        "/console/apps/\(app.id)/credentials/new?\(knownCredential(of: queue, among: stored))"
    }

    /// What is known of a queue's stored credential, as a query: of one that is gone, whose it was.
    static func knownCredential(of queue: DeliveryQueue, among stored: [Credential]) -> String {
        let own = queue.ofCredential
        return stored.first { $0.queue == own }?.known
            ?? query(["platform": own.platform.rawValue, "environment": own.environment.rawValue])
    }
}
