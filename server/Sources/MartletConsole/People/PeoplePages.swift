import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// Finding somebody by what one knows of them.
extension ConsoleService {
    var peopleRoutes: [ConsoleRoute] {
        [.get("/people", .read) { call in .page(try await peoplePage(call)) }]
            + personRoutes + personDeviceRoutes + personPreferenceRoutes + erasureRoutes
    }

    private func peoplePage(_ call: ConsoleCall) async throws -> Page {
        let choice = try await appChoice(call.query["app"])
        var values: PageValues = [
            "q": call.query["q"] ?? "", "app_options": choice.values, "searched": call.query["q"] != nil,
        ]
        var status = HTTPResponse.Status.ok
        do {
            let search =
                try call.query["q"].map { try PersonSearch($0, app: choice.chosen?.row, providers: providers) }
                ?? PersonSearch(firstOf: choice.chosen?.row)
            let hits = try await store.people(search)
            values["hits"] = hits.map { hit in hitValues(hit, choice, call.texts) }
            // Only who was found by a device has one here.
            values["shows_devices"] = hits.contains { $0.endpoint != nil }
            values["has_hits"] = !hits.isEmpty
            values["no_hits"] = hits.isEmpty
            values["many_hits"] = hits.count >= PersonSearch.limit
        } catch let failure as Failure where failure.code == .invalidValue {
            values.show(failure, call.texts)
            status = failure.code.consoleStatus
        }
        return Page(
            template: "people",
            part: .people,
            title: call.texts["nav.people"],
            values: values,
            status: status
        )
    }

    private func hitValues(_ hit: PersonHit, _ choice: AppChoice, _ texts: Texts) -> PageValues {
        let app = choice.apps.first { $0.row == hit.app }
        var values: PageValues = [
            "has_user": hit.user != nil, "hit_user": hit.user ?? "", "hit_app": app?.name ?? "",
            "hit_match": texts["people.match.\(hit.match.rawValue)"],
            "hit_device": hit.endpoint?.description ?? "", "has_device": hit.endpoint != nil,
            "hit_platform": hit.platform.map { texts["people.platform.\($0.rawValue)"] } ?? "",
        ]
        if let app, let user = hit.user { values["hit_address"] = Person(app: app, user: user).address }
        return values
    }
}

/// Somebody whom a page is about.
struct Person: Sendable {
    var app: App
    /// The customer's own id for them.
    var user: String

    /// Their first page.
    var address: String { "/console/people/\(app.id)/\(Link.escaped(user))" }

    /// Who they are in the audit log.
    var subject: AuditSubject { AuditSubject("user", user) }
}
