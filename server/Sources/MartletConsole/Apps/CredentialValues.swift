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
        let summary = credential.summary
        let known = Link.query([
            "platform": credential.platform.rawValue, "environment": credential.environment.rawValue,
            "bundle_id": credential.platform == .apns ? summary.topic : nil, "key_id": summary.keyID,
            "team_id": credential.platform == .apns ? summary.teamID : nil, "url": credential.url,
        ])
        let own: PageValues = [
            "cred_known": known,
            "cred_environment": credential.environment.rawValue,
            "cred_environment_name": call.texts["apps.environment_\(credential.environment.rawValue)"],
            "cred_urls": credential.url.asList, "cred_stored": PageValues.time(credential.createdAt),
            "cred_disabled": !credential.isEnabled,
        ]
        return values(summary, of: credential.platform, call).merging(own) { $1 }
    }

    /// What the fields for a credential show: what was typed, without what is secret.
    static func credentialFields(_ form: FormValues, _ call: ConsoleCall) -> PageValues {
        var values: PageValues = ["form_vapid": form.isOn("vapid")]
        for name in CredentialForm.shown { values["form_\(name)"] = form[name] ?? "" }
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
