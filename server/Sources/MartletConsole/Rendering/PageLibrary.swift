import Foundation
import MartletCore
import MartletWire
import Mustache

/// The templates of all pages, read once.
struct PageLibrary: Sendable {
    private let library: MustacheLibrary
    /// Whether there are virtual phones to lead to.
    private let hasPhones: Bool

    /// Every template by its name; a test sees that no file is missing.
    static let sources: [(name: String, bytes: [UInt8])] = [
        ("layout", PackageResources.layout_mustache), ("error", PackageResources.error_mustache),
        ("kept_form", PackageResources.kept_form_mustache),
        ("sign_in", PackageResources.sign_in_mustache), ("invitation", PackageResources.invitation_mustache),
        ("overview", PackageResources.overview_mustache), ("problem", PackageResources.problem_mustache),
        ("pager", PackageResources.pager_mustache),
        ("problems", PackageResources.problems_mustache), ("problems_run", PackageResources.problems_run_mustache),
        ("app_options", PackageResources.app_options_mustache),
        ("form_problem", PackageResources.form_problem_mustache),
        ("choice_fields", PackageResources.choice_fields_mustache), ("people", PackageResources.people_mustache),
        ("person_head", PackageResources.person_head_mustache),
        ("person_timeline", PackageResources.person_timeline_mustache),
        ("person_why", PackageResources.person_why_mustache),
        ("person_devices", PackageResources.person_devices_mustache),
        ("person_preferences", PackageResources.person_preferences_mustache),
        ("person_inbox", PackageResources.person_inbox_mustache),
        ("person_erase", PackageResources.person_erase_mustache), ("topics", PackageResources.topics_mustache),
        ("topic", PackageResources.topic_mustache), ("subscription", PackageResources.subscription_mustache),
        ("categories", PackageResources.categories_mustache), ("category", PackageResources.category_mustache),
        ("category_form", PackageResources.category_form_mustache),
        ("refusal", PackageResources.refusal_mustache),
        // Apps and keys.
        ("apps", PackageResources.apps_mustache), ("apps_tabs", PackageResources.apps_tabs_mustache),
        ("app", PackageResources.app_mustache), ("app_new", PackageResources.app_new_mustache),
        ("app_findings", PackageResources.app_findings_mustache), ("findings", PackageResources.findings_mustache),
        ("credential_new", PackageResources.credential_new_mustache),
        ("credential_fields", PackageResources.credential_fields_mustache),
        ("credential_contact", PackageResources.credential_contact_mustache),
        ("keys", PackageResources.keys_mustache), ("key_made", PackageResources.key_made_mustache),
        ("key_last", PackageResources.key_last_mustache), ("access_keys", PackageResources.access_keys_mustache),
        // Operators, and what they did.
        ("operators", PackageResources.operators_mustache),
        ("operators_tabs", PackageResources.operators_tabs_mustache),
        ("operator_invited", PackageResources.operator_invited_mustache),
        ("sessions", PackageResources.sessions_mustache), ("account", PackageResources.account_mustache),
        ("audit", PackageResources.audit_mustache),
        // Virtual phones.
        ("phones", PackageResources.phones_mustache), ("phones_parts", PackageResources.phones_parts_mustache),
        ("phones_none", PackageResources.phones_none_mustache),
        ("compose", PackageResources.compose_mustache), ("compose_list", PackageResources.compose_list_mustache),
        ("compose_preview", PackageResources.compose_preview_mustache),
        ("compose_count", PackageResources.compose_count_mustache),
        ("compose_review", PackageResources.compose_review_mustache),
        ("sent_lately", PackageResources.sent_lately_mustache),
        ("notifications", PackageResources.notifications_mustache),
        ("notification", PackageResources.notification_mustache),
        ("notification_progress", PackageResources.notification_progress_mustache),
        ("notification_missed", PackageResources.notification_missed_mustache),
        ("notification_resend", PackageResources.notification_resend_mustache),
    ]

    /// Reads them.
    ///
    /// - Throws: what the template library says of a template that is none.
    init(hasPhones: Bool = false) throws {
        self.hasPhones = hasPhones
        var library = MustacheLibrary()
        for (name, bytes) in Self.sources { try library.register(PageText.template(bytes), named: name) }
        self.library = library
    }

    /// A page as text.
    func render(_ page: Page, _ call: ConsoleCall) -> String {
        library.render(frame(page, call).merging(page.values) { $1 }, withTemplate: page.template) ?? ""
    }

    /// A part of a page as text, the same for all who read it in one language.
    func part(_ template: String, _ values: PageValues, _ texts: Texts) -> String {
        let frame: PageValues = ["t": texts.tree, "lang": texts.language]
        return library.render(frame.merging(values) { $1 }, withTemplate: template) ?? ""
    }

    /// What every page has: its texts, who reads it, the way to the others.
    private func frame(_ page: Page, _ call: ConsoleCall) -> PageValues {
        var values: PageValues = [
            "t": call.texts.tree, "lang": call.texts.language, "title": page.title, "uri": call.uri,
            "zone": ViewerZone.name,
            "style": Asset.style.address, "script": Asset.script.address,
            "languages": Texts.languages.map { language in
                [
                    "code": language, "name": Texts.names[language] ?? language,
                    "current": language == call.texts.language,
                    "address": call.address(changing: "lang", to: language),
                ] as PageValues
            },
        ]
        if let done = call.query["done"], let text = call.texts.optional("done.\(done)") { values["done"] = text }
        guard let session = call.session else { return values }
        values["signed_in"] = true
        values["operator"] = session.owner.name
        values["role"] = call.texts["role.\(session.owner.role.rawValue)"]
        values["csrf"] = session.secret.csrfToken
        for act in OperatorAct.allCases where call.may(act) { values["may_\(act.rawValue)"] = true }
        values["nav"] = parts(call).map { part in
            [
                "name": call.texts["nav.\(part.rawValue)"], "current": part == page.part,
                "count":
                    (part == .problems && call.problems > 0
                    ? call.texts.counted("problems.count", call.problems) : nil).asList,
                "number": call.problems,
                "address": part.path == "/" ? "/console" : "/console" + part.path,
            ] as PageValues
        }
        return values
    }

    /// The list of the part of the console that an address is in: where to look for what is not there.
    func list(at call: ConsoleCall) -> PageValues? {
        let segments = call.uri.prefix { $0 != "?" }.split(separator: "/")
        guard segments.count > 1 else { return nil }
        let place = String(segments[1])
        if call.may(.configure), let name = ["keys": "keys.title", "access-keys": "keys.access_title"][place] {
            return ["list_name": call.texts[name], "list_address": "/console/\(place)"]
        }
        guard let part = parts(call).first(where: { $0.path == "/\(place)" }) else { return nil }
        return ["list_name": call.texts["nav.\(part.rawValue)"], "list_address": "/console" + part.path]
    }

    private func parts(_ call: ConsoleCall) -> [ConsolePart] {
        ConsolePart.allCases.filter { part in
            switch part {
            case .compose: call.may(.send)
            case .operators: call.may(.manageOperators)
            case .audit: call.may(.readAuditLog)
            case .phones: hasPhones
            default: true
            }
        }
    }
}

extension ConsoleCall {
    /// This page's address with another value in its query.
    func address(changing name: String, to value: String) -> String {
        let path = uri.split(separator: "?", maxSplits: 1)
        let rest = (path.count > 1 ? path[1] : "").split(separator: "&").filter { !$0.hasPrefix("\(name)=") }
        return "\(path.first ?? "/console")?" + (rest + ["\(name)=\(Link.escaped(value))"]).joined(separator: "&")
    }
}
