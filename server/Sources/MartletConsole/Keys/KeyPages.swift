import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// The keys of the REST interface.
extension ConsoleService {
    var keyRoutes: [ConsoleRoute] {
        [
            .get("/keys", .configure) { call in .page(try await keysPage(call)) },
            .post("/keys", .configure, makeKey),
            .post("/keys/{id}/revoke", .configure, revokeKey),
        ] + accessKeyRoutes
    }

    private func keysPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        let choice = try await appChoice(call.query["app"])
        let app = choice.chosen
        let keys = try await store.keys(.api(app: app?.row), call.listPage("keys")).compactMap(\.api)
        let apps = try await apps(of: keys.items.compactMap(\.app))
        let scope = KeyScope(rawValue: call.form["scope"] ?? "") ?? .send
        var values: PageValues = [
            "tab_keys": true, "app_options": choice.values,
            "new_key": ["app_options": choice.choosing(call.form["app"]).values] as PageValues,
            "keys": keys.items.map { shown($0, app: $0.app.flatMap { apps[$0] }, call) },
            "has_keys": !keys.items.isEmpty, "pager": call.pager("keys", next: keys.next),
            "form_name": call.form["name"] ?? "", "expiries": ExpiryChoice.values(call),
            "scopes": KeyScope.allCases.reversed().map { one in
                [
                    "scope_word": one.rawValue, "scope_text": call.texts["keys.scope_\(one.rawValue)"],
                    "scope_selected": one == scope,
                ] as PageValues
            },
        ]
        values.show(failure, call.texts)
        return Page(
            template: "keys",
            part: .apps,
            title: call.texts["keys.title"],
            values: values,
            refused: failure
        )
    }

    private func shown(_ key: APIKey, app: App?, _ call: ConsoleCall) -> PageValues {
        var values: PageValues = [
            "key_id": key.id.description, "key_name": key.name, "key_prefix": key.prefix + "…",
            "key_scope": key.scope.rawValue, "key_app": app?.name ?? call.texts["common.none"],
            "key_for_all": key.app == nil, "key_made": PageValues.time(key.createdAt),
            "key_live": key.revokedAt == nil, "key_revoked": key.revokedAt.map(PageValues.time).asList,
        ]
        values.merge(ExpiryChoice.values(used: key.lastUsedAt, expires: key.expiresAt, now: clock.now())) { $1 }
        return values
    }

    private func makeKey(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            guard let scope = KeyScope(rawValue: call.form["scope"] ?? "") else {
                throw Failure.invalid("scope", call.texts["keys.scope_missing"])
            }
            let expiry = try ExpiryChoice(call).expiry(now: clock.now())
            let app = try await chosenApp(call.form["app"])
            let made = try await store.makeKey(scope, app: app, name: call.form["name"] ?? "", expiry: expiry)
            let subject = AuditSubject("key", made.key.id.description)
            try await noteChange("key.create", of: subject, by: call, app: app?.row, after: made.key.audited)
            return .page(
                Self.secretPage(call, title: "keys.made", back: "/console/keys", [("keys.key", made.secret)])
            )
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await keysPage(call, failure: failure))
        }
    }

    /// What is shown once: the answer to the form itself, which no browser keeps.
    static func secretPage(
        _ call: ConsoleCall,
        title: String,
        back: String,
        _ secrets: [(name: String, text: String)]
    ) -> Page {
        let shown = secrets.enumerated().map { index, secret in
            [
                "secret_name": call.texts[secret.name], "secret_text": secret.text, "secret_id": "secret-\(index)",
            ] as PageValues
        }
        return Page(
            template: "key_made",
            part: .apps,
            title: call.texts[title],
            values: ["secrets": shown, "back": back]
        )
    }

    /// Revokes a key. The last admin key that is good for all apps is asked about once more.
    private func revokeKey(_ call: ConsoleCall) async throws -> ConsoleReply {
        let id = try call.id(of: "key")
        guard let key = try await store.key(.id(id))?.api else { throw Failure.notFound("key") }
        do {
            guard try await store.revokeKey(.id(id), evenIfLast: call.form.isOn("force")) else {
                throw Failure.notFound("key")
            }
        } catch let failure as Failure where failure.code == .conflict {
            let values: PageValues = [
                "message": FailureWords(failure, call.texts).message, "key_name": key.name,
                "key_prefix": key.prefix + "…",
                "key_id": id.description,
            ]
            return .page(
                Page(
                    template: "key_last",
                    part: .apps,
                    title: call.texts["keys.last_title"],
                    values: values,
                    refused: failure
                )
            )
        }
        try await noteChange(
            "key.revoke",
            of: AuditSubject("key", id.description),
            by: call,
            app: key.app,
            before: key.audited
        )
        return .redirect("/console/keys?done=key_revoked")
    }
}
