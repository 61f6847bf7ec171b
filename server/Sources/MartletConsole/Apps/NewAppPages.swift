import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// A new app with what it authenticates with, in one form; and what a file is before it is stored.
extension ConsoleService {
    var newAppRoutes: [ConsoleRoute] {
        [
            .get("/apps/new", .configure) { call in .page(try newAppPage(call)) },
            .post("/apps/new", .configure, takesFile: true, createApp),
            .post("/apps/look", .configure, takesFile: true, page: "/apps/new", lookAtCredential),
        ]
    }

    private func newAppPage(
        _ call: ConsoleCall,
        look: PageValues? = nil,
        failure: Failure? = nil
    ) throws -> Page {
        var values = Self.credentialFields(call.form, call)
        values.merge(try keptFileValues(call)) { $1 }
        values["tab_apps"] = true
        values["form_name"] = call.form["name"] ?? ""
        if let look { values["look"] = look }
        values.show(failure, call.texts)
        return Page(
            template: "app_new",
            part: .apps,
            title: call.texts["apps.new"],
            values: values,
            refused: failure
        )
    }

    private func createApp(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            let name = call.form["name"] ?? ""
            try App.validate(name: name)
            let form = try credentialForm(call)
            let drafts = try form.drafts()
            // What is no credential must not leave an app behind.
            for draft in drafts {
                _ = try credentials.environments(of: draft.platform, named: environment(form, of: draft.platform))
                _ = try credentials.providers[draft.platform]?.check(draft)
            }
            let app = try await store.createApp(name: name, identity: Identity())
            try await noteChange(
                "app.create",
                of: AuditSubject("app", app.id.description),
                by: call,
                app: app.row,
                after: app.audited
            )
            for draft in drafts { try await keep(draft, form, of: app, call) }
            return .redirect("/console/apps/\(app.id)?done=app_created")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try newAppPage(call, failure: CredentialForm.inWords(failure)))
        }
    }

    /// The environment that a form names, as far as it is one of this provider's: a key for browsers is for all of them.
    private func environment(_ form: CredentialForm, of platform: Platform) -> Environment? {
        platform == .apns ? form.environment : nil
    }

    /// A draft for each environment that it is stored for: the one that a form names, or all that the provider has
    /// without those that a certificate is not for.
    ///
    /// - Throws: `Failure` where it is for none.
    private func drafts(
        _ draft: CredentialDraft,
        _ form: CredentialForm,
        among stored: [Credential]
    ) throws -> [(environment: Environment, draft: CredentialDraft)] {
        let environments = try credentials.environments(
            of: draft.platform,
            named: environment(form, of: draft.platform)
        )
        let all = environments.map { (environment: $0, draft: form.draft(draft, for: $0, among: stored)) }
        guard all.count > 1, let provider = credentials.providers[draft.platform] else { return all }
        var found: [(environment: Environment, draft: CredentialDraft)] = []
        var refusal: Failure?
        for own in all {
            do throws(Failure) {
                let covered = try provider.check(own.draft).environments
                if covered.isEmpty || covered.contains(own.environment) { found.append(own) }
            } catch {
                // The bundle id is the environment's own, and the certificate is for another one.
                guard error.detail.field == "topic", own.draft.bundleID != draft.bundleID else { throw error }
                refusal = error
            }
        }
        if found.isEmpty, let refusal { throw refusal }
        return found
    }

    /// Stores a credential; what waited for it goes on.
    func keep(_ draft: CredentialDraft, _ form: CredentialForm, of app: App, _ call: ConsoleCall) async throws {
        let before = try await store.credentials(app.row)
        var stored: [Credential] = []
        for (environment, own) in try drafts(draft, form, among: before) {
            stored += try await credentials.store(own, app: app, environments: [environment])
        }
        // What did not answer may have been mended with it: another address, other certificates to trust.
        breakers.probe(stored.flatMap(\.queue.sharingCredential))
        wakeUps.notify()
        for credential in stored {
            let old = before.first { $0.queue == credential.queue }
            try await noteChange(
                "credential.store",
                of: AuditSubject("credential", credential.queue.word),
                by: call,
                app: app.row,
                before: old?.audited,
                after: credential.audited
            )
        }
    }

    /// Says what a file is and what its provider says of it; nothing is stored.
    private func lookAtCredential(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            return .page(try newAppPage(call, look: try await look(call)))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try newAppPage(call, failure: CredentialForm.inWords(failure)))
        }
    }

    /// What a form's file is, and what its provider says of it in each environment that it would be stored for.
    ///
    /// - Parameter stored: what the app has already.
    func look(_ call: ConsoleCall, replacing stored: [Credential] = []) async throws -> PageValues {
        let form = try credentialForm(call)
        guard let draft = try form.drafts().first else {
            throw Failure.invalid("file", call.texts["apps.no_file"])
        }
        var look: PageValues = [:]
        var findings: [Finding] = []
        for (environment, own) in try drafts(draft, form, among: stored) {
            let tried = try await credentials.tryOut(own, in: environment, clock: clock)
            look = Self.values(tried.summary, of: draft.platform, call)
            findings += tried.findings
        }
        look["finding_groups"] = FindingGroups(findings, call.texts).values
        return look
    }
}

extension CredentialDraft {
    /// That of Apple's, as it was asked for.
    fileprivate var bundleID: String? {
        guard case .apns(_, let bundleID) = secret else { return nil }
        return bundleID
    }
}
