import MartletCore
import MartletStore
import MartletWire

/// The apps among which a page lets one choose.
struct AppChoice: Sendable {
    var apps: [App]
    /// The one that the page is about; `nil` is all of them.
    var chosen: App?

    /// The options of a select field, as `app_options`; the template of that name writes them.
    var values: [PageValues] {
        apps.map { app in
            ["app_id": app.id.description, "app_name": app.name, "app_chosen": app.row == chosen?.row] as PageValues
        }
    }

    /// The same apps to choose from, with the one that a form's value names by id or name; with none where it names none.
    func choosing(_ text: String?) -> AppChoice {
        AppChoice(apps: apps, chosen: apps.first { $0.id.description == text || $0.name == text })
    }

    /// An app's name.
    func name(_ row: RowID<App>?) -> String? { row.flatMap { row in apps.first { $0.row == row } }?.name }
}

extension ConsoleService {
    /// All apps, and the one that a text names by id or name.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for one that there is not.
    func appChoice(_ text: String?) async throws -> AppChoice {
        let apps = try await store.apps(PageRequest(count: PageRequest.limit)).items
        guard let text else { return AppChoice(apps: apps, chosen: nil) }
        return AppChoice(apps: apps, chosen: try await app(named: text))
    }

    /// The app that a text names, by id or by name.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is none.
    func app(named text: String) async throws -> App {
        guard let app = try await store.app(PublicID(text).map(AppSelector.id) ?? .name(text)) else {
            throw Failure.notFound("app")
        }
        return app
    }

    /// The app that a form's value names by its id; `nil` where it names none.
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
