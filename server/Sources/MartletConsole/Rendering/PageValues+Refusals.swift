import MartletCore
import MartletWire

extension PageValues {
    /// What one of a page's forms says above itself when it was refused: `{{#refused_FORM}}{{>refusal}}{{/refused_FORM}}`.
    mutating func refuse(_ failure: Failure?, form: String) {
        guard let failure else { return }
        var values: PageValues = ["refusal_message": failure.detail.message]
        if let hint = failure.detail.hint { values["refusal_hint"] = hint }
        self["refused_\(form)"] = values
    }
}

extension Page {
    /// A page with the status of what was refused on it.
    init(template: String, part: ConsolePart? = nil, title: String, values: PageValues, refused: Failure?) {
        self.init(template: template, part: part, title: title, values: values)
        if let refused { status = refused.code.consoleStatus }
    }
}

extension Optional where Wrapped: Sendable {
    /// What a template's section over a list is given, so that it is empty where there is nothing: a name that is missing
    /// would be looked for further out.
    var asList: [Wrapped] { map { [$0] } ?? [] }
}

extension ConsoleCall {
    /// The part of a list that the query asks for.
    func listRequest(_ count: Int = 50) -> PageRequest {
        PageRequest(after: query["cursor"].flatMap { Int64($0) }, count: count)
    }

    /// The link behind a part of a list.
    func pager(behind next: Int64?) -> PageValues { .pager(next: next.map { String($0) }, self) }
}

extension ConsoleService {
    /// The most apps of a list to choose from. Ours: more are found by their pages.
    static var chosenApps: Int { 200 }

    /// Apps to choose from, with one that is chosen.
    func appChoices(chosen: String?) async throws -> [PageValues] {
        try await store.apps(PageRequest(count: Self.chosenApps)).items.map { app in
            [
                "choice_id": app.id.description, "choice_name": app.name,
                "choice_selected": app.id.description == chosen || app.name == chosen,
            ]
        }
    }

    /// The app that a value of a form or a query names by its id; `nil` where it names none.
    ///
    /// - Throws: `Failure` naming `app`.
    func chosenApp(_ text: String?) async throws -> App? {
        guard let text else { return nil }
        guard let id = PublicID(text), let app = try await store.app(.id(id)) else {
            throw Failure.invalid("app", "There is no such app.")
        }
        return app
    }

    /// These apps by their rows; those that are gone are absent.
    func apps(of rows: some Sequence<RowID<App>>) async throws -> [RowID<App>: App] {
        var found: [RowID<App>: App] = [:]
        for row in Set(rows) { found[row] = try await store.app(.row(row)) }
        return found
    }
}
