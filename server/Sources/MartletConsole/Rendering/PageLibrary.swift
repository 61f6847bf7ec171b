import Foundation
import MartletCore
import Mustache

/// The templates of all pages, read once.
struct PageLibrary: Sendable {
    private let library: MustacheLibrary

    /// Every template by its name; a test sees that no file is missing.
    static let sources: [(name: String, bytes: [UInt8])] = [
        ("layout", PackageResources.layout_mustache), ("error", PackageResources.error_mustache),
        ("sign_in", PackageResources.sign_in_mustache), ("invitation", PackageResources.invitation_mustache),
        ("overview", PackageResources.overview_mustache), ("pager", PackageResources.pager_mustache),
        ("compose", PackageResources.compose_mustache), ("compose_list", PackageResources.compose_list_mustache),
        ("compose_preview", PackageResources.compose_preview_mustache),
        ("compose_count", PackageResources.compose_count_mustache),
        ("compose_review", PackageResources.compose_review_mustache),
        ("notifications", PackageResources.notifications_mustache),
        ("notification", PackageResources.notification_mustache),
        ("notification_progress", PackageResources.notification_progress_mustache),
        ("notification_missed", PackageResources.notification_missed_mustache),
        ("notification_again", PackageResources.notification_again_mustache),
    ]

    /// Reads them.
    ///
    /// - Throws: what the template library says of a template that is none.
    init() throws {
        var library = MustacheLibrary()
        for (name, bytes) in Self.sources { try library.register(String(decoding: bytes, as: UTF8.self), named: name) }
        self.library = library
    }

    /// A page as text.
    func render(_ page: Page, _ call: ConsoleCall) -> String {
        library.render(Self.frame(page, call).merging(page.values) { $1 }, withTemplate: page.template) ?? ""
    }

    /// A part of a page as text, the same for all who read it in one language.
    func part(_ template: String, _ values: PageValues, _ texts: Texts) -> String {
        let frame: PageValues = ["t": texts.tree, "lang": texts.language]
        return library.render(frame.merging(values) { $1 }, withTemplate: template) ?? ""
    }

    /// What every page has: its texts, who reads it, the way to the others.
    private static func frame(_ page: Page, _ call: ConsoleCall) -> PageValues {
        var values: PageValues = [
            "t": call.texts.tree, "lang": call.texts.language, "title": page.title, "uri": call.uri,
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
                "address": part.path == "/" ? "/console" : "/console" + part.path,
            ] as PageValues
        }
        return values
    }

    private static func parts(_ call: ConsoleCall) -> [ConsolePart] {
        ConsolePart.allCases.filter { part in
            switch part {
            case .compose: call.may(.send)
            case .operators: call.may(.manageOperators)
            case .audit: call.may(.readAuditLog)
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
