import MartletCore
import MartletStore
import MartletWire

/// An app's credentials: handed over, replaced, deleted.
extension ConsoleService {
    var credentialRoutes: [ConsoleRoute] {
        [
            .get("/apps/{id}/credentials/new", .configure) { call in
                let app = try await pathApp(call)
                let stored = try await store.credentials(app.row).filter {
                    $0.platform.rawValue == call.query["platform"]
                }
                let known = Self.known(call.query, among: stored)
                return .page(try credentialPage(call, app, known, replaces: !stored.isEmpty))
            },
            .post("/apps/{id}/credentials", .configure, takesFile: true, page: Self.newCredential, storeCredential),
            .post(
                "/apps/{id}/credentials/look",
                .configure,
                takesFile: true,
                page: Self.newCredential,
                lookAtNewCredential
            ),
            .post("/apps/{id}/credentials/{platform}/{environment}/delete", .configure, deleteCredential),
        ]
    }

    /// Where the forms of a credential stand.
    private static let newCredential = "/apps/{id}/credentials/new"

    /// What is known of the credential that is replaced: all but its secret and the key's id, which the file says. The new one
    /// takes the place of all that there are.
    ///
    /// - Parameter stored: those of its provider.
    static func known(_ query: FormValues, among stored: [Credential]) -> FormValues {
        let shown = stored.first { $0.environment.rawValue == query["environment"] } ?? stored.first
        return query.with("key_id", nil).with("replaces", shown?.environment.rawValue).with("trust", shown?.trust)
            .with("environment", stored.count > 1 ? nil : query["environment"])
    }

    /// - Parameters:
    ///   - known: what stands in the fields.
    ///   - replaces: whether there may be one in its place.
    private func credentialPage(
        _ call: ConsoleCall,
        _ app: App,
        _ known: FormValues,
        replaces: Bool = true,
        look: PageValues? = nil,
        failure: Failure? = nil
    ) throws -> Page {
        let replaced = replaces ? known["platform"].flatMap { Platform(rawValue: $0) } : nil
        var values = Self.credentialFields(known, call)
        values.merge(try keptFileValues(call)) { $1 }
        values["tab_apps"] = true
        values["app_id"] = app.id.description
        values["app_name"] = app.name
        values["replace_note"] =
            replaced.map { call.texts["apps.replace_note\($0 == .webpush ? "_webpush" : "")"] }.asList
        if let look { values["look"] = look }
        values.show(failure, call.texts)
        var title = call.texts["apps.credential_for", ["name": app.name]]
        if let replaced {
            // Its one environment says nothing where a provider has no other.
            let environment = replaced == .apns ? known["environment"].flatMap { Environment(rawValue: $0) } : nil
            let words = ["queue": call.texts.name(of: replaced, environment), "name": app.name]
            title = call.texts["apps.replace_title", words]
        }
        return Page(template: "credential_new", part: .apps, title: title, values: values, refused: failure)
    }

    /// Says what a file for an app is before it is stored.
    private func lookAtNewCredential(_ call: ConsoleCall) async throws -> ConsoleReply {
        let app = try await pathApp(call)
        do {
            let look = try await look(call, replacing: try await store.credentials(app.row))
            return .page(try credentialPage(call, app, call.form, look: look))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try credentialPage(call, app, call.form, failure: CredentialForm.inWords(failure)))
        }
    }

    private func storeCredential(_ call: ConsoleCall) async throws -> ConsoleReply {
        let app = try await pathApp(call)
        do {
            let form = try credentialForm(call)
            let drafts = try form.drafts()
            guard !drafts.isEmpty else { throw Failure.invalid("file", call.texts["apps.no_file"]) }
            for draft in drafts { try await keep(draft, form, of: app, call) }
            // Where the providers are asked what they say of it.
            return .redirect("/console/apps/\(app.id)/findings?done=credential_stored")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try credentialPage(call, app, call.form, failure: CredentialForm.inWords(failure)))
        }
    }

    /// Deletes a credential once the app's name was typed.
    private func deleteCredential(_ call: ConsoleCall) async throws -> ConsoleReply {
        let app = try await pathApp(call)
        let queue = try pathQueue(of: app, call)
        do {
            try confirm(app, call)
        } catch let failure {
            return .page(try await appPage(call, app, refused: ("credentials", failure)))
        }
        let known = try await store.credentials(app.row).first { $0.queue == queue }
        guard try await store.deleteCredential(queue) else { throw Failure.notFound("credential") }
        try await noteChange(
            "credential.delete",
            of: AuditSubject("credential", queue.word),
            by: call,
            app: app.row,
            before: known?.audited
        )
        return .redirect("/console/apps/\(app.id)?done=credential_deleted")
    }
}
