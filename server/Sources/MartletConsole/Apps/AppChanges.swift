import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What changes about an app: its name, how its users are known, and whether it is there at all.
extension ConsoleService {
    var appChangeRoutes: [ConsoleRoute] {
        [
            .post("/apps/{id}/rename", .configure) { call in
                try await changeApp(call, form: "rename") { app in
                    let name = call.form["name"] ?? ""
                    try App.validate(name: name)
                    return try await store.updateApp(app.row, name: name, identity: nil)
                }
            },
            .post("/apps/{id}/identity", .configure) { call in
                try await changeApp(call, form: "identity") { app in
                    let identity = try IdentityForm(call.form).applied(to: app, vault: credentials.vault)
                    return try await store.updateApp(app.row, name: nil, identity: identity)
                }
            },
            .post("/apps/{id}/delete", .configure, deleteApp),
        ]
    }

    private func changeApp(
        _ call: ConsoleCall,
        form: String,
        _ change: (App) async throws -> App
    ) async throws -> ConsoleReply {
        let app = try await pathApp(call)
        do {
            let changed = try await change(app)
            let subject = AuditSubject("app", app.id.description)
            try await noteChange(
                "app.update",
                of: subject,
                by: call,
                app: app.row,
                before: app.audited,
                after: changed.audited
            )
            return .redirect("/console/apps/\(app.id)?done=app_changed")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await appPage(call, app, refused: (form, failure)))
        }
    }

    /// Deletes an app whose name was typed.
    private func deleteApp(_ call: ConsoleCall) async throws -> ConsoleReply {
        let app = try await pathApp(call)
        do {
            try confirm(app, call)
        } catch let failure {
            return .page(try await appPage(call, app, refused: ("delete", failure)))
        }
        try await store.deleteApp(app.row)
        let subject = AuditSubject("app", app.id.description)
        try await noteChange("app.delete", of: subject, by: call, app: app.row, before: app.audited)
        return .redirect("/console/apps?done=app_deleted")
    }

    /// Sees that an app's name was typed, for what cannot be undone.
    func confirm(_ app: App, _ call: ConsoleCall) throws(Failure) {
        guard call.form["confirm"] == app.name else {
            throw .invalid("confirm", call.texts["apps.type_name", ["name": app.name]])
        }
    }
}

/// How an app's users are known, as a form says it. A pure value.
struct IdentityForm: Sendable {
    private let form: FormValues

    init(_ form: FormValues) { self.form = form }

    /// The identity afterwards. A secret is sealed; without a new one what was there stays.
    ///
    /// - Throws: `Failure` naming the field.
    func applied(to app: App, vault: Vault) throws -> Identity {
        var identity = app.identity
        identity.mode = form["mode"].flatMap { IdentityMode(rawValue: $0) } ?? .asserted
        (identity.issuer, identity.audience) = (form["issuer"], form["audience"])
        switch (form["secret"], form["jwks_url"]) {
        case (.some, .some(let url)) where !isPresent(url, in: identity):
            throw Failure.invalid("secret", "User tokens are checked with a secret or with a key set, not with both.")
        case (.some(let secret), _):
            try Identity.validate(secret: secret, field: "secret")
            identity.verification = .secret(
                sealed: try vault.seal(Array(secret.utf8), for: Identity.purpose(of: app.id))
            )
        case (nil, .some(let url)):
            identity.verification = .keySetURL(try KeySetURL(url, field: "jwks_url").text)
        case (nil, nil):
            if case .keySetURL = identity.verification { identity.verification = nil }
        }
        guard identity.mode == .asserted || identity.verification != nil else {
            throw Failure.invalid(
                "mode",
                "Signed identity needs a way to check user tokens.",
                hint: "Give a shared secret or the address of a key set."
            )
        }
        return identity
    }

    /// Whether an address is the one that stood in the form when it was opened.
    private func isPresent(_ url: String, in identity: Identity) -> Bool { identity.verification == .keySetURL(url) }
}
