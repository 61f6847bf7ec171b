import MartletCore
import MartletWire

/// The apps among which a page lets one choose.
struct AppChoice: Sendable {
    var apps: [App]
    /// The one that the page is about; `nil` is all of them.
    var chosen: App?

    /// The options of a select field; the template `app_options` writes them.
    var values: [PageValues] {
        apps.map { app in
            ["app_id": app.id.description, "app_name": app.name, "app_chosen": app.row == chosen?.row] as PageValues
        }
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
}

extension ConsoleCall {
    /// Which part of a list is asked for.
    ///
    /// - Throws: `Failure` naming `cursor`.
    func listPage(_ list: String, count: Int = 50) throws(Failure) -> PageRequest {
        let after = try query["cursor"].map { text throws(Failure) in try Cursor.key(of: text, list: list) }
        return PageRequest(after: after, count: count)
    }

    /// The link to the next page of a list; nothing where it has ended.
    func pager(_ list: String, next: Int64?) -> PageValues {
        .pager(next: next.map { Cursor.text(of: $0, list: list) }, self)
    }

    /// A text of somebody's message, as who asks may read it.
    func payloadText(_ text: String?) -> String? {
        guard let text else { return nil }
        return may(.readUnmasked) ? text : "•••••"
    }
}
